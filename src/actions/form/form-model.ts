/** The fields of the form of an action file. */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { getOwn, isObject, type JsonObject } from '../../platform/json/json.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { formatPair } from '../../platform/text/localization.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import {
  MAX_FIELDS,
  MAX_NAME_LENGTH,
  MAX_VALUE_LENGTH,
  type FieldType,
  type FormField,
  type FormGroup,
  type FormMessage,
} from '../../webviews/protocol/form.ts';
import { getProperty, type ActionFile } from '../file/action-file.ts';
import { getActionKind, type ActionField } from '../file/action-kinds.ts';
import type { Finding } from '../file/findings.ts';
import { getLineIndent } from '../file/json-edits.ts';

/** Labels of the fields that actions have. */
const labels: Readonly<Record<string, string>> = {
  id: l10n.t('Object'),
  to: l10n.t('Owner'),
  template_id: l10n.t('Template'),
  num: l10n.t('Number'),
  latitude: l10n.t('Latitude'),
  longitude: l10n.t('Longitude'),
  data: l10n.t('Data'),
};

/** An entered text that is no value of its field, which the file therefore does not contain. */
export interface Draft {
  readonly path: readonly string[];
  readonly text: string;
  /** the value of the file, which another text there replaces */
  readonly written: string;
  /** what to enter instead, without the full stop */
  readonly problem: string;
}

/** What the form shows beside the values of the file. */
export interface FormContext {
  /** the object that the action names, as it is now */
  readonly object?: JsonObject | undefined;
  /** that of the object or of the action */
  readonly template?: JsonObject | undefined;
  readonly findings: readonly Finding[];
  /** by the key of the path */
  readonly drafts: ReadonlyMap<string, Pick<Draft, 'text' | 'problem'>>;
  /** a readable name of an id */
  getName(id: string): string | undefined;
  /** whether a text contains a known secret */
  hasSecret(text: string): boolean;
}

export interface Form {
  readonly kind: string;
  readonly groups: readonly FormGroup[];
  /** findings that are not about a field */
  readonly messages: readonly FormMessage[];
}

/** A string that is identical for equal paths only. */
export function formatPathKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Creates the form of a file; `undefined` if it cannot be parsed, or its action has another shape. */
export function createForm(file: ActionFile, context: FormContext): Form | undefined {
  const [entry] = file.entries;
  if (
    file.problems.length > 0 ||
    file.action?.type !== 'object' ||
    (entry?.kind ?? '').length > MAX_NAME_LENGTH ||
    (entry?.value !== undefined && entry.value.type !== 'object')
  )
    return undefined;
  const builder = new FormBuilder(file, context);
  const groups = entry === undefined ? [] : builder.createGroups();
  return { kind: entry?.kind ?? '', groups, messages: builder.getOtherMessages() };
}

/** Shows the messages of `former` at fields whose value is still the same: checking against the platform takes a moment. */
export function retainMessages(form: Form, former: Form): Form {
  if (form.kind !== former.kind) return form;
  const before = new Map(
    former.groups.flatMap(({ fields }) => fields).map((field) => [formatPathKey(field.path), field]),
  );
  const groups = form.groups.map((group) => ({
    ...group,
    fields: group.fields.map((field) => {
      const same = before.get(formatPathKey(field.path));
      const isSame = same?.value === field.value && same.isSet === field.isSet;
      return isSame ? { ...field, messages: same.messages } : field;
    }),
  }));
  return { ...form, groups, messages: former.messages };
}

/** The first error of a form, after the label of its field; empty if it has none. */
export function getFirstError({ groups, messages }: Form): string {
  const ofFields = groups.flatMap(({ fields }) =>
    fields.flatMap(({ label, messages: own }) => own.map((one) => ({ ...one, text: formatPair(label, one.text) }))),
  );
  return [...messages, ...ofFields].find(({ severity }) => severity === 'error')?.text ?? '';
}

/** The value of a field of the action, and of objects in it. */
export function findValue(root: Node | undefined, path: readonly string[]): Node | undefined {
  return path.reduce(getProperty, root);
}

