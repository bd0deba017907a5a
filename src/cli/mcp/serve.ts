/** `mcp`: serves agents over standard input and output. */
import * as z from 'zod/mini';
import { mayBeProduction } from '../../model/session/production.ts';
import type { Profile } from '../../model/session/session.ts';
import { CommandError, type CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import type { Manifest } from '../manifest.ts';
import { UsageError } from '../usage-error.ts';
import { createRunTools } from './run-tool.ts';
import { createMcpServer } from './server.ts';
import { McpSessions, refuseInput } from './sessions.ts';

/** The first message of a client that shows forms; newer ones say it with each request. */
const initializeSchema = z.looseObject({
  method: z.literal('initialize'),
  params: z.looseObject({ capabilities: z.looseObject({ elicitation: z.looseObject({}) }) }),
});

export interface McpValues extends ConnectionValues {
  readonly allowExecute?: true;
}

/**
 * Serves until standard input ends or the signal of the context fires; an action that was sent is then waited for, and
 * its outcome printed on standard error. The manifest is that of the extension, which describes the tools. Rejects with
 * UsageError if actions are allowed on production.
 */
export async function serveMcp(
  context: CommandContext,
  values: McpValues,
  { version, describeTools }: Manifest,
): Promise<void> {
  refuseInput(values);
  const sessions = await McpSessions.open(context, values);
  const closing = new AbortController();
  let hasForms = false;
  try {
    const { active } = sessions;
    if (values.allowExecute === true && active !== undefined) refuseProduction(active.profile);
    const note = (sentence: string): void => context.output.note(sentence);
    const runTools = values.allowExecute === true ? createRunTools({ stopped: context.signal, note }) : undefined;
    const options: Parameters<typeof createMcpServer>[0] = {
      version,
      sessions,
      descriptions: describeTools(),
      note,
      runTools: runTools?.tools ?? [],
      hasForms: () => hasForms,
      closing: closing.signal,
    };
    const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
    const transport = new StdioServerTransport();
    const ended = new Promise<void>((resolve) => {
      context.stdin.once('close', resolve).once('end', resolve);
      context.signal.addEventListener('abort', () => resolve());
    });
    let problem = 'the client is gone';
    const handle = serveStdio(() => createMcpServer(options), {
      transport,
      onerror: ({ message }) => {
        problem = message.startsWith('ReadBuffer exceeded') ? 'it sent a message over 10 MB' : message;
      },
    });
    // The SDK closes the transport, and not standard input, for a message that is too long.
    const { onclose, onmessage } = transport;
    transport.onmessage = (message) => {
      hasForms ||= z.safeParse(initializeSchema, message).success;
      onmessage?.(message);
    };
    const failed = new Promise<string>((resolve) => {
      transport.onclose = () => {
        onclose?.();
        resolve(problem);
      };
    });
    const failure = await Promise.race([ended, failed]);
    closing.abort();
    await runTools?.close();
    await handle.close();
    if (failure !== undefined && !context.stdin.readableEnded && !context.signal.aborted)
      throw new CommandError(`The connection to the agent was closed: ${failure}`);
  } finally {
    await sessions.close();
  }
}

/** Throws UsageError. */
function refuseProduction(profile: Profile): void {
  if (!mayBeProduction(profile)) return;
  const { name, environment } = profile;
  throw new UsageError(
    environment === 'production'
      ? `${name} is production: --allow-execute is refused`
      : `The environment of ${name} is not specified: --allow-execute requires --environment, and refuses production`,
  );
}
