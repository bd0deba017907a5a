import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import {
  formatNumber,
  getDisplayLanguage,
  pluralize,
  setDisplayLanguage,
} from '../../../../src/platform/text/localization.ts';

const ROWS = '{0} row of {1}|{0} rows of {1}';

function pluralizeRows(...counts: readonly number[]): readonly string[] {
  return counts.map((count) => pluralize(count, l10n.t(ROWS), 'x'));
}

suite('display language', () => {
  teardown(() => {
    setDisplayLanguage({ language: 'en' });
  });

  test('is English at first', () => {
    assert.deepEqual(pluralizeRows(0, 1, 2, 12_300), ['0 rows of x', '1 row of x', '2 rows of x', '12,300 rows of x']);
  });

  test('selects the forms of a language that has more of them', () => {
    setDisplayLanguage({
      language: 'ru',
      messages: { [ROWS]: '{0} строка из {1}|{0} строки из {1}|{0} строк из {1}' },
    });
    assert.deepEqual(pluralizeRows(1, 3, 5, 21), ['1 строка из x', '3 строки из x', '5 строк из x', '21 строка из x']);
  });

  test('selects the last form where a translation has fewer forms than the language', () => {
    setDisplayLanguage({ language: 'es', messages: JSON.stringify({ [ROWS]: '{0} fila de {1}|{0} filas de {1}' }) });
    assert.deepEqual(pluralizeRows(1, 2, 1_000_000), ['1 fila de x', '2 filas de x', '1.000.000 filas de x']);
  });

  test('is English without translations', () => {
    setDisplayLanguage({ language: 'ru' });
    assert.deepEqual(
      [getDisplayLanguage(), formatNumber(1234.5), ...pluralizeRows(2)],
      ['en', '1,234.5', '2 rows of x'],
    );
  });

  test('text in a value is not a placeholder or another form', () => {
    assert.equal(pluralize(1, ROWS, '{0}|{1}'), '1 row of {0}|{1}');
  });
});