/** A string as its value, any other value as its JSON, without the indentation of its first line; empty if there is none. */
export function getValueText({ text, entries: [entry] }: ActionFile, path: readonly string[]): string {
  const node = findValue(entry?.value, path);
  if (node === undefined) return '';
  const { offset, length, type } = node;
  return type === 'string'
    ? String(node.value)
    : text.slice(offset, offset + length).replaceAll(`\n${getLineIndent(text, offset)}`, '\n');
}

/** Returns the drafts of fields whose value in the file was changed since, by a text edit or by Undo. */
export function listOutdatedDrafts(file: ActionFile, drafts: Iterable<Draft>): readonly Draft[] {
  return file.problems.length > 0
    ? []
    : [...drafts].filter(({ path, written }) => getValueText(file, path) !== written);
}

class FormBuilder {
  readonly #file: ActionFile;
  readonly #context: FormContext;
  readonly #root: Node | undefined;
  readonly #fields: readonly ActionField[];
  readonly #shown = new Set<Finding>();
  #count = 0;

  constructor(file: ActionFile, context: FormContext) {
    const [entry] = file.entries;
    this.#file = file;
    this.#context = context;
    this.#root = entry?.value;
    this.#fields = getActionKind(entry?.kind ?? '')?.fields ?? [];
  }

