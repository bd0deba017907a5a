/** `npm run bench` never ends well without a measurement. */
import assert from 'node:assert/strict';
import { runNode } from '../../runtime/child-process.ts';

suite('npm run bench', () => {
  for (const [what, args, message] of [
    ['an unknown measurement', ['lisitng'], /^Unknown: lisitng\. Known: listing, loadAll, /],
    ['a package that does not exist', ['--against', 'old.vsix'], /^Not found: old\.vsix/],
  ] as const)
    test(`${what} is an error, before anything is installed or measured`, async () => {
      const { code, output } = await runNode(['test/bench/run.ts', ...args]);
      assert.equal(code, 2, output);
      assert.match(output, message);
    });
});
