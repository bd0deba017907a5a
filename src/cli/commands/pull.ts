/** `pull FOLDER`: templates and faces of an organization as files. */
import path from 'node:path';
import { compareFolder, pullFiles, requireManifest, type FileStatus } from '../../environments/folder/pull.ts';
import { readOrganization } from '../../environments/folder/read-organization.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { PlatformError } from '../../platform/errors.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { CommandError, type CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { sanitizeTerminalLine } from '../output/sanitize.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';

export interface PullValues extends ConnectionValues {
  readonly organization?: string;
  readonly check?: boolean;
}

function describe({ state, platform, local }: FileStatus): string {
  if (state === 'both') return 'changed on both sides';
  const isDeleted = (state === 'platform' ? platform : local) === undefined;
  return `${isDeleted ? 'deleted' : 'changed'} ${state === 'platform' ? 'on the platform' : 'in the folder'}`;
}

/**
 * Pulls what changed on the platform, and prints the files that were written or differ; with `--check` writes nothing.
 * Resolves with false if something could not be read or written, if a file changed on both sides, or if with `--check` any
 * differs. Rejects as `withConnection` does, before it sends anything for a folder that cannot be used, and with CommandError if the
 * manifest cannot be written.
 */
export async function pull(
  context: CommandContext,
  folder: string,
  { organization, check = false, ...values }: PullValues,
): Promise<boolean> {
  const { output, signal } = context;
  const root = path.resolve(context.cwd, folder);
  return withConnection(context, values, 'Pull', async ({ client, profile }) => {
    const [only, ...others] = profile.organizations;
    const id = organization ?? (others.length === 0 ? only?.id : undefined);
    if (id === undefined) throw new UsageError('--organization is missing: specify the ID of an organization');
    const { environment } = profile;
    const target = { organization: id, ...(environment !== undefined && { environment }) };
    const { files: pulled } = await requireManifest(root, target).catch((error: unknown) => {
      throw new UsageError(getErrorMessage(error));
    });
    const platform = await readOrganization(client, id, { pulled, signal });
    try {
      const statuses = await compareFolder(root, target, platform);
      const { written, failed } = check
        ? { written: [], failed: new Map<string, string>() }
        : await pullFiles(root, target, statuses);
      const isWritten = new Set<string>(written);
      const print = (file: string, label: string): Promise<unknown> =>
        output.write(`${sanitizeTerminalLine(`${toPlainText(file, 300)}: ${toPlainText(label, 300)}`)}\n`);
      const differing = statuses.filter(({ state, entry }) => state !== 'current' && !isWritten.has(entry.file));
      for (const file of written) await print(file, 'pulled');
      for (const status of differing) {
        const { entry, problem } = status;
        await print(entry.file, problem === undefined ? describe(status) : `${describe(status)} (${problem})`);
      }
      for (const [what, reason] of [...platform.unread, ...failed]) output.note(toPlainText(`${what}: ${reason}`, 300));
      const isDone = platform.unread.size === 0 && failed.size === 0;
      return isDone && !differing.some(({ state }) => check || state === 'both');
    } catch (error) {
      if (error instanceof PlatformError) throw error;
      throw new CommandError(getErrorMessage(error));
    }
  });
}
