/** What a tool is that language models can call, and how it is run. */
import * as z from 'zod/mini';
import type { FailureInbox } from '../logs/inbox.ts';
import type { FailedRun } from '../logs/view/failure-reasons.ts';
import { splitResourceId } from '../model/resources/resource-uri.ts';
import type { Session } from '../model/session/session.ts';
import { PlatformError } from '../platform/errors.ts';
import { isObject } from '../platform/json/json.ts';
import { kinds, registry, type Kind } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { observeProgress, type ProgressListener } from '../platform/requests/progress.ts';
import { formatUntrustedData, type UntrustedData } from './untrusted-data.ts';

/** The part of a session that tools use. */
export type ToolSession = Pick<
  Session,
  | 'client'
  | 'profile'
  | 'signedOutReason'
  | 'organizations'
  | 'objectStates'
  | 'credentialKinds'
  | 'identity'
  | 'issuedResources'
  | 'ended'
  | 'hasPermission'
  | 'loadPermissions'
> &
  Partial<Pick<Session, 'identityName'>>;

/** The connections that tools read from. */
export interface ToolContext {
  readonly sessions: () => readonly ToolSession[];
  /** the connection of calls that do not name one */
  readonly active: () => ToolSession | undefined;
  /** values that an action file must not contain */
  readonly secrets: () => readonly string[];
  /** program and arguments of the signer, if one is configured; only a run calls it */
  readonly getSigner: () => readonly string[] | undefined;
  /** the runs of the workspace, and what the user saw of the failures; absent without an editor */
  readonly failures?: () => Promise<{ readonly runs: readonly FailedRun[]; readonly inbox: FailureInbox }>;
  /** states of a resource that were read before, newest first */
  readonly snapshots: (
    resource: Readonly<Record<'connection' | 'kind' | 'id', string>>,
  ) => Promise<readonly { readonly readAt: number; readonly text: string }[]>;
}

export interface Tool<Input extends z.core.$ZodType = z.core.$ZodType> {
  /** unique, `smartObjects_…`, as the manifest names it */
  readonly name: string;
  readonly input: Input;
  /** the data of its result */
  readonly output: z.core.$ZodType;
  /** it returns in time by itself: ended from outside, it could not tell what it has sent */
  readonly endsInTime?: true;
  /** Rejects with PlatformError, or with ToolInputError for a call that cannot be carried out. */
  run(input: z.output<Input>, context: ToolContext, signal: AbortSignal): Promise<ToolData>;
}

/** What a tool has read. */
export interface ToolData {
  /** where it comes from: the name of the connection */
  readonly source: string;
  readonly data: unknown;
  /** a sentence of our own about the data */
  readonly note?: string;
}

/** A call that names something unknown. `known`: names that users wrote, shown to the model as data. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
  readonly known: unknown;

  constructor(message: string, known?: unknown) {
    super(message);
    this.known = known;
  }
}

export const text = z.string().check(z.minLength(1), z.maxLength(500));
export const connection = z.optional(describe(text, 'Name of the connection. Default: the active one.', 'Staging'));
/** Kinds that the contract reads by id; wallets are known from a registration only. */
export const kind = describe(
  z.enum(kinds.filter((name): name is Exclude<Kind, 'wallets'> => name !== 'wallets')),
  'Kind of the resources.',
  'objects',
);
export const offset = z.optional(
  describe(z.int().check(z.minimum(0)), 'Where a result was cut: the number that it names, to go on there.', 20),
);
/** The text of an action file. */
export const actionText = describe(
  z.string().check(z.minLength(1), z.maxLength(200_000)),
  'Text of the action file: the JSON body of an execution.',
  '{"action": {"burn": {"id": "obj_117de336dd9acbf8c65f61d1"}}}',
);

/** The description and the example become part of the JSON schema that a model reads. */
export function describe<S extends z.ZodMiniType>(schema: S, description: string, example: z.input<S>): S {
  return schema.check(z.meta({ description, examples: [example] }));
}

/** Keeps the type of the input for `run`. */
export function defineTool<Input extends z.core.$ZodType>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

/**
 * The session that a call names, or the active one. Throws ToolInputError if there is none, and for a connection of the
 * workspace that the user did not sign in to: what a model asks for would reach a server that the workspace chose.
 */
export function getSession({ sessions, active }: ToolContext, name: string | undefined): ToolSession {
  const session = name === undefined ? active() : sessions().find(({ profile }) => profile.name === name);
  if (session?.profile.source === 'workspace' && session.credentialKinds.size === 0)
    throw new ToolInputError(
      'The workspace defines this connection. Nothing is requested from it until the user signs in.',
      { connection: session.profile.name },
    );
  if (session !== undefined) return session;
  const names = sessions().map(({ profile }) => profile.name);
  if (names.length === 0)
    throw new ToolInputError('There is no connection. The user can add one with Add Connection….');
  throw new ToolInputError(
    name === undefined
      ? 'No connection is active. Name one of these.'
      : 'There is no such connection. Name one of these.',
    { connections: names },
  );
}

