import { toOneLine } from '../format.ts';

/** How an object's row is called: its name without what its template's objects have in common. */
export interface RowName {
  readonly label: string;
  /** the common start of the names, shown in the description */
  readonly prefix?: string;
}

interface NamedItem {
  readonly id: string | undefined;
  readonly title: string;
  /** id of the template; names are compared within it */
  readonly template: string | undefined;
}

/** The edition at the end of a title. */
const EDITION = /\s#\d+$/u;
/** The number at the end of a title, which may be an edition. */
const NUMBER = /\s#?\d+$/u;
/** The part of a name before its first separator. */
const FIRST_PART = /^.+?\s?[·:–—|]\s+(?=\S)/su;
/** Characters of a label that a side bar of 250 pixels shows. */
const VISIBLE_LENGTH = 20;
const ID_TAIL_LENGTH = 6;

/**
 * Returns a name for each item of a list. If a narrow side bar would show two names as the same text, the later one is cut
 * so that its edition is shown, starts with what differs, or is cut so that the end of its id is shown.
 */
export function createRowNames(items: readonly NamedItem[]): readonly RowName[] {
  const getPrefix = new Map(
    [...Map.groupBy(items, ({ template }) => template)].map(([template, group]) => [
      template,
      template === undefined ? () => '' : createPrefixLookup(group),
    ]),
  );
  /** labels by what a narrow side bar shows of them */
  const used = new Map<string, string>();
  return items.map(({ id, title, template }): RowName => {
    const shared = getPrefix.get(template)?.(title) ?? '';
    // A number alone is no name.
    const prefix = /\p{L}/u.test(title.slice(shared.length)) ? shared : '';
    const full = title.slice(prefix.length);
    const similar = used.get(getVisibleStart(full));
    const label =
      similar === undefined || id === undefined
        ? full
        : ([showEdition(full), omitCommonStart(full, similar), addEnd(full, `…${id.slice(-ID_TAIL_LENGTH)}`)].find(
            (text) => text !== undefined && !used.has(getVisibleStart(text)),
          ) ?? full);
    if (!used.has(getVisibleStart(label))) used.set(getVisibleStart(label), label);
    return { label, ...(prefix !== '' && { prefix: trimSeparators(prefix) }) };
  });
}

/** Returns the part of a label that a side bar of 250 pixels shows. */
export function getVisibleStart(label: string): string {
  return label.slice(0, VISIBLE_LENGTH).trimEnd();
}

/** Replaces the words that a label shares with another one by an ellipsis, if a word is left. */
function omitCommonStart(label: string, other: string): string | undefined {
  const common = getCommonPrefix([label, other]);
  const rest = label.slice(common.length);
  return common === '' || !/\p{L}/u.test(rest) ? undefined : `…${rest}`;
}

function showEdition(label: string): string | undefined {
  const edition = NUMBER.exec(label)?.[0];
  return edition === undefined ? undefined : addEnd(label.slice(0, -edition.length), edition.trim());
}

/** Appends text to a name, which is cut so that a narrow side bar shows the text. */
function addEnd(name: string, end: string): string {
  return `${toOneLine(name, Math.max(1, VISIBLE_LENGTH - end.length - 1))} ${end}`;
}

/**
 * Returns a function that finds the start that a name shares with others of its template: the part before a separator,
 * else common words. A single name is cut at its separator too, so that it does not change when more are loaded.
 */
function createPrefixLookup(group: readonly NamedItem[]): (title: string) => string {
  const titles = group.filter(({ id, title }) => title !== id).map(({ title }) => title.replace(EDITION, ''));
  const counts = new Map<string | undefined, number>();
  for (const title of titles) {
    const part = FIRST_PART.exec(title)?.[0];
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const commonPrefix = getCommonPrefix(titles.filter((title) => !FIRST_PART.test(title)));
  return (title) => {
    const part = FIRST_PART.exec(title)?.[0];
    if (part !== undefined) return (counts.get(part) ?? 0) > 1 || titles.length === 1 ? part : '';
    return title.startsWith(commonPrefix) ? commonPrefix : '';
  };
}

/** Returns the words that all names start with; something is left of each. */
function getCommonPrefix(titles: readonly string[]): string {
  const [first = '', ...others] = [...new Set(titles)];
  if (others.length === 0) return '';
  let { length } = first;
  for (const other of others) {
    let same = 0;
    while (same < Math.min(length, other.length - 1) && first[same] === other[same]) same++;
    length = same;
  }
  return /.*\s/su.exec(first.slice(0, length))?.[0] ?? '';
}

function trimSeparators(text: string): string {
  return text.replace(/[\s·:–—|]+$/u, '');
}
