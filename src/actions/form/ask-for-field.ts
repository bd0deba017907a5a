import * as l10n from '@vscode/l10n';
import { COLUMN_TYPE_LABELS } from '../../webviews/protocol/bulk.ts';
import type { Ui } from '../../ui/ui.ts';

interface NewField {
  readonly name: string;
  /** its first value as JSON, which decides its control */
  readonly json: string;
}

/** Asks for the name and the type of a new field. Resolves with `undefined` if the user cancels. Never rejects. */
export async function askForField(ui: Ui, exists: (name: string) => boolean): Promise<NewField | undefined> {
  const title = l10n.t('Add Field');
  const name = await ui.input({
    title,
    prompt: l10n.t('Name of the field'),
    validateInput: (text) => {
      if (text.trim() === '' || text.length > 300) return l10n.t('Enter a name of at most 300 characters');
      return exists(text.trim()) ? l10n.t('This field exists already. Enter another name') : undefined;
    },
  });
  if (name === undefined) return undefined;
  const { text, number, boolean, date } = COLUMN_TYPE_LABELS;
  const types = [
    { label: text, json: '""' },
    { label: number, json: '0' },
    { label: boolean, json: 'false' },
    { label: date, json: JSON.stringify(new Date().toISOString().slice(0, 10)) },
    { label: 'JSON', description: l10n.t('object or list'), json: '{}' },
  ];
  const type = await ui.pick(types, { title, placeHolder: l10n.t('Type of {0}', name.trim()) });
  return type && { name: name.trim(), json: type.json };
}
