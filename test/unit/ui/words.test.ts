/** A server's words and moments, as they are shown. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainLines, plainText } from '../../../src/platform/plain-text.ts';
import { localTime, parseDateTime, relativeTime, roughDuration } from '../../../src/ui/times.ts';

suite('words', () => {
  test('are one line, harmless, and cut with a sign of it', () => {
    assert.equal(plainText(' a\n\tb\u202ec\u0000 '), 'a b c');
    assert.equal(plainText('😀😀😀😀', 3), '😀😀…');
    assert.equal(plainText('abc', 3), 'abc');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 30 }), (text, most) => {
        const shown = plainText(text, most);
        assert.ok(Array.from(shown).length <= most);
        assert.doesNotMatch(shown, /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        assert.ok(shown.isWellFormed());
      }),
    );
  });

  test('hide nothing and reorder nothing: control, bidirectional, zero-width and tag characters go', () => {
    const hostile = '\u001b]52;c;aGk=\u0007\r::error::x\u202eexe.\u2066a\u2069\u200b\u061c\u00ad\u{e0041}\u{e0100}b';
    assert.equal(plainText(hostile), ']52;c;aGk= ::error::x exe. a b');
    assert.equal(plainLines('one\n  two\u202e\r\n'), 'one\n  two\n');
  });

  test('durations are in the largest unit that says enough', () => {
    const words = [0, 1000, 119_999, 120_000, 65 * 60_000, 2 * 3_600_000, 50 * 3_600_000].map((time) =>
      roughDuration(time),
    );
    assert.deepEqual(words, ['0 seconds', '1 second', '119 seconds', '2 minutes', '65 minutes', '2 hours', '2 days']);
  });

  test('moments: the contract’s form and nothing else', () => {
    assert.equal(parseDateTime('2025-05-03T12:05:09.123Z'), Date.UTC(2025, 4, 3, 12, 5, 9, 123));
    assert.equal(parseDateTime('2025-05-03T12:05:09+02:00'), Date.UTC(2025, 4, 3, 10, 5, 9));
    for (const text of ['2025-05-03', '2025-99-03T12:05:09Z', '1234567890', 'May 3', ''])
      assert.equal(parseDateTime(text), undefined, text);
    assert.match(localTime(Date.UTC(2025, 4, 3, 12, 5, 9), 'Europe/Zurich'), /^Sat.* 3 May 2025.* 14:05:09 \S+$/);
  });

  test('how long ago, and how long until', () => {
    const at = (away: number): string => relativeTime(1e12 + away, 1e12);
    assert.deepEqual(
      [at(0), at(-90_000), at(-3 * 3_600_000), at(2 * 86_400_000)],
      ['now', '1 minute ago', '3 hours ago', 'in 2 days'],
    );
  });
});
