/** The connections of one MCP server: that of the command line, or the contexts of the user. */
import type { ToolContext, ToolSession } from '../../agents/tool.ts';
import { ObjectStates } from '../../cache/object-states.ts';
import { SnapshotMemory } from '../../cache/snapshot-memory.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatSentence } from '../output/sanitize.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { readContexts } from '../connection/contexts.ts';
import { getCredentialVariables } from '../connection/credential-variables.ts';
import { openConnection, type Connection } from '../connection/open-connection.ts';
import { createToolSession } from '../connection/tool-session.ts';

/** What a person must choose before a call can be carried out. */
interface Question {
  readonly message: string;
  readonly choices: readonly string[];
  readonly choose: (choice: string) => void;
}

/** Opens the connections; sends nothing. */
export class McpSessions {
  readonly #context: CommandContext;
  readonly #connections: readonly Connection[];
  readonly #sessions = new Map<string, ToolSession>();
  readonly #states = new ObjectStates();
  readonly #snapshots: SnapshotMemory;
  #active: string | undefined;

  private constructor(context: CommandContext, connections: readonly Connection[], snapshots: SnapshotMemory) {
    this.#context = context;
    this.#connections = connections;
    this.#snapshots = snapshots;
    for (const connection of connections) this.#sessions.set(connection.profile.name, this.#create(connection));
    if (connections.length === 1) this.#active = connections[0]?.profile.name;
  }

  /** Rejects with UsageError if no platform is named, and there is no context. */
  static async open(given: CommandContext, values: ConnectionValues): Promise<McpSessions> {
    const snapshots = new SnapshotMemory();
    const context: CommandContext = {
      ...given,
      observe: (connection, { kind }, _items, id, text) => {
        if (id !== undefined && text !== undefined)
          snapshots.add(JSON.stringify([connection, kind, id.join('/')]), { readAt: Date.now(), text });
      },
    };
    const { environment, printError } = context;
    const { timeout, verbose, allowPlainHttp, baseUrl, connection } = values;
    const shared = { timeout, ...(verbose && { verbose }), ...(allowPlainHttp && { allowPlainHttp }) };
    const named = [baseUrl, connection, values.context, environment['SMART_OBJECTS_BASE_URL']];
    const { current, connections } = readContexts(environment);
    // An agent that is given one platform reads no other.
    if (connections.length === 0 || named.some((one) => (one ?? '') !== ''))
      return new McpSessions(context, [await openConnection(values, context)], snapshots);
    if (values.har !== undefined) throw new UsageError('--har records one connection: name it with --context');
    const opened: Connection[] = [];
    for (const { name } of connections)
      try {
        opened.push(await openConnection({ ...shared, context: name }, context));
      } catch (error) {
        printError(`note: ${formatSentence(`Context ${name} is left out: ${getErrorMessage(error)}`)}`);
      }
    const sessions = new McpSessions(context, opened, snapshots);
    sessions.#active ??= opened.find(({ profile }) => profile.name === current)?.profile.name;
    return sessions;
  }

  /** The connection that the command line names, or the only one. */
  get active(): Connection | undefined {
    return this.#connections.find(({ profile }) => profile.name === this.#active);
  }

  /** For the tools. */
  get toolContext(): ToolContext {
    return {
      sessions: () => [...this.#sessions.values()],
      active: () => this.#sessions.get(this.#active ?? ''),
      secrets: () => this.#connections.flatMap(({ secrets }) => secrets),
      getSigner: () => undefined,
      snapshots: ({ connection, kind, id }) =>
        Promise.resolve(this.#snapshots.get(JSON.stringify([connection, kind, id]))),
    };
  }

  /** What must be chosen for a call that names a connection, or none: the connection, then the identity. */
  getQuestion(given: string | undefined, key: string): Question | undefined {
    const name = given ?? this.#active;
    if (name === undefined) {
      if (key !== 'connection') return undefined;
      return {
        message: 'Which connection should be used?',
        choices: [...this.#sessions.keys()],
        choose: (choice) => {
          this.#active = choice;
        },
      };
    }
    if (key !== 'identity') return undefined;
    const connection = this.#connections.find(({ profile }) => profile.name === name);
    const identities = this.#findIdentities();
    if (connection === undefined || identities.length === 0) return undefined;
    if (this.#sessions.get(name)?.signedOutReason === undefined) return undefined;
    return {
      message: `Which identity should be used on ${name}?`,
      choices: identities,
      choose: (choice) => {
        this.#sessions.set(name, this.#create(connection.withIdentity(choice)));
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  #create(connection: Connection): ToolSession {
    return { ...createToolSession(connection, this.#context.signal), objectStates: this.#states };
  }

  /** Names of the identities whose credentials are in the environment; not those of contexts. */
  #findIdentities(): readonly string[] {
    const { environment } = this.#context;
    const contexts = readContexts(environment).connections.map(({ name }) => getCredentialVariables(name).apiKey);
    const found = Object.entries(environment).flatMap(([variable, value]) => {
      const name = /^SMART_OBJECTS_(?:API_KEY|ACCESS_TOKEN)_(\w+)$/.exec(variable)?.[1]?.toLowerCase();
      return name === undefined || value === '' || contexts.includes(getCredentialVariables(name).apiKey) ? [] : [name];
    });
    return [...new Set(found)];
  }
}

/** Throws UsageError. */
export function refuseInput({ apiKeyStdin, accessTokenStdin }: ConnectionValues): void {
  if (apiKeyStdin === true || accessTokenStdin === true)
    throw new UsageError('Standard input is used for the protocol: specify the credential in the environment');
}
