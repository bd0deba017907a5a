/** A server's words and moments, as they are shown. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { setDisplayLanguage } from '../../../../src/platform/text/localization.ts';
import { showInvisible, toPlainLines, toPlainText } from '../../../../src/platform/text/plain-text.ts';
import {
  formatLocalTime,
  formatRelativeTime,
  formatTimeDistance,
  parseDateTime,
} from '../../../../src/model/text/time-format.ts';

suite('plain text', () => {
  test('is one line, sanitized, and truncated with an ellipsis', () => {
    assert.equal(toPlainText(' a\n\tb\u202ec\u0000 '), 'a b c');
    assert.equal(toPlainText('😀😀😀😀', 3), '😀😀…');
    assert.equal(toPlainText('abc', 3), 'abc');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 30 }), (text, maxLength) => {
        const plain = toPlainText(text, maxLength);
        assert.ok(Array.from(plain).length <= maxLength);
        assert.doesNotMatch(plain, /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        assert.ok(plain.isWellFormed());
      }),
    );
  });

  test('control, bidirectional, zero-width and tag characters are removed', () => {
    const hostile = '\u001b]52;c;aGk=\u0007\r::error::x\u202eexe.\u2066a\u2069\u200b\u061c\u00ad\u{e0041}\u{e0100}b';
    assert.equal(toPlainText(hostile), ']52;c;aGk= ::error::x exe. a b');
    assert.equal(toPlainLines('one\n  two\u202e\r\n'), 'one\n  two\n');
  });

  test('what a font may ignore is removed or shown, and emoji stay whole', () => {
    for (const hidden of [
      '\u3164',
      '\u115f',
      '\u034f',
      '\u180b',
      '\u200d',
      '\ufe00',
      '\ufe0f',
      '\u{e0141}',
      '\u{e0020}',
    ]) {
      assert.equal(toPlainText(`a${hidden}b`), 'a b', hidden);
      assert.equal(showInvisible(`a${hidden}b`), `a\\u{${hidden.codePointAt(0)?.toString(16) ?? ''}}b`);
    }
    for (const emoji of ['👩‍👩‍👧', '👍🏽', '❤️‍🔥', '1️⃣', '🏳️‍🌈', '☺︎', 'é 海 नमस्ते']) {
      assert.equal(toPlainText(emoji), emoji);
      assert.equal(showInvisible(emoji), emoji);
    }
    // Pairs of variation selectors carry hidden text.
    assert.equal(toPlainText('😀\ufe0f\ufe0e\ufe03'), '😀\ufe0f');
    assert.equal(showInvisible(' a\n\u001b[2Jb\u202e '), 'a [2Jb\\u{202e}');
  });

  test('durations use the largest unit with at least two', () => {
    const durations = [0, 1000, 119_999, 120_000, 65 * 60_000, 2 * 3_600_000, 50 * 3_600_000].map((time) =>
      formatTimeDistance(0, time),
    );
    assert.deepEqual(durations, [
      '0 seconds ago',
      '1 second ago',
      '119 seconds ago',
      '2 minutes ago',
      '65 minutes ago',
      '2 hours ago',
      '2 days ago',
    ]);
  });

  test('only the contract’s date-times are parsed', () => {
    assert.equal(parseDateTime('2025-05-03T12:05:09.123Z'), Date.UTC(2025, 4, 3, 12, 5, 9, 123));
    assert.equal(parseDateTime('2025-05-03T12:05:09+02:00'), Date.UTC(2025, 4, 3, 10, 5, 9));
    for (const text of ['2025-05-03', '2025-99-03T12:05:09Z', '1234567890', 'May 3', ''])
      assert.equal(parseDateTime(text), undefined, text);
    const time = Date.UTC(2025, 4, 3, 12, 5, 9);
    const full = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZoneName: 'short' } as const;
    const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    assert.equal(
      formatLocalTime(time, 'Europe/Zurich'),
      new Intl.DateTimeFormat(undefined, { ...full, ...clock, timeZone: 'Europe/Zurich' }).format(time),
    );
  });

  test('how long ago, and how long until', () => {
    const at = (away: number): string => formatRelativeTime(1e12 + away, 1e12);
    assert.deepEqual(
      [at(0), at(-90_000), at(-3 * 3_600_000), at(2 * 86_400_000)],
      ['now', '1 minute ago', '3 hours ago', 'in 2 days'],
    );
    // Not yesterday, tomorrow, last month or last year: these can be other days, months and years.
    assert.deepEqual([-47 * 3_600_000, 47 * 3_600_000, -31 * 86_400_000, -400 * 86_400_000].map(at), [
      '1 day ago',
      'in 1 day',
      '1 month ago',
      '1 year ago',
    ]);
  });

  test('distances are numbers in the largest unit with at least two', () => {
    const distances = [0, -999, 119_000, 119 * 60_000, 47 * 3_600_000, 48 * 3_600_000, -45 * 86_400_000];
    const at = (): readonly string[] => distances.map((away) => formatTimeDistance(1e12 + away, 1e12));
    assert.deepEqual(at(), [
      '0 seconds ago',
      '0 seconds ago',
      'in 119 seconds',
      'in 119 minutes',
      'in 47 hours',
      'in 2 days',
      '45 days ago',
    ]);
    setDisplayLanguage({ language: 'de', messages: {} });
    try {
      assert.deepEqual([at()[4], at()[6]], ['in 47 Stunden', 'vor 45 Tagen']);
    } finally {
      setDisplayLanguage({ language: 'en' });
    }
  });
});
