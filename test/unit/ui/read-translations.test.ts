import assert from 'node:assert/strict';
import { readRegionTranslations } from '../../../src/ui/read-translations.ts';

const FOLDER = new URL('../../../l10n/', import.meta.url);

suite('messages of a region', () => {
  test('fall back to those of its language', () => {
    assert.equal(readRegionTranslations('de-AT', FOLDER)?.['Problems'], 'Probleme');
    assert.equal(readRegionTranslations('de-at', FOLDER)?.['Problems'], 'Probleme');
  });

  test('of a language without translations are in English', () => {
    for (const language of ['en', 'en-gb', 'pt-pt', 'zh-cn', 'qps-ploc', '../de-at'])
      assert.equal(readRegionTranslations(language, FOLDER), undefined, language);
  });
});
