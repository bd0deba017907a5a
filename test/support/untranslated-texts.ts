/** Finds text for users that cannot be translated. */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * In English: read by language models, in terminals, in the log and by developers of the extension, file formats, generated
 * code, and the errors of Go's templates.
 */
const ENGLISH = [
  'src/agents/preview-tool.ts',
  'src/agents/run-tool.ts',
  'src/agents/tool.ts',
  'src/agents/tools.ts',
  'src/agents/untrusted-data.ts',
  'src/cli/',
  'src/sandbox/',

  'src/actions/bulk/results.ts',
  'src/connections/session/request-log.ts',
  'src/documents/commands/format-types.ts',
  'src/documents/commands/infer-types.ts',
  'src/explorer/filter/condition.ts',
  'src/faces/policy/frame-policy.ts',
  'src/faces/render/card.ts',
  'src/faces/render/console-script.ts',
  'src/faces/render/document.ts',
  'src/faces/template/escape/',
  'src/faces/template/evaluate.ts',
  'src/faces/template/functions/',
  'src/faces/template/parse/',
  'src/platform/http/exchange.ts',
  'src/platform/http/public-address.ts',
  'src/platform/json/json-limits.ts',
  'src/webviews/client/dom.ts',
  'src/webviews/client/host-connection.ts',
  'src/webviews/client/icons.ts',
  'src/webviews/html.ts',
  'src/webviews/protocol/index.ts',
];
/** Names, which are the same in every language, and values of stored files. */
const NAMES = new Set([
  'Authorization',
  'does not exist any more',
  'Local Sandbox',
  'Smart Objects',
  'Smart Objects: {}',
  'POST auth.refreshPath',
]);

/** Two words, a word beside a placeholder, or a capitalized word. Identifiers of several words have hyphens. */
const TEXT = /[A-Za-z]{2} \(?[A-Za-z]{2}|\} [a-z]{3}|^[A-Z][a-z]+(?:…|:|\.)?$/;

/** Calls whose literals are messages already, lines of the log or texts for language models. */
const NOT_SHOWN = /^l10n\.t$|^ToolInputError$|\blog(?:\(\))?\.(?:debug|info|warn|error)$/;

const MARKUP = /^<[a-z{]/;

/** Whether a literal is only compared: `event.key === 'Enter'`, `case 'Escape':`. */
function isCompared({ parent }: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return /^[!=]==$/.test(parent.operatorToken.getText());
  return ts.isCaseClause(parent);
}

/** Whether a literal is a list of names: `'table td th'.split(' ')`, `class: 'row muted'`. */
function isWordList({ parent }: ts.Node): boolean {
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'class';
  return ts.isPropertyAccessExpression(parent) && parent.name.text === 'split';
}

/** The text of a string or template, with `{}` for its expressions; empty for any other node. */
function readLiteral(node: ts.Node): string {
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
  return ts.isStringLiteralLike(node) ? node.text : '';
}

/** Returns the literals of the sources that look like text for users and are not messages. */
export function findUntranslatedTexts(): readonly string[] {
  const files = fs.globSync('src/**/*.ts', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
  return files
    .filter((file) => !ENGLISH.some((start) => file.startsWith(start)))
    .flatMap((file) => findInSource(file, fs.readFileSync(path.join(ROOT, file), 'utf8')));
}

/** Returns the literals of one source that look like text for users and are not messages. */
export function findInSource(file: string, content: string): readonly string[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && NOT_SHOWN.test(node.expression.getText())) return;
    const text = readLiteral(node);
    if (TEXT.test(text) && !NAMES.has(text) && !MARKUP.test(text) && !isWordList(node) && !isCompared(node))
      found.push(`${file}: ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
