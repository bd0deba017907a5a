/** What stands against sending: a permission that is known to be missing, and a credential in the file. */
import assert from 'node:assert/strict';
import { parseActionFile } from '../../../src/actions/file.ts';
import { objectionsTo } from '../../../src/actions/objections.ts';

suite('what stands against sending', () => {
  const fileOf = (value: object) => ({ name: 'a', file: parseActionFile(JSON.stringify(value, null, 2)) });
  const plain = fileOf({ action: { burn: { id: 'x' } } });
  const can = (answer: boolean | undefined) => ({ can: () => answer });

  test('a permission, only where it is known to be missing', () => {
    assert.deepEqual(objectionsTo([plain], can(true), []), []);
    assert.deepEqual(objectionsTo([plain], can(undefined), []), []);
    assert.deepEqual(objectionsTo([plain, plain], can(false), []), [
      'Your role lacked the permission ebus.actions: create when it was last read.',
    ]);
  });

  test('a known secret or a token in the file, at its line and without its value', () => {
    const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2ln';
    const held = 'a-value-of-the-store';
    for (const note of [token, `see ${held}`]) {
      const named = fileOf({ action: { update: { id: 'x', data: { custom: { note } } } } });
      const [objection, ...others] = objectionsTo([plain, named], can(undefined), [held]);
      assert.match(objection ?? '', /^a, line 7: This .* is sent with the file: use \$\{secret:note\}, .*\.$/);
      assert.equal(objection?.includes(note), false);
      assert.deepEqual(others, []);
    }
  });
});
