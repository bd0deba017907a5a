/** Runs inside the extension host: activation times of one start, or memory of the host with the tree open. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { activationTimes, hostMemory } from './activation-metrics.ts';

const EXTENSION_ID = 'smart-objects.smart-object-explorer';
const EMPTY = 'smart-objects-tests.empty';

/** Prints a line that `activation.ts` collects. */
function report(what: string, value: unknown): void {
  console.log(`BENCH ${what} ${JSON.stringify(value)}`);
}

async function activate(id: string): Promise<void> {
  const extension = vscode.extensions.getExtension(id);
  assert.ok(extension !== undefined, `${id} is not installed`);
  await extension.activate();
}

suite('bench', () => {
  test('activation', async () => {
    // Both activate after the start of the editor.
    while (![EMPTY, EXTENSION_ID].every((id) => vscode.extensions.getExtension(id)?.isActive)) await sleep(50);
    report('ours', await activationTimes(EXTENSION_ID));
    report('empty', await activationTimes(EMPTY));
  });

  test('memory of the empty extension', async () => {
    await activate(EMPTY);
    await vscode.commands.executeCommand('workbench.view.explorer');
    report('memory', await hostMemory());
  });

  test('memory of ours with the tree open', async () => {
    await activate(EXTENSION_ID);
    await vscode.commands.executeCommand('smartObjects.startSandbox');
    await vscode.commands.executeCommand('smartObjects.explorer.focus');
    await vscode.commands.executeCommand('smartObjects.refresh');
    report('memory', await hostMemory());
  });
});
