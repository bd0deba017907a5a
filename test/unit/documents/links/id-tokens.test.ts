/** Known ids are found in any text, and nothing else is. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findIdLikeAt, findKnownTokenAt, findKnownTokens } from '../../../../src/documents/links/id-tokens.ts';

const id = fc.oneof(
  fc.uuid(),
  fc.stringMatching(/^[a-f0-9]{24}$/),
  fc.stringMatching(/^[a-z]{3}_[a-z0-9]{12,24}$/),
  fc.stringMatching(/^did:key:z[A-Za-z0-9]{8,30}$/),
  fc.stringMatching(/^[\w-]{4,40}$/),
);
const before = fc.constantFrom(
  '',
  ' ',
  '"',
  "'",
  '`',
  '(',
  '[',
  'ID=',
  'id: ',
  '"id":"',
  '/objects/',
  '<',
  '#',
  ',',
  '\n',
  '\t',
  '//',
  '=',
);
const after = fc.constantFrom(
  '',
  ' ',
  '"',
  "'",
  '`',
  ')',
  ']',
  ',',
  ';',
  '.',
  ':',
  '/',
  '\n',
  '?x=1',
  '.json',
  '>',
  '|',
);

suite('ids in code', () => {
  test('a known id is found in any context', () => {
    fc.assert(
      fc.property(id, before, after, fc.string(), fc.string(), (known, left, right, head, tail) => {
        // The separators keep the id from merging with its context.
        const text = `${head}\n${left}${known}${right}\n${tail}`;
        const offset = head.length + 1 + left.length;
        const found = findKnownTokenAt(text, offset + Math.floor(known.length / 2), (word) => word === known);
        assert.deepEqual(found, { start: offset, end: offset + known.length, text: known });
      }),
      { numRuns: 2000 },
    );
  });

  test('every token is known, at its offset, and none overlaps another', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(id, before, after, fc.string()), { maxLength: 20 }),
        fc.array(id),
        (parts, others) => {
          const text = parts.join('');
          const known = new Set([...parts.filter((part) => part.length > 5), ...others]);
          let end = 0;
          for (const token of findKnownTokens(text, (word) => known.has(word))) {
            assert.ok(known.has(token.text) && token.start >= end);
            assert.equal(text.slice(token.start, token.end), token.text);
            end = token.end;
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('words of prose and code do not look like ids', () => {
    const looks = (word: string): boolean => findIdLikeAt(`x ${word} y`, 3) !== undefined;
    for (const word of [
      'objects',
      'template_id',
      'smart_object_explorer',
      'snake_case_words_here',
      'getObjectById',
      '2025-01-01',
      'deadbeef',
    ])
      assert.equal(looks(word), false, word);
    for (const word of [
      '0b26d1f8-9f4e-4c0c-8a31-2f8f6f7f0b11',
      'obj_53d67015e05c671e7823356d',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      '507f1f77bcf86cd799439011',
    ])
      assert.equal(looks(word), true, word);
  });

  test('a megabyte without a separator needs few look-ups', () => {
    const tested: string[] = [];
    findKnownTokens('a'.repeat(1_000_000), (word) => tested.push(word) < 0);
    assert.ok(tested.length < 10);
  });
});
