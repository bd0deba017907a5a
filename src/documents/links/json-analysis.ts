/** Finds ids, hashes, addresses, times and hidden values in a JSON document. */
import { parseTree, type Node } from 'jsonc-parser';
import { getOwn } from '../../platform/json/json.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { TOO_DEEP } from '../../platform/json/json-limits.ts';
import type { LinkKind, ResourceDefinition } from '../../platform/resource.ts';
import { parseDateTime } from '../../model/text/time-format.ts';

/** Half-open, in UTF-16 units; for a string, without its quotes. */
interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

export type Mark = TextSpan & {
  /** the string's value, escapes resolved */
  readonly value: string;
  /** field path: `affected_objects[].id` */
  readonly field: string;
  /** kind of the referenced resource, by the contract */
  readonly reference?: string;
  /** the connection's link template that opens it */
  readonly link?: LinkKind;
} & (
    | { readonly type: 'id' }
    | { readonly type: 'url' }
    | { readonly type: 'time'; readonly time: number }
    | { readonly type: 'hidden' }
    /** replaces a value that is nested too deep to be shown */
    | { readonly type: 'tooDeep' }
    /** any other string short enough to be an id */
    | { readonly type: 'text' }
  );

export interface Analysis {
  readonly root: Node | undefined;
  /** in text order */
  readonly marks: readonly Mark[];
}

/** Longer texts are shown without links and hovers. */
const MAX_ANALYSED_LENGTH = 4 * 1024 * 1024;
const MAX_ID_LENGTH = 256;
const MAX_URL_LENGTH = 2048;

/** Parses the text and marks its strings by the references and links of the resource's kind. */
export function analyse(text: string, row: Pick<ResourceDefinition, 'references' | 'links'> | undefined): Analysis {
  const root = text.length > MAX_ANALYSED_LENGTH ? undefined : parseTree(text);
  const marks: Mark[] = [];
  // Iterative: a response may be nested deeper than the call stack allows.
  const stack: { readonly node: Node; readonly path: string }[] = root === undefined ? [] : [{ node: root, path: '' }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { node, path } = at;
    const children = [...(node.children ?? [])].reverse();
    if (node.type === 'array') for (const child of children) stack.push({ node: child, path: `${path}[]` });
    else if (node.type === 'object') for (const child of children) stack.push({ node: child, path });
    else if (node.type === 'property') {
      const [name, value] = node.children ?? [];
      if (value !== undefined) stack.push({ node: value, path: joinPath(path, String(name?.value)) });
    } else if (node.type === 'string') {
      const mark = createMark(node, path, row);
      if (mark !== undefined) marks.push(mark);
    }
  }
  return { root, marks };
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function createMark(
  node: Node,
  path: string,
  row: Pick<ResourceDefinition, 'references' | 'links'> | undefined,
): Mark | undefined {
  const value: unknown = node.value;
  if (typeof value !== 'string' || value === '') return undefined;
  const span = { offset: node.offset + 1, length: node.length - 2, value, field: path };
  if (value.includes(MASK)) return { ...span, type: 'hidden' };
  if (value === TOO_DEEP) return { ...span, type: 'tooDeep' };
  if (value.length > MAX_URL_LENGTH) return undefined;
  const reference = getOwn(row?.references, path);
  const link = getOwn(row?.links, path);
  if (isHttpUrl(value)) return { ...span, type: 'url' };
  if (value.length > MAX_ID_LENGTH) return undefined;
  if (reference !== undefined || link !== undefined) {
    return { ...span, type: 'id', ...(reference !== undefined && { reference }), ...(link !== undefined && { link }) };
  }
  const time = parseDateTime(value);
  if (time !== undefined) return { ...span, type: 'time', time };
  return /\s/.test(value) ? undefined : { ...span, type: 'text' };
}

/** Whether the text is an http or https URL. */
function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
}

/** Finds the mark at an offset by binary search. */
export function findMarkAt(marks: readonly Mark[], offset: number): Mark | undefined {
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

/** Returns the span of a path such as `actions[2].name`; for a missing field, that of its parent's name. */
export function findSpanOfPath(root: Node, path: string): TextSpan {
  let node = root;
  let label: TextSpan = { offset: root.offset, length: 1 };
  for (const step of parsePath(path)) {
    const child = node.type === 'object' || node.type === 'array' ? getChild(node, step) : undefined;
    if (child === undefined) return label;
    label = child.label;
    node = child.node;
  }
  return node === root ? label : getNodeSpan(node, label);
}

/** Returns the span of a scalar, or of the name of an object or array. */
function getNodeSpan(node: Node, label: TextSpan): TextSpan {
  return node.type === 'object' || node.type === 'array' ? label : { offset: node.offset, length: node.length };
}

function getChild(node: Node, step: string | number): { readonly node: Node; readonly label: TextSpan } | undefined {
  if (node.type === 'array') {
    const element = typeof step === 'number' ? node.children?.[step] : undefined;
    return element === undefined ? undefined : { node: element, label: { offset: element.offset, length: 1 } };
  }
  // Of two equal names the last one wins, as in JSON.parse.
  const property = node.children?.findLast((candidate) => String(candidate.children?.[0]?.value) === String(step));
  const [name, value] = property?.children ?? [];
  return name === undefined || value === undefined
    ? undefined
    : { node: value, label: { offset: name.offset, length: name.length } };
}

/** Splits a drift path: `a[0].b` → `['a', 0, 'b']`. */
export function parsePath(path: string): readonly (string | number)[] {
  return path
    .split('.')
    .flatMap((part) => part.split(/(\[\d+\])/))
    .filter((part) => part !== '')
    .map((part) => (/^\[\d+\]$/.test(part) ? Number(part.slice(1, -1)) : part));
}
