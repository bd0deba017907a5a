/** `generate TEMPLATE…`: a TypeScript client of templates. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { generateClient, readClientTemplate } from '../../actions/client/generate-client.ts';
import { replaceFile } from '../../model/files/write-file.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { CommandError, type CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';

export interface GenerateValues extends ConnectionValues {
  readonly out?: string;
  readonly check?: boolean;
}

/**
 * Writes the client to `--out`, or prints it; with `--check` compares it with that file. Resolves with false if the file
 * is not current. Rejects as `withConnection` does, and with CommandError if the file cannot be written.
 */
export async function generate(
  context: CommandContext,
  ids: readonly string[],
  { out, check = false, ...values }: GenerateValues,
): Promise<boolean> {
  if (check && out === undefined) throw new UsageError('--check requires --out FILE');
  const templates = await withConnection(context, values, 'Read templates', async ({ client }) => {
    const read: Awaited<ReturnType<typeof readClientTemplate>>[] = [];
    for (const id of new Set(ids)) read.push(await readClientTemplate(client, id, context.signal));
    return read;
  });
  const text = generateClient(templates);
  if (out === undefined) {
    await context.output.writeContent(text);
    return true;
  }
  const file = path.resolve(context.cwd, out);
  if (check) {
    const present = await fs.readFile(file, 'utf8').catch(() => undefined);
    // Version control may change line ends.
    const isCurrent = text === present?.replaceAll('\r\n', '\n');
    if (!isCurrent) context.output.note(`${out} is not current: generate it again`);
    return isCurrent;
  }
  await replaceFile(file, text).catch((error: unknown) => {
    throw new CommandError(`Write ${out}: ${getErrorMessage(error)}`);
  });
  return true;
}
