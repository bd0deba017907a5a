/** Compares the placeholders of messages with the arguments that are given for them. */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Formats the messages of other files. */
const FORMATTER = 'src/platform/text/message.ts';

/** Calls in `src` whose arguments do not match the placeholders of their messages. */
export function findArgumentProblems(): readonly string[] {
  return fs.globSync('src/**/*.ts', { cwd: ROOT }).flatMap((file) => {
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
    const name = file.replaceAll('\\', '/');
    return /\b(?:l10n\.t|stored)\(/.test(text) && name !== FORMATTER ? findArgumentProblemsIn(name, text) : [];
  });
}

/** As `findArgumentProblems`, of one source. */
export function findArgumentProblemsIn(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const problems: string[] = [];
  /** Messages whose placeholders `pluralize` fills. */
  const plurals = new Set<ts.Node>();
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'l10n.t') calls.push(node);
    if (ts.isCallExpression(node) && node.expression.getText() === 'stored' && !isFilledLater(node))
      problems.push(`${file}: ${node.getText()}`);
    if (ts.isCallExpression(node) && node.expression.getText() === 'pluralize') {
      const [, message, ...values] = node.arguments;
      const messages = message === undefined ? [] : findMessages(message, source);
      const isFilled = messages.every((call) => {
        plurals.add(call);
        return isMatch([...readPlaceholders(call), 0], values.length + 1) && countArguments(call) === 0;
      });
      if (messages.length === 0 || !isFilled || values.some(ts.isSpreadElement))
        problems.push(`${file}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const call of calls)
    if (
      !plurals.has(call) &&
      (readMessage(call).includes('|') || !isMatch(readPlaceholders(call), countArguments(call)))
    )
      problems.push(`${file}: ${call.getText()}`);
  return problems;
}

/** Whether the arguments of a stored message are those of its placeholders; the first one of a plural is its count. */
function isFilledLater(call: ts.CallExpression): boolean {
  const placeholders = readPlaceholders(call);
  return isMatch(readMessage(call).includes('|') ? [...placeholders, 0] : placeholders, countArguments(call));
}

/** The calls of `l10n.t` that an expression can have its value from: also of a constant or function of the same file. */
function findMessages(expression: ts.Expression, source: ts.SourceFile): readonly ts.CallExpression[] {
  if (ts.isConditionalExpression(expression))
    return [...findMessages(expression.whenTrue, source), ...findMessages(expression.whenFalse, source)];
  if (ts.isCallExpression(expression) && expression.expression.getText() === 'l10n.t') return [expression];
  const target =
    ts.isElementAccessExpression(expression) || ts.isCallExpression(expression) ? expression.expression : expression;
  if (!ts.isIdentifier(target)) return [];
  const found: ts.CallExpression[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'l10n.t') found.push(node);
    ts.forEachChild(node, collect);
  };
  const visit = (node: ts.Node): void => {
    const isDeclaration = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node);
    if (isDeclaration && node.name?.getText() === target.text) collect(node);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function readMessage({ arguments: [message] }: ts.CallExpression): string {
  const literal =
    message !== undefined && ts.isObjectLiteralExpression(message) ? getField(message, 'message') : message;
  return literal !== undefined && ts.isStringLiteralLike(literal) ? literal.text : '';
}

/** The numbers of the placeholders, in all forms of a plural. */
function readPlaceholders(call: ts.CallExpression): readonly number[] {
  return [...readMessage(call).matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number));
}

/** The number of arguments for placeholders; NaN for a spread, whose length is not known. */
function countArguments({ arguments: [message, ...values] }: ts.CallExpression): number {
  const list = message !== undefined && ts.isObjectLiteralExpression(message) ? getField(message, 'args') : undefined;
  const given = list !== undefined && ts.isArrayLiteralExpression(list) ? list.elements : values;
  return given.some(ts.isSpreadElement) ? NaN : given.length;
}

function getField(literal: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of literal.properties)
    if (ts.isPropertyAssignment(property) && property.name.getText() === name) return property.initializer;
  return undefined;
}

/** Whether the placeholders are exactly `0` to `count - 1`. */
function isMatch(placeholders: readonly number[], count: number): boolean {
  return new Set(placeholders).size === count && placeholders.every((number) => number < count);
}