  createGroups(): readonly FormGroup[] {
    const data = getProperty(this.#root, 'data');
    const dataField = this.#fields.find(({ name }) => name === 'data');
    // Data that is a variable is one field.
    const hasGroups = data === undefined ? dataField !== undefined : data.type === 'object';
    const isNamed = (name: string): boolean => name === 'data' && hasGroups;
    const known = this.#fields.map(({ name }) => name);
    const names = distinct([...known, ...getNames(this.#root)]).filter((name) => !isNamed(name));
    const groups: FormGroup[] = [{ title: '', fields: this.#createFields([], names) }];
    if (!hasGroups) return groups;
    // The contract names `metadata` and `custom` of objects; other services have data of their own.
    const parts = dataField?.sample === '{}' ? [] : ['metadata', 'custom'];
    for (const part of parts) {
      const node = findValue(data, [part]);
      if (node !== undefined && node.type !== 'object') continue;
      const present = this.#getPresent(['data', part]);
      const standard = part === 'metadata' ? ['name', 'description', 'category'] : [];
      // In an order that does not change while a value is typed: those of the file alone come last.
      const members = distinct([...standard, ...(isObject(present) ? Object.keys(present) : []), ...getNames(node)]);
      const title = part === 'metadata' ? l10n.t('Metadata') : l10n.t('Custom fields');
      groups.push({ title, path: ['data', part], fields: this.#createFields(['data', part], members) });
    }
    const others = getNames(data).filter((name) => {
      const isGroup = parts.includes(name) && getProperty(data, name)?.type === 'object';
      return !isGroup;
    });
    if (others.length > 0 || parts.length === 0)
      groups.push({ title: l10n.t('Data'), path: ['data'], fields: this.#createFields(['data'], others) });
    return groups;
  }

  /** Messages of findings that no field shows. */
  getOtherMessages(): readonly FormMessage[] {
    const others = this.#context.findings.filter((finding) => !this.#shown.has(finding));
    return others.slice(0, 20).map(toMessage);
  }

  #createFields(parent: readonly string[], names: readonly string[]): FormField[] {
    // A name that is longer than a message may be stays in the file.
    const shown = names.filter((name) => name.length <= MAX_NAME_LENGTH).slice(0, MAX_FIELDS - this.#count);
    this.#count += shown.length;
    return shown.map((name) => this.#createField([...parent, name]));
  }

  #createField(path: readonly string[]): FormField {
    const name = path.at(-1) ?? '';
    const node = findValue(this.#root, path);
    const field = path.length === 1 ? this.#fields.find((one) => one.name === name) : undefined;
    const present = this.#getPresent(path);
    const written = getValueText(this.#file, path);
    const findings = this.#takeFindings(path, node);
    const hasSecret = findings.some(({ code }) => code === 'credential') || this.#context.hasSecret(written);
    const isLong = written.length > MAX_VALUE_LENGTH;
    const draft = this.#context.drafts.get(formatPathKey(path));
    return {
      path: [...path],
      label: (path.length === 1 ? getOwn(labels, name) : undefined) ?? formatLine(name),
      about: field === undefined ? '' : capitalize(field.about.replaceAll('`', '')),
      type: getType(node, present, field),
      required: field !== undefined && field.optional !== true,
      value: hasSecret ? MASK : (draft?.text ?? written.slice(0, MAX_VALUE_LENGTH)),
      isSet: node !== undefined,
      isLocked: hasSecret || isLong,
      canRemove: node !== undefined && path.length > 1,
      canPick: field?.ids !== undefined,
      hint: [
        hasSecret ? l10n.t('Contains a credential. Use Show as File to change it.') : '',
        isLong && !hasSecret ? l10n.t('Too long for the form. Use Show as File to change it.') : '',
        formatLine(this.#context.getName(written) ?? ''),
        present === undefined || formatPresent(present) === removeSpaces(node, written)
          ? ''
          : this.#formatPresentHint(present),
      ]
        .filter((part) => part !== '')
        .join(' · '),
      messages:
        draft === undefined
          ? findings.slice(0, 20).map(toMessage)
          : [{ severity: 'error', text: `${draft.problem}.`, isMissing: false }],
    };
  }

  /** The present value of the object, or that of its template for a new object. */
  #getPresent(path: readonly string[]): unknown {
    const { object, template } = this.#context;
    const [first, ...rest] = path;
    if (first !== 'data') return first === 'to' && rest.length === 0 ? object?.['owner'] : undefined;
    const source = object ?? (isObject(template?.['object']) ? template['object'] : undefined);
    return rest.reduce<unknown>((value, name) => (isObject(value) ? getOwn(value, name) : undefined), source);
  }

  #formatPresentHint(present: unknown): string {
    const text = formatPresent(present);
    const name = this.#context.getName(text);
    const shown = formatLine(name ?? text, 120);
    return this.#context.object === undefined ? l10n.t('In the template: {0}', shown) : l10n.t('Currently: {0}', shown);
  }

  /** The findings within a value, or on its absence. */
  #takeFindings(path: readonly string[], node: Node | undefined): readonly Finding[] {
    const member = node?.parent?.type === 'property' ? node.parent : node;
    const found = this.#context.findings.filter(({ offset, field }) =>
      member === undefined
        ? path.length === 1 && field === path[0]
        : offset >= member.offset && offset < member.offset + member.length,
    );
    for (const finding of found) this.#shown.add(finding);
    return found;
  }
}

function toMessage({ severity, message, code }: Finding): FormMessage {
  const isMissing = code === 'missingField' || code === 'emptyField';
  return {
    severity: isMissing ? 'error' : severity,
    text: formatLine(`${message}.`.replace(/([.?])\.$/, '$1'), 1000),
    isMissing,
  };
}

function getType(node: Node | undefined, present: unknown, field: ActionField | undefined): FieldType {
  if (node !== undefined && node.type !== 'string') {
    if (node.type === 'number' || node.type === 'boolean') return node.type;
    return 'json';
  }
  const written = node === undefined ? '' : String(node.value);
  if (written !== '') return getTextType(written);
  const sample: unknown = field === undefined ? present : JSON.parse(field.sample);
  if (typeof sample === 'string' || sample === undefined || sample === null || node !== undefined)
    return getTextType(typeof sample === 'string' ? sample : '');
  if (typeof sample === 'boolean') return 'boolean';
  return typeof sample === 'number' || JSON.isRawJSON(sample) ? 'number' : 'json';
}

/** A day that does not exist, which a control for dates would not show, is text. */
function getTextType(text: string): FieldType {
  if (/[\r\n]/.test(text)) return 'lines';
  const [day] = /^\d{4}-\d\d-\d\d(?=$|T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z$)/.exec(text) ?? [];
  const time = day === undefined || day < '0001' ? NaN : Date.parse(text);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(day ?? '')) return 'text';
  return text.length > 10 ? 'datetime' : 'date';
}

/** JSON without the spaces between its parts, to compare it; a string as it is. */
function removeSpaces(node: Node | undefined, text: string): string {
  return node?.type === 'string' ? text : text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

function formatPresent(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function getNames(node: Node | undefined): readonly string[] {
  if (node?.type !== 'object') return [];
  return distinct((node.children ?? []).map((member) => String(member.children?.[0]?.value)));
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function capitalize(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase());
}
