/** An action file as data: parsed with positions, what would block sending, and the text to send. Pure: no editor. */
import { createScanner, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';

/** Deeper nesting is refused: parsers would run out of stack. */
const MAX_DEPTH = 500;

/** A text that is larger is refused before it is parsed. `length` in characters; `values` counts names and values. */
const limits = {
  /** written by hand, and read on every change: within a few milliseconds */
  file: { length: 1024 * 1024, values: 20_000 },
  /** with the values of variables filled in; read once, when it is sent */
  request: { length: 16 * 1024 * 1024, values: Infinity },
} as const;

/** Characters of a request. */
export const MAX_BODY = limits.request.length;

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
  // A byte order mark becomes a space, so that places stay the same.
  const text = source.replace(/^\ufeff/, ' ');
  const broken = (problem: Problem): ActionFile => ({
    text,
    root: undefined,
    action: undefined,
    entries: [],
    problems: [problem],
  });
  const tooLarge = measure(text, kind);
  if (tooLarge !== undefined) return broken(tooLarge);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const problems: Problem[] = errors.slice(0, MAX_PROBLEMS).map(({ error, offset, length }) => ({
    code: 'syntax',
    message: `Not JSON: ${wordsOf(printParseErrorCode(error))}`,
    offset: Math.min(offset, text.length),
    length: Math.max(length, 1),
  }));
  if (root === undefined) {
    return broken(problems[0] ?? { code: 'syntax', message: 'The file is empty', offset: 0, length: text.length });
  }
  const file = actionFileAt(text, root);
  return problems.length === 0 ? file : { ...file, problems };
}

/** `CloseBraceExpected` → `close brace expected` */
function wordsOf(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();
}

/** True for a text that `parseActionFile` refuses by its size. */
export function isTooLarge(text: string): boolean {
  return measure(text, 'file') !== undefined;
}

function measure(text: string, kind: keyof typeof limits): Problem | undefined {
  const { length, values: most } = limits[kind];
  const refuse = (message: string, offset = 0): Problem => ({ code: 'tooLarge', message, offset, length: 1 });
  if (text.length > length)
    return refuse(
      `Larger than ${String(length >> 20)} MB: put large content into a file of its own, and name it with \${file:…}`,
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
    if (depth > MAX_DEPTH) return refuse(`Nested deeper than ${String(MAX_DEPTH)} levels`, offset);
    // Each value comes with at most two more: a bracket that closes it, a comma or a colon.
    if (values > most || ++tokens > 3 * most)
      return refuse(
        `More than ${most.toLocaleString('en')} names and values: split it, or put content into a file of its own, and name it with \${file:…}`,
        offset,
      );
  }
}

function entriesOf(action: Node | undefined): readonly ActionEntry[] {
  if (action?.type !== 'object') return [];
  return (action.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key === undefined ? [] : [{ kind: String(key.value), key, property, value }];
  });
}

export function spanOf(node: Node): Span {
  return { offset: node.offset, length: node.length };
}

/** An object inside a parsed file as an action file of its own: its places are those of the whole text. */
export function actionFileAt(text: string, root: Node): ActionFile {
  const action = propertyOf(root, 'action');
  const problems: readonly Problem[] =
    root.type !== 'object'
      ? [{ code: 'notAnObject', message: 'An action file is a JSON object', ...spanOf(root) }]
      : action === undefined
        ? [noAction(root)]
        : [];
  return { text, root, action, entries: entriesOf(action), problems };
}

function noAction(root: Node): Problem {
  return {
    code: 'noAction',
    message: 'There is no `action`: the request body holds the action to execute under this key',
    offset: root.offset,
    length: 1,
  };
}

/** The value of an object's last property of this name, as JSON.parse would have it. */
export function propertyOf(node: Node | undefined, name: string): Node | undefined {
  return memberOf(node, name)?.children?.[1];
}

/** The whole property: key and value. */
export function memberOf(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'object') return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === name);
}

/** A string field's value; `undefined` for any other type. */
export function stringAt(node: Node | undefined, name: string): string | undefined {
  const value: unknown = propertyOf(node, name)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** The source text of a number, to the digit. */
export function numberAt(file: ActionFile, node: Node | undefined, name: string): string | undefined {
  const found = propertyOf(node, name);
  return found?.type === 'number' ? file.text.slice(found.offset, found.offset + found.length) : undefined;
}

export interface PrintOptions {
  /** JSON text that takes the place of a string value; `undefined` leaves it as it stands */
  readonly replace?: (node: Node) => string | undefined;
  /** names left out of the printed object itself, not of those inside */
  readonly without?: readonly string[];
  /** further properties of the printed object: name to JSON text */
  readonly also?: Readonly<Record<string, string>>;
}

/** A node as strict JSON: no comments, no trailing commas, each token's own text. */
export function printNode(text: string, node: Node, options: PrintOptions = {}): string {
  const raw = (part: Node): string => text.slice(part.offset, part.offset + part.length);
  const walk = (part: Node): string => {
    if (part.type === 'string') return options.replace?.(part) ?? raw(part);
    if (part.type === 'array') return `[${(part.children ?? []).map(walk).join(',')}]`;
    if (part.type === 'object') return `{${membersOf(part).join(',')}}`;
    return raw(part);
  };
  const membersOf = (part: Node): string[] =>
    (part.children ?? []).flatMap((property) => {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) return [];
      if (part === node && options.without?.includes(String(key.value)) === true) return [];
      return [`${raw(key)}:${walk(value)}`];
    });
  if (node.type !== 'object') return walk(node);
  const also = Object.entries(options.also ?? {}).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return `{${[...membersOf(node), ...also].join(',')}}`;
}

/** The request body: everything but `$schema`. Throws where the file has problems. */
export function bodyOf(file: ActionFile, options: Pick<PrintOptions, 'replace' | 'also'> = {}): string {
  const problem = file.problems[0];
  if (problem !== undefined || file.root === undefined) throw new Error(problem?.message ?? 'Not an action file');
  return printNode(file.text, file.root, { ...options, without: ['$schema'] });
}

/** The `action` alone, as it is sent: what a signer signs. */
export function actionTextOf(file: ActionFile, options: Pick<PrintOptions, 'replace'> = {}): string {
  return file.action === undefined ? 'null' : printNode(file.text, file.action, options);
}

/** True where the file brings its own signature. */
export function isSigned(file: ActionFile): boolean {
  const signature = propertyOf(file.root, 'signature');
  return signature !== undefined && signature.type !== 'null' && signature.value !== '';
}

/** The request body with a signature; an empty one makes way. */
export function signedBodyOf(file: ActionFile, signature: string): string {
  const { root } = file;
  const children = (root?.children ?? []).filter((property) => property.children?.[0]?.value !== 'signature');
  return bodyOf(
    { ...file, ...(root !== undefined && { root: { ...root, children } }) },
    { also: { signature: JSON.stringify(signature) } },
  );
}

/** A name for runs and `${run:…}`: `mint.action.json` → `mint`. */
export function nameOfFile(path: string): string {
  const base = path.split(/[\\/]/).at(-1) ?? path;
  return base.replace(/(?:\.action)?\.jsonc?$/i, '') || base;
}

/** Place of a character, both from 1. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line++;
  return { line, column: offset - start + 1 };
}
