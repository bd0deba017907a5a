/** Parses action files with positions, and prints the request body. */
import * as l10n from '@vscode/l10n';
import { createScanner, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { formatNumber } from '../../platform/text/localization.ts';
import { formatSyntaxError } from './json-syntax.ts';

/** Deeper nesting is refused: recursive parsers would overflow the stack. */
const MAX_DEPTH = 500;

/** A text that is larger is refused before it is parsed. `length` in characters; `values` counts names and values. */
const limits = {
  /** written by hand, and parsed on every change */
  file: { length: 1024 * 1024, values: 20_000 },
  /** with the values of variables filled in; read once, when it is sent */
  request: { length: 16 * 1024 * 1024, values: Infinity },
} as const;

/** Characters of a request. */
export const MAX_BODY_LENGTH = limits.request.length;

/** How an action file names another. */
const FILE_VARIABLE = '${file:…}';

/** Syntax errors that are reported of one file. */
const MAX_PROBLEMS = 100;

export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Why a file cannot be sent. `shape`: an unknown key or a wrong type in a suite or an expectation; `sameName`: two steps of a suite. */
export interface Problem extends Span {
  readonly code: 'syntax' | 'tooLarge' | 'notAnObject' | 'noAction' | 'shape' | 'sameName';
  readonly message: string;
}

/** One key of `action`, normally the only one: the kind of action and its fields. */
export interface ActionEntry {
  readonly kind: string;
  /** the key with its quotes */
  readonly key: Node;
  readonly property: Node;
  readonly value: Node | undefined;
}

export interface ActionFile {
  readonly text: string;
  readonly root: Node | undefined;
  readonly action: Node | undefined;
  readonly entries: readonly ActionEntry[];
  /** empty: the file can be sent */
  readonly problems: readonly Problem[];
}

/** Reads a JSON text with comments and trailing commas; never throws. */
export function parseActionFile(source: string, kind: keyof typeof limits = 'file'): ActionFile {
  // Replaces a byte order mark by a space, so that offsets stay the same.
  const text = source.replace(/^\ufeff/, ' ');
  const broken = (problem: Problem): ActionFile => ({
    text,
    root: undefined,
    action: undefined,
    entries: [],
    problems: [problem],
  });
  const tooLarge = checkSize(text, kind);
  if (tooLarge !== undefined) return broken(tooLarge);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const problems: Problem[] = errors.slice(0, MAX_PROBLEMS).map(({ error, offset, length }) => ({
    code: 'syntax',
    message: formatSyntaxError(error),
    offset: Math.min(offset, text.length),
    length: Math.max(length, 1),
  }));
  if (root === undefined) {
    const empty = { code: 'syntax', message: l10n.t('The file is empty'), offset: 0, length: text.length } as const;
    return broken(problems[0] ?? empty);
  }
  const file = createActionFile(text, root);
  return problems.length === 0 ? file : { ...file, problems };
}

/** True for a text that `parseActionFile` refuses by its size. */
export function isTooLarge(text: string): boolean {
  return checkSize(text, 'file') !== undefined;
}

function checkSize(text: string, kind: keyof typeof limits): Problem | undefined {
  const { length, values: maxValues } = limits[kind];
  const refuse = (message: string, offset = 0): Problem => ({ code: 'tooLarge', message, offset, length: 1 });
  if (text.length > length)
    return refuse(
      l10n.t(
        'The file is larger than {0} MB. Put large content into a separate file and refer to it with {1}',
        length >> 20,
        FILE_VARIABLE,
      ),
    );
  const scanner = createScanner(text, true);
  let depth = 0;
  let values = 0;
  let tokens = 0;
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= text.length) return undefined;
    const first = text[offset];
    if (first === '{' || first === '[') depth++;
    else if (first === '}' || first === ']') depth--;
    if (first !== '}' && first !== ']' && first !== ',' && first !== ':') values++;
    if (depth > MAX_DEPTH) return refuse(l10n.t('Nested more than {0} levels deep', MAX_DEPTH), offset);
    // Each value has at most two more tokens: a closing bracket, and a comma or colon.
    if (values > maxValues || ++tokens > 3 * maxValues)
      return refuse(
        l10n.t(
          'The file contains more than {0} names and values. Split the file, or put content into a separate file and refer to it with {1}',
          formatNumber(maxValues),
          FILE_VARIABLE,
        ),
        offset,
      );
  }
}

