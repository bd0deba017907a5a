/** Run by the bench inside the extension host: one start's activation times, or the host's memory with the tree open. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { activationTimes, hostMemory } from '../runtime/perf.ts';

const OURS = 'smart-objects.smart-object-explorer';
const EMPTY = 'smart-objects-tests.empty';

/** The bench outside reads these lines. */
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
    // Both come by themselves once the editor has started; this only waits for them.
    while (![EMPTY, OURS].every((id) => vscode.extensions.getExtension(id)?.isActive)) await sleep(50);
    report('ours', await activationTimes(OURS));
    report('empty', await activationTimes(EMPTY));
  });

  test('memory of the empty extension', async () => {
    await activate(EMPTY);
    await vscode.commands.executeCommand('workbench.view.explorer');
    report('memory', await hostMemory());
  });

  test('memory of ours with the tree open', async () => {
    await activate(OURS);
    await vscode.commands.executeCommand('smartObjects.startSandbox');
    await vscode.commands.executeCommand('smartObjects.explorer.focus');
    await vscode.commands.executeCommand('smartObjects.refresh');
    report('memory', await hostMemory());
  });
});
