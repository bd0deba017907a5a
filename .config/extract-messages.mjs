// Extracts the messages of source files.
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '../test/runtime/paths.ts';

/** What takes a message: `stored` of `src/platform/text/message.ts` formats it later. */
const FUNCTIONS = ['l10n.t', 'stored'];

/**
 * Returns the messages that a file passes to `l10n.t` or `stored`, by key: the message, with a comment `message/comment`.
 * @param {string} file relative to the root
 * @returns {Record<string, string>}
 */
export function extractMessages(file) {
  const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
  if (!FUNCTIONS.some((name) => text.includes(`${name}(`))) return {};
  /** @type {Record<string, string>} */
  const messages = {};
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (ts.isCallExpression(node) && FUNCTIONS.includes(node.expression.getText())) {
      const [first] = node.arguments;
      const message = readLiteral(first, 'message');
      const comment = readLiteral(first, 'comment');
      if (message !== undefined) messages[comment === undefined ? message : `${message}/${comment}`] = message;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return messages;
}

/**
 * Returns the text of a string, or of a field of an object literal.
 * @param {ts.Node | undefined} node
 * @param {'message' | 'comment'} field
 * @returns {string | undefined}
 */
function readLiteral(node, field) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return field === 'message' ? node.text : undefined;
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const property = node.properties.find(({ name }) => name?.getText() === field);
  return property !== undefined && ts.isPropertyAssignment(property)
    ? readLiteral(property.initializer, 'message')
    : undefined;
}

/**
 * Returns the messages of each file in `src` that has some.
 * @returns {Record<string, Record<string, string>>}
 */
export function extractAllMessages() {
  const files = fs.globSync('src/**/*.ts', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
  return Object.fromEntries(
    files
      .sort()
      .map((file) => /** @type {const} */ ([file, extractMessages(file)]))
      .filter(([, messages]) => Object.keys(messages).length > 0),
  );
}
