/** The edits of an action file that a change in its form makes. They change that value only, and keep comments. */
import type { Node } from 'jsonc-parser';
import * as l10n from '@vscode/l10n';
import { parseTree, type ParseError } from 'jsonc-parser';
import { TEXT_TYPES, type FieldType } from '../../webviews/protocol/form.ts';
import { getMember, getProperty, getSpan, parseActionFile, type ActionFile } from '../file/action-file.ts';
import { formatSampleAction, getActionKind } from '../file/action-kinds.ts';
import { applyEdits, getLineIndent, insertMembers, removeMembers, type Edit } from '../file/json-edits.ts';
import { findValue, getValueText } from './form-model.ts';

/** As in JSON. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Sets a field to the JSON text `json`, or adds it. No edits if one of the objects around it is another value. */
export function setField(file: ActionFile, path: readonly string[], json: string): readonly Edit[] {
  let object = file.entries[0]?.value;
  for (const [index, name] of path.entries()) {
    if (object?.type !== 'object') return [];
    const value = getProperty(object, name);
    const rest = path.slice(index + 1);
    const nested = rest.reduceRight((inner, key) => `{ ${JSON.stringify(key)}: ${inner} }`, json);
    if (value === undefined) return insertMembers(file.text, object, `${JSON.stringify(name)}: ${nested}`);
    if (rest.length === 0 || value.type === 'null') return [{ ...getSpan(value), text: nested }];
    object = value;
  }
  return [];
}

/** Removes a field. */
export function removeField(file: ActionFile, path: readonly string[]): readonly Edit[] {
  const parent = findValue(file.entries[0]?.value, path.slice(0, -1));
  const members = getMembers(parent, path.at(-1) ?? '');
  return parent === undefined || members.length === 0 ? [] : removeMembers(file.text, parent, members);
}

/** A name can be repeated: the last one counts, and removing it must not bring another one into effect. */
function getMembers(object: Node | undefined, name: string): readonly Node[] {
  return (object?.children ?? []).filter((member) => member.children?.[0]?.value === name);
}

/**
 * Returns the edits for a text that was entered into a field of a type. An empty text removes an optional field and each
 * value that is no text. Throws Error with the next step for a text that is no such value.
 */
export function setFieldText(
  file: ActionFile,
  path: readonly string[],
  type: FieldType,
  entered: string,
): readonly Edit[] {
  const text = entered.trim();
  const isText = TEXT_TYPES.has(type);
  const fields = getActionKind(file.entries[0]?.kind ?? '')?.fields ?? [];
  const field = path.length === 1 ? fields.find(({ name }) => name === path[0]) : undefined;
  if (text === '' && (!isText || field?.optional === true)) return removeField(file, path);
  // A pasted id may have spaces around it.
  if (isText) {
    // The form enters the line breaks of Unix.
    const withBreaks = getValueText(file, path).includes('\r\n') ? entered.replaceAll('\n', '\r\n') : entered;
    return setField(file, path, JSON.stringify(field?.ids === undefined ? withBreaks : text));
  }
  // A variable can stand for any value.
  if (/\$\{[^{}]+\}/.test(text) && type !== 'json') return setField(file, path, JSON.stringify(text));
  if (type === 'number' && !NUMBER.test(text))
    throw new Error(l10n.t('Enter a number, such as 1 or 0.5, or a variable'));
  if (type === 'boolean' && text !== 'true' && text !== 'false') throw new Error(l10n.t('Select true or false'));
  if (type === 'json') {
    const errors: ParseError[] = [];
    const node = parseTree(text, errors, { allowTrailingComma: true });
    if (node === undefined || errors.length > 0)
      throw new Error(l10n.t('Enter a JSON value, with text in double quotes'));
    // The form shows it without the indentation of its line.
    const written = findValue(file.entries[0]?.value, path);
    if (written !== undefined)
      return setField(file, path, text.replaceAll('\n', `\n${getLineIndent(file.text, written.offset)}`));
  }
  return setField(file, path, text);
}

/**
 * Changes the kind of action: fields that only the former kind has are removed, missing ones of the new kind are added, and
 * all others stay as they are.
 */
export function setKind(file: ActionFile, kind: string): readonly Edit[] {
  const [entry] = file.entries;
  if (file.action?.type !== 'object') return [];
  if (entry === undefined) return insertMembers(file.text, file.action, formatSampleAction(kind).slice(2, -2));
  const before = getActionKind(entry.kind)?.fields ?? [];
  const fields = getActionKind(kind)?.fields ?? [];
  const dropped = before.filter(({ name }) => fields.every((field) => field.name !== name));
  const missing = fields.filter(
    ({ name, optional }) => optional !== true && getMember(entry.value, name) === undefined,
  );
  const changes: readonly ((file: ActionFile) => readonly Edit[])[] = [
    ({ entries: [one] }) => (one === undefined ? [] : [{ ...getSpan(one.key), text: JSON.stringify(kind) }]),
    ...dropped.map(
      ({ name }) =>
        (one: ActionFile) =>
          removeField(one, [name]),
    ),
    ...missing.map(
      ({ name, sample }) =>
        (one: ActionFile) =>
          setField(one, [name], sample),
    ),
  ];
  const text = changes.reduce((now, change) => applyEdits(now, change(parseActionFile(now))), file.text);
  return [{ offset: 0, length: file.text.length, text }];
}
