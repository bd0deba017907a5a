/** An export says that another file uses it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What VS Code calls. */
const ENTRY_POINTS = ['src/extension.ts'];

const files = fs
  .globSync(['{src,test}/**/*.ts', '.config/*.mjs', 'esbuild.mjs'], {
    cwd: ROOT,
    exclude: (file) => file.endsWith('node_modules'),
  })
  .map((file) => file.replaceAll('\\', '/'));

function isExported(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

/** The names that a file exports by a declaration, and all names in it. */
function readNames(file: string): { readonly exported: readonly string[]; readonly used: ReadonlySet<string> } {
  const source = ts.createSourceFile(
    file,
    fs.readFileSync(path.join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const exported = source.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    return ts.isDeclarationStatement(statement) ? [statement.name?.getText() ?? ''] : [];
  });
  return { exported, used };
}

suite('exports', () => {
  test('another file uses each', function () {
    // Slow: parses all files.
    this.timeout(60_000);
    const names = files.map((file) => ({ file, ...readNames(file) }));
    const users = new Map<string, number>();
    for (const { used } of names) for (const name of used) users.set(name, (users.get(name) ?? 0) + 1);
    const unused = names
      .filter(({ file }) => file.startsWith('src/') && !ENTRY_POINTS.includes(file))
      .flatMap(({ file, exported }) =>
        exported.filter((name) => (users.get(name) ?? 0) < 2).map((name) => `${file}: ${name}`),
      );
    assert.deepEqual(unused, []);
  });
});
