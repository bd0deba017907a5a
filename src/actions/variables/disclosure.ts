import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import { formatList, pluralize, quote } from '../../platform/text/localization.ts';
import type { ActionFile } from '../file/action-file.ts';
import type { ActionSource } from '../file/action-source.ts';
import { getActionName } from '../file/file-names.ts';
import { getDistinctVariables, type Variable } from '../file/variables.ts';
import { getStoredInputs } from './stored-variables.ts';
import { getVariableRoot } from './workspace-variables.ts';

/** What a run sends besides the text of its file. */
export interface Disclosure {
  /** a sentence each */
  readonly lines: readonly string[];
  /** the same for comparisons: not in the display language, and may contain values of inputs */
  readonly facts: readonly string[];
}

interface Disclosed {
  readonly text: string;
  readonly facts: readonly string[];
}

/** Names every variable of a file: inputs with their value, files with their real path. Never rejects. */
export async function getDisclosure(
  { context }: Pick<Services, 'context'>,
  file: ActionFile,
  source: ActionSource,
): Promise<Disclosure> {
  const inputs = getStoredInputs(context);
  const variables = getDistinctVariables(file);
  const columns = formatColumns(variables.flatMap(({ kind, name }) => (kind === 'row' ? [formatLine(name, 300)] : [])));
  const describe = async ({ kind, name }: Variable): Promise<Disclosed> => {
    const label = formatLine(name, 300);
    const facts = [kind, name];
    switch (kind) {
      case 'row':
        return { text: columns, facts };
      case 'file': {
        const file = await describeFile(source, name);
        return { text: l10n.t('the content of the file {0}', file.text), facts: [...facts, ...file.facts] };
      }
      case 'env':
        return { text: l10n.t('the environment variable {0}', label), facts };
      case 'secret':
        return { text: l10n.t('the secret {0}', label), facts };
      case 'input': {
        const value = inputs.get(name) ?? '';
        return { text: l10n.t('the input {0} ({1})', label, formatLine(value, 80)), facts: [...facts, value] };
      }
      case 'run':
        return { text: l10n.t('the result {0}', label), facts };
    }
  };
  const disclosed = await Promise.all(variables.map(describe));
  if (disclosed.length === 0) return { lines: [], facts: [] };
  const from = formatLine(formatSource(source), 300);
  // All columns are named at once, by the same words for each.
  const texts = [...new Set(disclosed.map(({ text }) => text))];
  return {
    lines: [l10n.t('{0} sends: {1}', from, formatList(texts, 'unit'))],
    facts: [from, ...disclosed.map(({ facts }) => JSON.stringify(facts))],
  };
}

/** `the columns “id”, “name”, and “to” of the data` */
function formatColumns(names: readonly string[]): string {
  const list = formatList(names.map(quote));
  return pluralize(names.length, l10n.t('the column {1} of the data|the columns {1} of the data'), list);
}

/** The path in the workspace, since two files can have the same name. */
function formatSource({ name, uri }: ActionSource): string {
  if (uri?.scheme !== 'file') return name;
  const path = vscode.workspace.asRelativePath(uri);
  return getActionName(uri.path) === name ? path : `${name} (${path})`;
}

/** The file that a variable names, with the real one if a link leads elsewhere. */
async function describeFile(source: ActionSource, name: string): Promise<Disclosed> {
  const { uri } = source;
  if (uri?.scheme !== 'file') return { text: formatLine(name, 300), facts: [] };
  const path = formatLine(vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..', name)), 300);
  const plain = { text: path, facts: [path] };
  const root = getVariableRoot(source);
  if (root?.uri.scheme !== 'file') return plain;
  try {
    const { getWorkspacePaths } = await import('../../model/files/read-workspace-file.ts');
    const paths = await getWorkspacePaths(root.uri.fsPath, uri.fsPath, name);
    if (paths.real === paths.requested) return plain;
    const text = l10n.t('{0} (through the link {1})', formatLine(paths.real, 300), path);
    return { text, facts: [path, paths.real] };
  } catch {
    // Reading it will fail for the same reason, and then nothing is sent.
    return plain;
  }
}
