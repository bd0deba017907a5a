import assert from 'node:assert/strict';
import { readRegionMessages } from '../../../src/ui/read-messages.ts';

const FOLDER = new URL('../../../l10n/', import.meta.url);

suite('messages of a region', () => {
  test('fall back to those of its language', () => {
    assert.equal(readRegionMessages('de-AT', FOLDER)?.['Problems'], 'Probleme');
    assert.equal(readRegionMessages('de-at', FOLDER)?.['Problems'], 'Probleme');
  });

  test('of a language without translations are in English', () => {
    for (const language of ['en', 'en-gb', 'pt-pt', 'zh-cn', 'qps-ploc', '../de-at'])
      assert.equal(readRegionMessages(language, FOLDER), undefined, language);
  });
});