function getEntries(action: Node | undefined): readonly ActionEntry[] {
  if (action?.type !== 'object') return [];
  return (action.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key === undefined ? [] : [{ kind: String(key.value), key, property, value }];
  });
}

/** The span of a node. */
export function getSpan(node: Node): Span {
  return { offset: node.offset, length: node.length };
}

/** An object of a parsed text as an action file; its offsets are those of the whole text. */
export function createActionFile(text: string, root: Node): ActionFile {
  const action = getProperty(root, 'action');
  const problems: readonly Problem[] =
    root.type !== 'object'
      ? [{ code: 'notAnObject', message: l10n.t('An action file must be a JSON object'), ...getSpan(root) }]
      : action === undefined
        ? [createNoActionProblem(root)]
        : [];
  return { text, root, action, entries: getEntries(action), problems };
}

function createNoActionProblem(root: Node): Problem {
  return {
    code: 'noAction',
    message: l10n.t('`action` is missing. It contains the action to execute'),
    offset: root.offset,
    length: 1,
  };
}

/** The value of the last property with this name, as JSON.parse would return it. */
export function getProperty(node: Node | undefined, name: string): Node | undefined {
  return getMember(node, name)?.children?.[1];
}

/** The property node: key and value. */
export function getMember(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'object') return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === name);
}

/** A string field's value; `undefined` for any other type. */
export function getString(node: Node | undefined, name: string): string | undefined {
  const value: unknown = getProperty(node, name)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** The source text of a number, to the digit. */
export function getNumberText(file: ActionFile, node: Node | undefined, name: string): string | undefined {
  const found = getProperty(node, name);
  return found?.type === 'number' ? file.text.slice(found.offset, found.offset + found.length) : undefined;
}

interface PrintOptions {
  /** JSON text to print instead of a string value; `undefined` prints it unchanged */
  readonly replace?: (node: Node) => string | undefined;
  /** names to omit from the printed object itself, not from nested ones */
  readonly omit?: readonly string[];
  /** further properties of the printed object: name to JSON text */
  readonly extra?: Readonly<Record<string, string>>;
}

/** Prints a node as strict JSON: without comments and trailing commas, each token unchanged. */
export function printNode(text: string, node: Node, options: PrintOptions = {}): string {
  const raw = (part: Node): string => text.slice(part.offset, part.offset + part.length);
  const walk = (part: Node): string => {
    if (part.type === 'string') return options.replace?.(part) ?? raw(part);
    if (part.type === 'array') return `[${(part.children ?? []).map(walk).join(',')}]`;
    if (part.type === 'object') return `{${printMembers(part).join(',')}}`;
    return raw(part);
  };
  const printMembers = (part: Node): string[] =>
    (part.children ?? []).flatMap((property) => {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) return [];
      if (part === node && options.omit?.includes(String(key.value)) === true) return [];
      return [`${raw(key)}:${walk(value)}`];
    });
  if (node.type !== 'object') return walk(node);
  const extra = Object.entries(options.extra ?? {}).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return `{${[...printMembers(node), ...extra].join(',')}}`;
}

/** The request body: everything but `$schema`. Throws if the file has problems. */
export function getRequestBody(file: ActionFile, options: Pick<PrintOptions, 'replace' | 'extra'> = {}): string {
  const problem = file.problems[0];
  if (problem !== undefined || file.root === undefined)
    throw new Error(problem?.message ?? l10n.t('This is not an action file'));
  return printNode(file.text, file.root, { ...options, omit: ['$schema'] });
}

/** The `action` alone, as it is sent: what a signer signs. */
export function getActionText(file: ActionFile): string {
  return file.action === undefined ? 'null' : printNode(file.text, file.action);
}

/** True if the file has a signature of its own. */
export function isSigned(file: ActionFile): boolean {
  const signature = getProperty(file.root, 'signature');
  return signature !== undefined && signature.type !== 'null' && signature.value !== '';
}

/** The request body with a signature, which replaces an empty one. */
export function getSignedBody(file: ActionFile, signature: string): string {
  const { root } = file;
  const children = (root?.children ?? []).filter((property) => property.children?.[0]?.value !== 'signature');
  return getRequestBody(
    { ...file, ...(root !== undefined && { root: { ...root, children } }) },
    { extra: { signature: JSON.stringify(signature) } },
  );
}

/** Place of a character, both from 1. */
export function getLineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line++;
  return { line, column: offset - start + 1 };
}
