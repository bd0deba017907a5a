/** Copy Runner Command: the line for a terminal. */
import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { actionSuite, folder, readIds, write } from '../support/actions.ts';
import { getSandbox } from '../support/sandbox.ts';

actionSuite('actions: runner command', (getExtension) => {
  test('the runner’s command is copied with the connection, and without a credential', async () => {
    const extension = getExtension();
    await extension.addConnection({
      name: 'Live & kicking',
      baseUrl: getSandbox().baseUrl,
      environment: 'production',
      auth: { apiKeyHeader: 'x-key' },
    });
    await extension.features.run('selectConnection', 'Live & kicking');
    const uri = await write('runner/it is.action.json', { action: { burn: { id: 'x' } } });
    await extension.features.run('copyRunner', uri);
    const command = await vscode.env.clipboard.readText();
    const cli = vscode.Uri.joinPath(extension.features.context.extensionUri, 'dist/cli.mjs');
    assert.equal(
      command,
      `node ${cli.fsPath} run 'runner/it is.action.json' --base-url ${getSandbox().baseUrl} --name 'Live & kicking' --environment production --api-key-header x-key`,
    );
    assert.ok((await vscode.workspace.fs.stat(cli)).size > 10_000);
    assert.equal(command.includes(getSandbox().apiKey), false);
  });

  test('the copied command runs the file with the program of the installed extension', async () => {
    const extension = getExtension();
    const template = (await readIds(extension)).template('Jacket');
    const uri = await write('runner/mint.action.json', { action: { mint: { template_id: template, num: 1 } } });
    await extension.features.run('copyRunner', uri);
    const command = await vscode.env.clipboard.readText();
    const isWindows = process.platform === 'win32';
    // The user's own Node may be too old; that of the extension host is not.
    const { stdout } = await promisify(exec)(
      command.replace(/^node/, () => `${isWindows ? '& ' : ''}'${process.execPath}'`),
      {
        cwd: folder().fsPath,
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', SMART_OBJECTS_API_KEY: getSandbox().apiKey },
        ...(isWindows && { shell: 'powershell.exe' }),
      },
    );
    assert.match(stdout, /^ok +mint: completed/m);
  });
});
