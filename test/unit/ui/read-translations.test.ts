/** Translations as they ship: written by the build, read once for a display language. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { writeCompressed } from '../../../.config/compressed-files.mjs';
import { writePackedTranslations } from '../../../.config/pack-translations.mjs';
import { setDisplayLanguage } from '../../../src/platform/text/localization.ts';
import { unpackTranslations } from '../../../src/platform/text/packed-translations.ts';
import { readTranslations } from '../../../src/ui/read-translations.ts';

suite('packed translations of a display language', () => {
  let dir: string;
  let folder: URL;

  suiteSetup(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-l10n-'));
    writePackedTranslations(dir);
    folder = pathToFileURL(`${dir}/`);
  });
  suiteTeardown(() => {
    fs.rmSync(dir, { recursive: true });
    setDisplayLanguage({ language: 'en' });
  });

  const translate = (language: string, message: string): string => {
    const messages = readTranslations(language, folder);
    setDisplayLanguage({ language, ...(messages !== undefined && { messages: unpackTranslations(messages) }) });
    return l10n.t(message);
  };

  test('are those of the language, or of the language of a region', () => {
    assert.equal(translate('de', 'Problems'), 'Probleme');
    assert.equal(translate('de-AT', 'Problems'), 'Probleme');
    assert.equal(translate('pt-br', 'Problems'), 'Problemas');
  });

  test('of a language without translations are in English', () => {
    for (const language of ['en', 'en-gb', 'pt-pt', 'zh-cn', 'qps-ploc', 'keys', '../de-at'])
      assert.equal(readTranslations(language, folder), undefined, language);
  });

  test('a message without a translation is in English', () => {
    writeCompressed(path.join(dir, 'de.br'), ['']);
    assert.equal(translate('de', 'Problems'), 'Problems');
  });
});
