/**
 * The address book: labels of addresses, account names and ids, from settings and shared files. A label is shown beside
 * its value, and never sent in its place.
 */
import * as l10n from '@vscode/l10n';
import { isObject } from '../../platform/json/json.ts';
import { toPlainText, toSingleLine } from '../../platform/text/plain-text.ts';

/** In characters. */
const MAX_LABEL_LENGTH = 60;
const MAX_VALUE_LENGTH = 256;
/** Labels of one source. */
const MAX_LABELS = 10_000;

/**
 * The user's settings, the file that they name by an absolute path, the workspace's settings, and the files in its
 * folders; a label of an earlier source wins.
 */
const LABEL_SOURCES = ['user', 'userFile', 'workspace', 'file'] as const;
export type LabelSource = (typeof LABEL_SOURCES)[number];

export interface Label {
  /** an address, account name or id, as it was written down */
  readonly value: string;
  /** one line of plain text */
  readonly text: string;
  readonly source: LabelSource;
}

function isOwnSource(source: LabelSource): boolean {
  return source === 'user' || source === 'userFile';
}

/** The labels of this window. */
export interface Labels {
  /** The label of a value; hexadecimal addresses are found in any case. */
  get(value: string): Label | undefined;
  /** sorted by text */
  readonly all: readonly Label[];
  readonly onDidChange: (listener: () => unknown) => { dispose(): unknown };
}

/** For callers without settings. */
export const NO_LABELS: Pick<Labels, 'get' | 'all'> = { get: () => undefined, all: [] };

/** Whether the label of a value is one of the workspace, and not the user's. */
export function hasWorkspaceLabel(labels: Pick<Labels, 'get'>, value: string): boolean {
  const label = labels.get(value);
  return label !== undefined && !isOwnSource(label.source);
}

/** The label of another value that a name could be taken for; `undefined` for the name of a labelled value. */
export function findSimilarLabel(labels: Pick<Labels, 'get' | 'all'>, value: string, name: string): Label | undefined {
  if (labels.get(value) !== undefined) return undefined;
  // The edition that follows a name does not tell it apart from a label.
  const texts = [name, name.replace(/\s#\d+$/, '')].map(normalizeText);
  return labels.all.find((label) => texts.includes(normalizeText(label.text)));
}

/** Formats a value with its label: `Box office (0x5098…)`, the value in full. */
export function formatLabelled(value: string, text: string | undefined): string {
  return text === undefined ? value : `${text} (${value})`;
}

/** Alphabets with letters that look alike. */
const ALPHABETS = [/\p{sc=Latin}/u, /\p{sc=Greek}/u, /\p{sc=Cyrillic}/u, /\p{sc=Armenian}/u, /\p{sc=Cherokee}/u];

/** Returns why a text cannot be a label of a source, as a sentence; `undefined` if it can. */
export function getLabelProblem(text: string, source: LabelSource = 'user'): string | undefined {
  if (text.trim() === '') return l10n.t('A label can’t be empty.');
  if (Array.from(text.trim()).length > MAX_LABEL_LENGTH)
    return l10n.t('A label can have up to {0} characters.', MAX_LABEL_LENGTH);
  if (toSingleLine(text) !== text.trim()) return l10n.t('A label must be a single line without invisible characters.');
  // Otherwise a label could pass for the address that is shown after it.
  const readable = text.normalize('NFKC');
  if (
    /0x[\da-f]{4}/i.test(readable) ||
    /(?=(?:\S*\d){6})\S{20}/.test(readable) ||
    /_(?=\D*\d)[\da-f]{8}/i.test(readable)
  )
    return l10n.t('A label can’t look like an address or an ID.');
  if (readable.split(/[^\p{L}\p{M}\p{N}]+/u).some((word) => ALPHABETS.filter((one) => one.test(word)).length > 1))
    return l10n.t('A word in a label can’t mix alphabets.');
  // Otherwise a workspace could add to the sentences in which its labels are quoted.
  if (!isOwnSource(source) && /["«»“”‹›\p{Ps}\p{Pe}]/u.test(readable))
    return l10n.t('Only your own labels can contain quotation marks or brackets.');
  return undefined;
}

/** Returns why a text cannot have a label, as a sentence; `undefined` if it can. */
export function getValueProblem(value: string): string | undefined {
  if (value === '' || value.length > MAX_VALUE_LENGTH) return l10n.t('Enter 1 to {0} characters.', MAX_VALUE_LENGTH);
  return /^[^\s\p{C}$][^\s\p{C}]*$/u.test(value)
    ? undefined
    : l10n.t('Addresses, account names and IDs can’t contain spaces.');
}

/** Labels of one source by value, and the number of those that were ignored. */
export interface LabelEntries {
  readonly entries: readonly (readonly [value: string, text: string])[];
  readonly ignored: number;
}

/** Reads `{ "0x5098…": "Box office" }`; entries that cannot be labels are ignored, as is anything that is no object. */
export function readLabels(json: unknown, source: LabelSource = 'user'): LabelEntries {
  if (!isObject(json)) return { entries: [], ignored: json === undefined ? 0 : 1 };
  const all = Object.entries(json).filter(([value]) => !value.startsWith('$'));
  const entries = all.slice(0, MAX_LABELS).flatMap(([value, text]): [string, string][] => {
    const isValid =
      typeof text === 'string' && getValueProblem(value) === undefined && getLabelProblem(text, source) === undefined;
    return isValid ? [[value, toPlainText(text, MAX_LABEL_LENGTH)]] : [];
  });
  return { entries, ignored: all.length - entries.length };
}

/** The form in which values are compared: hexadecimal addresses in lower case. */
export function normalizeValue(value: string): string {
  return /^0x[\da-f]+$/i.test(value) ? value.toLowerCase() : value;
}

/**
 * Merges the labels of all sources by normalized value. A source cannot relabel a value of an earlier one, nor give one
 * of its labels to another value.
 */
export function mergeLabels(
  sources: Readonly<Partial<Record<LabelSource, LabelEntries['entries']>>>,
): ReadonlyMap<string, Label> {
  const labels = new Map<string, Label>();
  for (const source of LABEL_SOURCES) {
    const earlier = new Set([...labels.values()].map(({ text }) => normalizeText(text)));
    for (const [value, text] of sources[source] ?? []) {
      const key = normalizeValue(value);
      if (!labels.has(key) && !earlier.has(normalizeText(text))) labels.set(key, { value, text, source });
    }
  }
  return labels;
}

/** Letters and digits that look like another one, and that one. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    ...['aаα', 'bвβ', 'cсϲ', 'dԁ', 'eеε', 'gɡ', 'hнһη', 'jјϳ', 'kкκ', 'lі1iιıӏ', 'mмμ', 'nո', 'o0оοօ', 'pрρ', 'qԛ'],
    ...['sѕ', 'tтτ', 'uυս', 'vνѵ', 'wԝω', 'xхχ', 'yуγ', 'zζ'],
  ].flatMap(([plain = '', ...others]) => others.map((other) => [other, plain] as const)),
);

/** The form in which labels are compared: letters and digits, those that look alike as one. */
function normalizeText(text: string): string {
  const readable = text.normalize('NFKC').toLowerCase();
  const letters = readable.replace(/[^\p{L}\p{N}]/gu, '').replace(/./gu, (one) => LOOK_ALIKES.get(one) ?? one);
  // A label may consist of emojis.
  return letters === '' ? readable : letters;
}
