/** `mcp`: serves agents over standard input and output. */
import { isRefusedTarget } from '../../agents/run-tool.ts';
import type { Profile } from '../../model/session/session.ts';
import { CommandError, type CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { createToolSession } from '../connection/tool-session.ts';
import type { Manifest } from '../manifest.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';
import { createRunTool } from './run-tool.ts';
import { createMcpServer } from './server.ts';

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
  if (values.apiKeyStdin === true || values.accessTokenStdin === true)
    throw new UsageError('Standard input is used for the protocol: specify the credential in the environment');
  await withConnection(context, values, 'Serve MCP', async (connection) => {
    const { profile, secrets } = connection;
    if (values.allowExecute === true) refuseProduction(profile);
    const session = createToolSession(connection, context.signal);
    const note = (sentence: string): void => {
      context.output.note(sentence);
    };
    const runTool =
      values.allowExecute === true ? createRunTool(connection, { stopped: context.signal, note }) : undefined;
    const options = {
      version,
      context: { sessions: () => [session], active: () => session, secrets: () => secrets, getSigner: () => undefined },
      descriptions: describeTools(),
      note,
      ...(runTool && { runTool: runTool.tool }),
    };
    const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
    const transport = new StdioServerTransport();
    const ended = new Promise<void>((resolve) => {
      context.stdin.once('close', resolve).once('end', resolve);
      context.signal.addEventListener('abort', () => {
        resolve();
      });
    });
    let problem = 'the client is gone';
    const handle = serveStdio(() => createMcpServer(options), {
      transport,
      onerror: ({ message }) => {
        problem = message.startsWith('ReadBuffer exceeded') ? 'it sent a message over 10 MB' : message;
      },
    });
    // The SDK closes the transport, and not standard input, for a message that is too long.
    const { onclose } = transport;
    const failed = new Promise<string>((resolve) => {
      transport.onclose = () => {
        onclose?.();
        resolve(problem);
      };
    });
    const failure = await Promise.race([ended, failed]);
    await runTool?.close();
    await handle.close();
    if (failure !== undefined && !context.stdin.readableEnded && !context.signal.aborted)
      throw new CommandError(`The connection to the agent was closed: ${failure}`);
  });
}

/** Throws UsageError. */
function refuseProduction(profile: Profile): void {
  if (!isRefusedTarget(profile)) return;
  const { name, environment } = profile;
  throw new UsageError(
    environment === 'production'
      ? `${name} is production: --allow-execute is refused`
      : `The environment of ${name} is not specified: --allow-execute requires --environment, and refuses production`,
  );
}
