import assert from 'node:assert/strict';
import { parseActionFile } from '../../../../../src/actions/file/action-file.ts';
import { checkActionFile } from '../../../../../src/actions/file/check-action-file.ts';
import { getSendWarnings } from '../../../../../src/actions/run/confirm/send-warnings.ts';

suite('warnings before sending', () => {
  const createFile = (value: object) => ({ name: 'a', file: parseActionFile(JSON.stringify(value, null, 2)) });
  const plain = createFile({ action: { burn: { id: 'x' } } });
  const can = (answer: boolean | undefined) => ({ hasPermission: () => answer });

  test('a permission, only where it is known to be missing', () => {
    assert.deepEqual(getSendWarnings([plain], can(true), []), []);
    assert.deepEqual(getSendWarnings([plain], can(undefined), []), []);
    assert.deepEqual(getSendWarnings([plain, plain], can(false), []), [
      'Your role lacked the permission ebus.actions: create when it was last read.',
    ]);
    assert.deepEqual(getSendWarnings([], { ...can(false), identityName: 'buyer' }, []), [
      'The role of buyer lacked the permission ebus.actions: create when it was last read.',
    ]);
  });

  test('a known secret or a token in the file, at its line and without its value', () => {
    const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2ln';
    const secret = 'a-value-of-the-store';
    for (const note of [token, `see ${secret}`]) {
      const named = createFile({ action: { update: { id: 'x', data: { custom: { note } } } } });
      const [objection, ...others] = getSendWarnings([plain, named], can(undefined), [secret]);
      assert.match(objection ?? '', /^a, line 7: This .*. It is sent with the file. Use \$\{secret:note\} .*\.$/);
      assert.equal(objection?.includes(note), false);
      assert.deepEqual(others, []);
    }
    // What else is wrong with a file is in Problems.
    const odd = createFile({ action: { burn: {} } });
    assert.ok(checkActionFile(odd.file).length > 0);
    assert.deepEqual(getSendWarnings([odd], can(undefined), []), []);
  });
});
