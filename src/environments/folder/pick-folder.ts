/** The folder of the workspace that the files of an organization are in. */
import * as l10n from '@vscode/l10n';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { isInside } from '../../model/files/read-workspace-file.ts';
import { toFileName } from '../../model/pulled/file-names.ts';
import { formatOrganization } from '../../model/text/heading.ts';
import type { Organization } from '../../model/session/session.ts';
import type { PullTarget } from './pull.ts';

const STORED_FOLDERS = 'smartObjects.pulledFolders';

/**
 * The folder of an organization: asks for it, with the last one as default, or uses that without asking if `mayAsk` is
 * false and there is one. `undefined` if cancelled. Rejects with Error for a folder outside the workspace.
 */
export async function pickPulledFolder(
  { context, ui }: Services,
  target: PullTarget,
  organization: Organization,
  mayAsk: boolean,
): Promise<vscode.Uri | undefined> {
  const key = `${target.environment ?? ''}/${target.organization}`;
  const stored = context.workspaceState.get<Readonly<Record<string, string>>>(STORED_FOLDERS, {});
  const { [key]: last } = stored;
  const lastUri = last === undefined ? undefined : vscode.Uri.parse(last);
  const lastFolder = lastUri && vscode.workspace.getWorkspaceFolder(lastUri);
  if (lastUri !== undefined && lastFolder !== undefined && !mayAsk) {
    await requireInside(lastFolder.uri.fsPath, lastUri.fsPath);
    return lastUri;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) throw new Error(l10n.t('Open a folder of this computer first'));
  const title = l10n.t('Pull {0}', formatOrganization(organization));
  const folder =
    lastFolder ??
    (folders.length === 1
      ? folders[0]
      : (
          await ui.pick(
            folders.map((each) => ({ label: each.name, folder: each })),
            { title, placeHolder: l10n.t('Select a folder of the workspace') },
          )
        )?.folder);
  if (folder === undefined) return undefined;
  const base = folder.uri.fsPath;
  const name = await ui.input({
    title,
    prompt: l10n.t('Folder for templates and faces, in {0}', folder.name),
    value:
      lastUri === undefined
        ? `platform/${toFileName(formatOrganization(organization))}`
        : path.relative(base, lastUri.fsPath).split(path.sep).join('/') || '.',
    validateInput: (text) =>
      text.trim() === '' || path.isAbsolute(text.trim()) || !isInside(base, path.resolve(base, text.trim()))
        ? l10n.t('Enter a path in {0}', folder.name)
        : undefined,
  });
  if (name === undefined) return undefined;
  const root = path.resolve(base, name.trim());
  await requireInside(base, root);
  const uri = vscode.Uri.file(root);
  await context.workspaceState.update(STORED_FOLDERS, { ...stored, [key]: uri.toString() });
  return uri;
}

/** Rejects with Error if a link leads the path, or the part of it that exists, out of the workspace folder. */
async function requireInside(base: string, root: string): Promise<void> {
  let existing = root;
  let real: string | undefined;
  while (real === undefined) {
    real = await fs.realpath(existing).catch(() => undefined);
    // A link to nothing exists, though what it leads to does not.
    const isLink = real === undefined && (await fs.lstat(existing).catch(() => undefined)) !== undefined;
    if (isLink || existing === path.dirname(existing)) break;
    existing = path.dirname(existing);
  }
  if (real === undefined || !isInside(base, root) || !isInside(await fs.realpath(base), real))
    throw new Error(l10n.t('The folder is outside the workspace folder'));
}
