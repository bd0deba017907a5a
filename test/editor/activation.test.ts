/** The packed extension in real VS Code: it is there, it activates, and it does so without touching what is shared. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const ID = 'smart-objects.smart-object-explorer';

suite('activation', () => {
  test('the installed extension activates', async () => {
    const extension = vscode.extensions.getExtension(ID);
    assert.ok(extension, 'not installed');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  test('the extension under test is the packed one', () => {
    const extension = vscode.extensions.getExtension(ID);
    assert.match(extension?.extensionPath ?? '', /extensions[\\/]smart-objects\.smart-object-explorer-/);
  });
});