/** Reads a resource; the id of a role is ORGANIZATION/ID. Rejects with PlatformError or ToolInputError. */
export async function readResource(
  { client }: ToolSession,
  kind: Kind,
  id: string,
  signal: AbortSignal,
): Promise<unknown> {
  if (kind === 'roles' && !id.includes('/')) throw new ToolInputError('A role is read with its organization.');
  const definition: ResourceDefinition = registry[kind];
  return (await client.readFor(definition, splitResourceId(kind, id), { signal })).item.raw;
}

/** What a tool returns to a model. */
interface ToolResult {
  readonly text: string;
  /** the call could not be carried out; the text says why, so that a model can correct itself */
  readonly isError: boolean;
  /** the data of the text, unless it is an error */
  readonly content?: UntrustedData['content'];
}

/** What is wrong with an input, with the allowed values: the messages of zod are not part of the bundle. */
export function formatIssues({ issues }: z.core.$ZodError, input: z.core.$ZodType): string {
  return issues.map((issue) => `${issue.path.join('.') || 'input'}: ${formatIssue(issue, input)}`).join('; ');
}

/** The properties of the object at a path of an input. */
function getNames(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodMiniOptional) return getNames(schema.def.innerType, path);
  const [key, ...rest] = path;
  if (schema instanceof z.ZodMiniArray) return getNames(schema.def.element, rest);
  if (!(schema instanceof z.ZodMiniObject)) return [];
  return key === undefined ? Object.keys(schema.def.shape) : getNames(schema.def.shape[String(key)], rest);
}

function formatIssue(issue: z.core.$ZodIssue, input: z.core.$ZodType): string {
  switch (issue.code) {
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'unrecognized_keys':
      return `has no property ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}; properties: ${getNames(input, issue.path).join(', ')}`;
    case 'invalid_type':
      return `must be given as ${issue.expected}`;
    case 'too_small':
      return `must be at least ${String(issue.minimum)}${issue.origin === 'string' ? ' characters long' : ''}`;
    case 'too_big':
      return `must be at most ${String(issue.maximum)}${issue.origin === 'string' ? ' characters long' : ''}`;
    case 'invalid_union':
      return 'must be a text, a number, or true or false';
    case 'invalid_format':
      return `must match ${issue.pattern ?? issue.format}`;
    case 'invalid_key':
      return `names ${issue.issues.map((one) => formatIssue(one, input)).join(', ')}`;
    default:
      return 'is not valid';
  }
}

/** Milliseconds of a call. Clients give up after 60 s by default, and would not learn why. */
export const MAX_DURATION = 45_000;

/** Rejects once `signal` is aborted, also if the work goes on: what it reads may be shared with others. */
export function endWith<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (): void => reject(new ToolInputError('The call was ended.'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([work, ended]);
}

interface CallOptions {
  readonly onProgress?: ProgressListener;
  /** ends the call: by default after `MAX_DURATION` */
  readonly deadline?: AbortSignal;
}

/** Checks the input and runs a tool. Rejects when `signal` is aborted. */
export async function runTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  signal: AbortSignal,
  { onProgress, deadline = AbortSignal.timeout(MAX_DURATION) }: CallOptions = {},
): Promise<ToolResult> {
  const parsed = z.safeParse(tool.input, input);
  if (!parsed.success) {
    return { text: `Invalid input: ${formatIssues(parsed.error, tool.input)}`, isError: true };
  }
  const endsInTime = tool.endsInTime === true;
  const stopped = endsInTime ? signal : AbortSignal.any([signal, deadline]);
  let progress: string | undefined;
  const observe: ProgressListener = (sentence, wait) => {
    progress = sentence;
    onProgress?.(sentence, wait);
  };
  try {
    const running = observeProgress(observe, () => tool.run(parsed.data, context, stopped));
    const { source, data, note } = await (endsInTime ? running : endWith(stopped, running));
    const offset = isObject(parsed.data) ? parsed.data['offset'] : undefined;
    const start = getNames(tool.input, []).includes('offset') ? 0 : undefined;
    const { text, content } = formatUntrustedData(source, data, typeof offset === 'number' ? offset : start);
    if (note === undefined) return { text, content, isError: false };
    return { text: `${text}\n${note}`, content: { ...content, note }, isError: false };
  } catch (error) {
    if (signal.aborted) throw error;
    if (stopped.aborted) {
      const last = progress ?? 'The platform did not respond in time';
      return { text: `The call was ended after ${String(MAX_DURATION / 1000)} s. ${last}.`, isError: true };
    }
    if (error instanceof ToolInputError) {
      const known = error.known === undefined ? '' : `\n${formatUntrustedData('settings', error.known).text}`;
      return { text: error.message + known, isError: true };
    }
    if (!(error instanceof PlatformError)) throw error;
    const { message, detail } = error;
    const data = { error: message, nextStep: detail.nextStep, server: detail.serverMessage };
    return { text: formatUntrustedData('error', data).text, isError: true };
  }
}
