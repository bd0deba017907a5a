/** Values of variables in texts, JSON and errors: none is shown, and nothing else is hidden. */
import assert from 'node:assert/strict';
import { Redactor, redactText } from '../../../../src/actions/run/redact-variables.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';

suite('redacted values', () => {
  test('of 8 characters or more: anywhere, also on one line, trimmed or as JSON', () => {
    const redact = (text: string): string => redactText(text, ['12345678', ' line one\n\n  line "two" ']);
    assert.equal(redact('a12345678b, 1234567'), 'a••••b, 1234567');
    assert.equal(redact('<line one line "two">'), '<••••>');
    assert.equal(redact(JSON.stringify({ a: ' line one\n\n  line "two" ' })), '{"a":"••••"}');
    // What is left of it on one line is short, and may be any text.
    assert.equal(redactText('about', ['\n'.repeat(7) + 'ab']), 'about');
    assert.equal(redactText('of eight: 87654321', ['\n\n87654321']), 'of eight: ••••');
  });

  test('that begin with another one: to the end, also if they are cut', () => {
    const redact = (text: string): string => redactText(text, ['winter2026', 'winter2026-Kx9qPz']);
    assert.equal(redact('no winter2026-Kx9qPz'), 'no ••••');
    assert.equal(redact('no winter2026-Kx9…'), 'no ••••…');
  });

  test('shorter: only as the whole value', () => {
    const redact = (text: string): string => redactText(text, ['1"2']);
    assert.equal(redact('1"2'), '••••');
    assert.equal(redact('1"23'), '1"23');
    assert.equal(redact(JSON.stringify({ a: '1"2', b: '1"23' })), '{"a":"••••","b":"1\\"23"}');
    assert.equal(redactText('"1234567" 1234567', ['1234567']), '"••••" 1234567');
  });

  test('cut: if four of its characters are left', () => {
    const redact = (text: string): string => redactText(text, ['abcdefghij']);
    assert.equal(redact('it is abcd…'), 'it is ••••…');
    assert.equal(redact('it is abcdefghi…'), 'it is ••••…');
    assert.equal(redact('abcdefghi…'), '••••…');
    assert.equal(redact('it is abc…'), 'it is abc…');
    assert.equal(redact('it is abcd.'), 'it is abcd.');
  });

  test('in each string and name of a JSON value', () => {
    const redactor = new Redactor(['the-value']);
    assert.deepEqual(redactor.redact({ a: ['the-value', 5, null, true], 'is the-value': { b: 'the-value' } }), {
      a: ['••••', 5, null, true],
      'is ••••': { b: '••••' },
    });
    const value = {};
    assert.equal(new Redactor([]).redact(value), value);
  });

  test('of a value nested too deeply, four levels are left', () => {
    let list: unknown = 'the-value';
    let object: unknown = 'the-value';
    for (let depth = 0; depth < 100_000; depth++) [list, object] = [[list], { a: object }];
    const redactor = new Redactor(['the-value']);
    assert.deepEqual(redactor.redact({ text: 'the-value', list, object }), {
      text: '••••',
      list: [[[undefined]]],
      object: { a: { a: { a: undefined } } },
    });
    let shallow: unknown = 7;
    for (let depth = 0; depth < 3; depth++) shallow = [shallow];
    assert.deepEqual(redactor.redact({ shallow, list }), { shallow: [[[7]]], list: [[[undefined]]] });
  });

  test('in each text of an error; others stay as they are', () => {
    const redactor = new Redactor(['the-value']);
    const detail = { status: 400, requestId: 'id the-value', serverMessage: 'no the-value', body: 'a the-value' };
    const redacted = redactor.redactError(new PlatformError('badRequest', 'It is the-value.', detail));
    assert.ok(redacted instanceof PlatformError);
    assert.deepEqual(
      [redacted.code, redacted.message, redacted.detail],
      ['badRequest', 'It is ••••.', { status: 400, requestId: 'id ••••', serverMessage: 'no ••••', body: 'a ••••' }],
    );
    const bare = redactor.redactError(new PlatformError('network', 'Lost.', {}));
    assert.ok(bare instanceof PlatformError);
    assert.deepEqual(bare.detail, {});
    const defect = new Error('a defect');
    assert.equal(redactor.redactError(defect), defect);
    const same = new PlatformError('network', 'Lost.', { body: '{"a": 1}' });
    assert.equal(new Redactor([]).redactError(same), same);
  });
});
