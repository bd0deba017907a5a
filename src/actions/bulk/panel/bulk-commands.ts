import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Services } from '../../../commands/context.ts';
import { requireSession } from '../../../model/session/require-session.ts';
import { ACTION_FILES, EXCLUDED_FILES, getActionName, MAX_FILES } from '../../file/file-names.ts';
import type { ActionSource } from '../../file/action-source.ts';
import { openNewFile, type ActionFileCreator } from '../../language/new-action-file.ts';
import { getSources } from '../../run/sources.ts';
import { dataFileExtensions } from '../data/open-data.ts';
import { parseSelectedResources } from './panel-selection.ts';
import type { BulkPanels } from './panels.ts';
import { compareTexts } from '../../../platform/text/localization.ts';

/** What the commands use of the actions feature. */
interface BatchFeature {
  readonly services: Services;
  readonly bulkPanels: () => Promise<BulkPanels>;
  readonly fileCreator: () => Promise<ActionFileCreator>;
}

/**
 * Opens a batch of an action file over a data file; nothing is sent before its panel asks. Rejects with Error if there
 * is no such file.
 */
export async function runWithData(
  { services: { sessions, ui }, bulkPanels }: Omit<BatchFeature, 'fileCreator'>,
  argument: unknown,
  data: unknown,
): Promise<void> {
  const [source] = await getSources(ui, argument, undefined, ACTION_FILES);
  if (source === undefined) return;
  const uri = data instanceof vscode.Uri ? data : await pickDataFile(ui, source);
  if (uri === undefined) return;
  const session = await sessions.getOrPickActive(l10n.t('Run {0}', source.name));
  if (session !== undefined) await (await bulkPanels()).openFile(source, uri, session);
}

/**
 * Opens a batch of an action over selected resources; nothing is sent before its panel asks. Rejects with Error for a
 * mixed selection.
 */
export async function runOnSelection(
  { services: { sessions, ui }, bulkPanels, fileCreator }: BatchFeature,
  argument: unknown,
  selected: unknown,
): Promise<void> {
  const selection = parseSelectedResources(argument, selected);
  if (selection === undefined) {
    await vscode.commands.executeCommand('smartObjects.openTable');
    void ui.info(l10n.t('To use Run Action on Selection, first select rows of the table.'));
    return;
  }
  const session = requireSession(sessions, selection.connection);
  const choices = await listActionFiles();
  const isNew = { label: l10n.t('$(new-file) New Action File…'), alwaysShow: true, uri: undefined };
  const chosen = await ui.pick([...choices, isNew], {
    title: l10n.t('Select an Action to Run on {0}', selection.name),
    placeHolder: l10n.t('Placeholders such as {0} are replaced with the values of each row', '${row:id}'),
    matchOnDescription: true,
  });
  if (chosen === undefined) return;
  const document =
    chosen.uri === undefined
      ? await createDocument(await fileCreator(), selection.kind)
      : await vscode.workspace.openTextDocument(chosen.uri);
  if (document === undefined) return;
  const source = { name: getActionName(document.uri.path), uri: document.uri, text: document.getText() };
  await (await bulkPanels()).openSelection(source, selection, session, chosen.uri === undefined);
}

async function createDocument(creator: ActionFileCreator, kind: string): Promise<vscode.TextDocument | undefined> {
  const text = await creator.createForRows(kind);
  return text === undefined ? undefined : openNewFile(text);
}

async function listActionFiles(): Promise<readonly (vscode.QuickPickItem & { readonly uri: vscode.Uri })[]> {
  const files = await vscode.workspace.findFiles(ACTION_FILES, EXCLUDED_FILES, MAX_FILES);
  return Promise.all(
    files
      .sort((a, b) => compareTexts(a.path, b.path))
      .map(async (uri) => {
        const bytes = await Promise.resolve(vscode.workspace.fs.readFile(uri)).catch(() => new Uint8Array());
        const usesRows = new TextDecoder().decode(bytes).includes('${row:');
        const path = vscode.workspace.asRelativePath(uri);
        const mark = usesRows ? [] : [l10n.t('same request for each row')];
        return { label: getActionName(uri.path), description: [path, ...mark].join(' · '), uri };
      }),
  );
}

/** Data files of the workspace, that of the action first. */
async function pickDataFile(ui: Services['ui'], { name }: ActionSource): Promise<vscode.Uri | undefined> {
  const pattern = `**/*.{${dataFileExtensions.join(',')}}`;
  const found = await vscode.workspace.findFiles(pattern, EXCLUDED_FILES, MAX_FILES);
  const files = found.filter(({ path }) => !/\.(?:actions?|expect|face)\.json$|\/\.[^/]+\//.test(path));
  if (files.length === 0)
    throw new Error(l10n.t('The workspace has no data file: add a CSV, NDJSON or JSON file beside the action file'));
  const getRank = (uri: vscode.Uri): number =>
    getBaseName(uri).replace(/\.\w+$/, '') === name ? 0 : uri.path.endsWith('.json') ? 2 : 1;
  const choices = files
    .sort((a, b) => getRank(a) - getRank(b) || compareTexts(a.path, b.path))
    .map((uri) => ({ label: getBaseName(uri), description: vscode.workspace.asRelativePath(uri), uri }));
  const title = l10n.t('Select a Data File for {0}', name);
  return (await ui.pick(choices, { title, matchOnDescription: true }))?.uri;
}

function getBaseName({ path }: vscode.Uri): string {
  return path.split('/').at(-1) ?? path;
}
