/** Pure: what stands where in a document: ids of other resources, hashes, addresses, moments, and hidden values. */
import { parseTree, type Node } from 'jsonc-parser';
import { MASK, own } from '../platform/json.ts';
import { TOO_DEEP } from '../platform/json-limits.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { parseDateTime } from '../ui/times.ts';

type LinkKind = NonNullable<ResourceRow['links']>[string];

/** Half-open, in UTF-16 units of the text; of a string it is what stands between the quotes. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

export type Mark = Span & {
  /** the string's value, escapes resolved */
  readonly value: string;
  /** where it stands: `affected_objects[].id` */
  readonly field: string;
  /** the kind of resource that the contract says the id is of */
  readonly reference?: string;
  /** the connection's link template that opens it */
  readonly link?: LinkKind;
} & (
    | { readonly is: 'id' }
    | { readonly is: 'url' }
    | { readonly is: 'moment'; readonly time: number }
    | { readonly is: 'hidden' }
    /** stands for a value that is nested too deep to be shown */
    | { readonly is: 'cut' }
    /** any other string short enough to be an id */
    | { readonly is: 'word' }
  );

export interface Analysis {
  readonly root: Node | undefined;
  /** in the text's order */
  readonly marks: readonly Mark[];
}

/** Longer texts are shown without marks: a person who scrolls through megabytes looks for something else. */
export const LONGEST_ANALYSED = 4 * 1024 * 1024;
const LONGEST_ID = 256;
const LONGEST_URL = 2048;

export function analyse(text: string, row: Pick<ResourceRow, 'references' | 'links'> | undefined): Analysis {
  const root = text.length > LONGEST_ANALYSED ? undefined : parseTree(text);
  const marks: Mark[] = [];
  // A stack of its own: a hostile answer may be nested deeper than calls can be.
  const stack: { readonly node: Node; readonly path: string }[] = root === undefined ? [] : [{ node: root, path: '' }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { node, path } = at;
    const children = [...(node.children ?? [])].reverse();
    if (node.type === 'array') stack.push(...children.map((child) => ({ node: child, path: `${path}[]` })));
    else if (node.type === 'object') stack.push(...children.map((child) => ({ node: child, path })));
    else if (node.type === 'property') {
      const [name, value] = node.children ?? [];
      if (value !== undefined) stack.push({ node: value, path: joined(path, String(name?.value)) });
    } else if (node.type === 'string') {
      const mark = markOf(node, path, row);
      if (mark !== undefined) marks.push(mark);
    }
  }
  return { root, marks };
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function markOf(
  node: Node,
  path: string,
  row: Pick<ResourceRow, 'references' | 'links'> | undefined,
): Mark | undefined {
  const value: unknown = node.value;
  if (typeof value !== 'string' || value === '') return undefined;
  const span = { offset: node.offset + 1, length: node.length - 2, value, field: path };
  if (value.includes(MASK)) return { ...span, is: 'hidden' };
  if (value === TOO_DEEP) return { ...span, is: 'cut' };
  if (value.length > LONGEST_URL) return undefined;
  const reference = own(row?.references, path);
  const link = own(row?.links, path);
  if (isWebAddress(value)) return { ...span, is: 'url' };
  if (value.length > LONGEST_ID) return undefined;
  if (reference !== undefined || link !== undefined) {
    return { ...span, is: 'id', ...(reference !== undefined && { reference }), ...(link !== undefined && { link }) };
  }
  const time = parseDateTime(value);
  if (time !== undefined) return { ...span, is: 'moment', time };
  return /\s/.test(value) ? undefined : { ...span, is: 'word' };
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
}

/** The mark at an offset; marks are in order, so a search by halves finds it. */
export function markAt(marks: readonly Mark[], offset: number): Mark | undefined {
  let [from, to] = [0, marks.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const mark = marks[middle];
    if (mark === undefined) return undefined;
    if (offset < mark.offset) to = middle;
    else if (offset > mark.offset + mark.length) from = middle + 1;
    else return mark;
  }
  return undefined;
}

/** Where to point for a path such as `actions[2].name`; for what is missing, at the name of what should hold it. */
export function spanOfPath(root: Node, path: string): Span {
  let node = root;
  let label: Span = { offset: root.offset, length: 1 };
  for (const step of stepsOf(path)) {
    const child = node.type === 'object' || node.type === 'array' ? childOf(node, step) : undefined;
    if (child === undefined) return label;
    label = child.label;
    node = child.node;
  }
  return node === root ? label : nodeSpan(node, label);
}

/** A value of one line is pointed at itself, one of many at its name. */
function nodeSpan(node: Node, label: Span): Span {
  return node.type === 'object' || node.type === 'array' ? label : { offset: node.offset, length: node.length };
}

function childOf(node: Node, step: string | number): { readonly node: Node; readonly label: Span } | undefined {
  if (node.type === 'array') {
    const element = typeof step === 'number' ? node.children?.[step] : undefined;
    return element === undefined ? undefined : { node: element, label: { offset: element.offset, length: 1 } };
  }
  // Of two equal names the last one counts, as in JSON.parse.
  const property = node.children?.findLast((one) => String(one.children?.[0]?.value) === String(step));
  const [name, value] = property?.children ?? [];
  return name === undefined || value === undefined
    ? undefined
    : { node: value, label: { offset: name.offset, length: name.length } };
}

/** `a[0].b` → `['a', 0, 'b']`: as drift writes its paths. */
export function stepsOf(path: string): readonly (string | number)[] {
  return path
    .split('.')
    .flatMap((part) => part.split(/(\[\d+\])/))
    .filter((part) => part !== '')
    .map((part) => (/^\[\d+\]$/.test(part) ? Number(part.slice(1, -1)) : part));
}
