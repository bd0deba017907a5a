/** Finds what a lens is shown beside: names of actions and ids of templates in the user's code and action files. */
import { findKnownTokens, isIdLike } from '../documents/links/id-tokens.ts';
import { isPlaceholder } from '../model/text/placeholder.ts';
import { actionNames } from '../platform/resources/shared-schemas.ts';

/** An action by its name, or a template by its id. */
export interface Mark {
  readonly kind: 'action' | 'template';
  readonly name: string;
}

export interface PlacedMark extends Mark {
  /** in characters */
  readonly offset: number;
}

const NAMES = actionNames.join('|');
// Bounded: a file may be made of spaces.
const SPACE = String.raw`\s{0,40}`;
// Words such as `update` are names of actions only beside `action`: `{"action": {"mint": …`, `action_name = "mint"`.
const ACTION_PATTERNS = [
  new RegExp(
    String.raw`\baction["']?${SPACE}[:=]${SPACE}(?:[^{}\n]{0,40}\{)?${SPACE}["']?(${NAMES})["']?${SPACE}:`,
    'dg',
  ),
  new RegExp(String.raw`\baction(?:_?name)?["']?${SPACE}[:=]{1,3}${SPACE}["'](${NAMES})["']`, 'dgi'),
  new RegExp(String.raw`\baction_name=(${NAMES})\b`, 'dg'),
];
const TEMPLATE_PATTERN = new RegExp(
  String.raw`\btemplate_?ids?["']?${SPACE}[:=]{1,3}${SPACE}\[?${SPACE}(["'\x60]?)([\w.:-]{4,256})\1`,
  'dgi',
);

/** Marks of one file; later ones get no lens. */
const MAX_MARKS = 100;

/** Finds the marks of a text in order, one of each name in a line. `isTemplate`: whether an id is that of a known template. */
export function findMarks(text: string, isTemplate: (id: string) => boolean): readonly PlacedMark[] {
  const found: PlacedMark[] = findKnownTokens(text, isTemplate).map(({ text: name, start }) => ({
    kind: 'template',
    name,
    offset: start,
  }));
  for (const { 1: quote = '', 2: id = '', indices } of text.matchAll(TEMPLATE_PATTERN)) {
    // A word without quotes may be a type or a variable.
    if (quote === '' ? isIdLike(id) : !isPlaceholder(id))
      found.push({ kind: 'template', name: id, offset: indices?.[2]?.[0] ?? 0 });
  }
  for (const pattern of ACTION_PATTERNS)
    for (const { 1: name = '', indices } of text.matchAll(pattern))
      found.push({ kind: 'action', name, offset: indices?.[1]?.[0] ?? 0 });
  const places = new Set<string>();
  return found
    .sort((a, b) => a.offset - b.offset)
    .filter(({ kind, name, offset }) => {
      const place = JSON.stringify([kind, name, text.lastIndexOf('\n', offset)]);
      return !places.has(place) && places.add(place);
    })
    .slice(0, MAX_MARKS);
}
