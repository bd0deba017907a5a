/** `npm start` as a browser meets it: the printed address opens the window, and SIGTERM ends everything. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { killOnExit } from '../runtime/child-process.ts';
import { launchBrowser, workbenchReady } from '../runtime/editor.ts';
import { ROOT } from '../runtime/paths.ts';
import { treeRow } from './support/gestures.ts';
import { until, webview } from './support/workbench.ts';

/** All descendants of a process. */
function listDescendants(root: number): readonly number[] {
  const parents = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = /\) \w (\d+)/.exec(fs.readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
        return parent === undefined ? [] : [[Number(name), Number(parent)] as const];
      } catch {
        return [];
      }
    });
  const find = (pid: number): readonly number[] =>
    parents.flatMap(([child, parent]) => (parent === pid ? [child, ...find(child)] : []));
  return find(root);
}

function isRunning(pid: number): boolean {
  try {
    // A zombie has ended.
    return !fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(') Z');
  } catch {
    return false;
  }
}

suite('npm start', () => {
  test('the printed address opens the window with its webviews, and SIGTERM ends the editor and its server', async () => {
    const child = spawn('npm', ['start', '--silent', '--', '--no-open', '--no-build'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    killOnExit(child);
    const browser = await launchBrowser();
    try {
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      let address: string | undefined;
      await until(() => (address = /http:\S+\?tkn=\S+/.exec(output)?.[0]) !== undefined || child.exitCode !== null);
      assert.ok(address, output);
      assert.match(new URL(address).hostname, /^smart-objects-[0-9a-f]{16}\.localhost$/);
      const page = await browser.context.newPage();
      await page.goto(address);
      // A new profile: its first start is slow.
      await workbenchReady(page, 60_000);
      await webview(page).getByText('Smart Objects').first().waitFor();
      await treeRow(page, 'Local Sandbox').waitFor();
      const [cookie] = (await browser.context.cookies()).filter(({ name }) => name === 'smart-objects-start');
      assert.deepEqual([cookie?.sameSite, cookie?.httpOnly], ['Strict', true]);
      const pids = listDescendants(child.pid ?? 0);
      assert.ok(pids.length >= 3, 'the program, the server and its extension host');
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
      await until(() => !pids.some(isRunning));
    } finally {
      child.kill('SIGKILL');
      await browser.close();
    }
  });
});
