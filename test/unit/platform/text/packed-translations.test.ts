/** Packed translations: the text of each message is found, and two messages with one hash are refused. */
import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { packKeys, packTranslations } from '../../../../.config/pack-translations.mjs';
import { setDisplayLanguage } from '../../../../src/platform/text/localization.ts';
import { unpackTranslations } from '../../../../src/platform/text/packed-translations.ts';

suite('packed translations', () => {
  teardown(() => {
    setDisplayLanguage({ language: 'en' });
  });

  test('messages are translated by their English text, with and without a comment', () => {
    const english = ['Open {0}', 'Close', 'List/Noun'];
    const texts = packTranslations(english, { 'List/Noun': 'Liste', 'Open {0}': '{0} öffnen' });
    assert.deepEqual(texts, ['{0} öffnen', '', 'Liste']);
    const messages = Object.fromEntries(packKeys(english).map((key, index) => [key, texts[index] ?? '']));
    setDisplayLanguage({ language: 'de', messages: unpackTranslations(messages) });
    assert.equal(l10n.t('Open {0}', 'Ticket'), 'Ticket öffnen');
    assert.equal(l10n.t({ message: 'List', args: [], comment: 'Noun' }), 'Liste');
    assert.equal(l10n.t('Close'), 'Close');
  });

  test('two messages with one hash are refused', () => {
    assert.throws(() => packKeys(['costarring', 'liquid']), /costarring.*liquid/);
  });
});
