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

/** The part of a name before its first separator. */
const FIRST_PART = /^.+?\s?[·:–—|]\s+(?=\S)/su;
const SHORT_LABEL = 18;
const ID_TAIL_LENGTH = 6;

/** Returns a name for each item of a list; repeated names get the end of the id. */
export function createRowNames(items: readonly NamedItem[]): readonly RowName[] {
  const getPrefix = new Map(
    [...Map.groupBy(items, ({ template }) => template)].map(([template, group]) => [
      template,
      template === undefined ? () => '' : createPrefixLookup(group),
    ]),
  );
  const used = new Set<string>();
  return items.map(({ id, title, template }): RowName => {
    const prefix = getPrefix.get(template)?.(title) ?? '';
    const name = { label: title.slice(prefix.length), ...(prefix !== '' && { prefix: trimSeparators(prefix) }) };
    const { label } = name;
    if (!used.has(label) || id === undefined) {
      used.add(label);
      return name;
    }
    const tail = `…${id.slice(-ID_TAIL_LENGTH)}`;
    return { ...name, label: label.length <= SHORT_LABEL ? `${label} ${tail}` : `${tail} ${label}` };
  });
}

/**
 * Returns a function that finds the start that a name shares with others of its template: the part before a separator,
 * else common words. A single name is cut at its separator too, so that it does not change when more are loaded.
 */
function createPrefixLookup(group: readonly NamedItem[]): (title: string) => string {
  const titles = group.filter(({ id, title }) => title !== id).map(({ title }) => title);
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
