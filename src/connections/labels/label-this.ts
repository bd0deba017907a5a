/** Label This…: gives an address, account name or id a label, in settings or in the file that is shared. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { getLabelProblem, getValueProblem, type LabelSource } from '../../model/text/labels.ts';
import { parseOrganization, parseResource } from '../../model/resources/parse-argument.ts';
import { splitResourceId } from '../../model/resources/resource-uri.ts';
import { maskText } from '../../platform/json/secrets.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { getLabelStore, type LabelStore } from './label-store.ts';

/** Characters of which addresses, account names and ids consist. */
const WORD = /[\w\-.:@+]+/;
/** An address or id by its shape; other words at the cursor are offered for editing. */
const LIKELY_VALUE = /^(?:0x[\da-f]{8,}|(?=\S*\d)[\w\-.:@+]{12,})$/i;

/**
 * Asks for the label of the argument, of the text at the cursor, or of a value to be typed. Rejects with Error for a
 * secret, and if the label cannot be stored.
 */
export async function labelThis(services: Services, argument?: unknown): Promise<void> {
  const store = getLabelStore(services);
  const { ui } = services;
  const value = await resolveValue(services, argument);
  if (value === undefined) return;
  if (maskText(value, services.knownSecrets()) !== value)
    throw new Error(l10n.t('This is a credential. Credentials can’t be labeled'));
  const known = store.get(value);
  const title = l10n.t('Label {0}', toPlainText(value, 60));
  const typed = await ui.input({
    title,
    value: known?.text ?? '',
    prompt:
      known === undefined
        ? l10n.t('The label is shown beside this value.')
        : l10n.t('Leave empty to remove the label.'),
    validateInput: (text) =>
      known !== undefined && text.trim() === '' ? undefined : getLabelProblem(text, known?.source),
  });
  const text = typed?.trim();
  if (text === undefined || text === known?.text) return;
  const source = known?.source ?? (await pickLabelSource(services, store, title));
  if (source !== undefined) await store.write([[known?.value ?? value, text]], source);
}

/** Asks where labels are stored; the user's settings without asking if there is no trusted folder. Never rejects. */
export async function pickLabelSource(
  { ui }: Pick<Services, 'ui'>,
  store: LabelStore,
  title: string,
): Promise<LabelSource | undefined> {
  const [ownFile, sharedFile] = [store.getFileName('userFile'), store.getFileName('file')];
  if (vscode.workspace.workspaceFolders === undefined || !vscode.workspace.isTrusted) return 'user';
  const choices: readonly (vscode.QuickPickItem & { readonly source: LabelSource })[] = [
    { label: l10n.t('User Settings'), description: l10n.t('in all your workspaces'), source: 'user' },
    ...(ownFile === undefined
      ? []
      : [{ label: toPlainText(ownFile), description: l10n.t('your own file'), source: 'userFile' } as const]),
    { label: l10n.t('Workspace Settings'), description: l10n.t('in this workspace'), source: 'workspace' },
    ...(sharedFile === undefined
      ? []
      : [
          {
            label: toPlainText(sharedFile),
            description: l10n.t('shared with the files of this workspace'),
            source: 'file',
          } as const,
        ]),
  ];
  return (await ui.pick(choices, { title, placeHolder: l10n.t('Select where to store it') }))?.source;
}

async function resolveValue({ ui }: Services, argument: unknown): Promise<string | undefined> {
  const resource = parseResource(argument);
  const given =
    resource === undefined
      ? (parseOrganization(argument) ?? (typeof argument === 'string' ? argument : undefined))
      : splitResourceId(resource.kind, resource.id).at(-1);
  const found = given ?? readAtCursor();
  if (found !== undefined && getValueProblem(found) === undefined && (given !== undefined || LIKELY_VALUE.test(found)))
    return found;
  const typed = await ui.input({
    title: l10n.t('Label This'),
    value: found ?? '',
    prompt: l10n.t('An address, account name or ID'),
    validateInput: (text) => getValueProblem(text.trim()),
  });
  return typed?.trim();
}

/** The selected text, or the word at the cursor. */
function readAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  const range = selection.isEmpty ? document.getWordRangeAtPosition(selection.active, WORD) : selection;
  return range?.isSingleLine === true ? document.getText(range).replace(/^["'\s]+|["'\s]+$/g, '') : undefined;
}
