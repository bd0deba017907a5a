/** Files of tests that build on each other run again as a whole. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { runNode } from '../../runtime/child-process.ts';
import { ROOT, createTemporaryFolder } from '../../runtime/paths.ts';

suite('files that run once more', () => {
  const passing = `suite('steady', () => { test('one', () => {}); });`;
  const lost = (attempts: number): string => `
    import fs from 'node:fs';
    suite('gesture', () => {
      test('before', () => {});
      test('is lost', () => {
        const marker = new URL('./attempts', import.meta.url);
        fs.appendFileSync(marker, '.');
        if (fs.readFileSync(marker, 'utf8').length <= ${String(attempts)}) throw new Error('no click');
      });
      test('after', () => {});
    });`;

  async function runFiles(files: Readonly<Record<string, string>>): Promise<{ output: string; counts: unknown }> {
    const dir = createTemporaryFolder('rerun-test');
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text);
    const glob = path.join(path.relative(ROOT, dir), '*.test.mjs');
    const env = { TALLY: path.join(dir, 'counts.json') };
    const { output } = await runNode(['test/runtime/mocha-suite.ts', glob, '--rerun'], { env });
    return { output, counts: JSON.parse(fs.readFileSync(env.TALLY, 'utf8')) };
  }

  test('a file that passes the second time counts once, and its failure is told', async () => {
    const { output, counts } = await runFiles({ 'a.test.mjs': lost(1), 'b.test.mjs': passing });
    assert.deepEqual(counts, { passed: 4, failed: 0, failures: [] });
    assert.match(output, /Tried again: gesture is lost\n {2}Error: no click/);
  });

  test('a file that fails twice fails', async () => {
    const { counts } = await runFiles({ 'a.test.mjs': lost(9), 'b.test.mjs': passing });
    const { passed, failed, failures } = counts as { passed: number; failed: number; failures: string[] };
    assert.deepEqual([passed, failed], [3, 1]);
    assert.match(failures.join(), /^gesture is lost/);
  });
});
