/** The translations of the extension as display languages. */
import fs from 'node:fs';
import path from 'node:path';
import { setDisplayLanguage } from '../../src/platform/text/localization.ts';

/** Sets a display language with its translations, for all tests of the suite that calls it. */
export function useDisplayLanguage(language: 'de' | 'es' | 'fr' | 'it' | 'pt-br' | 'ru'): void {
  suiteSetup(() => {
    const file = path.resolve(import.meta.dirname, `../../l10n/bundle.l10n.${language}.json`);
    setDisplayLanguage({ language, messages: fs.readFileSync(file, 'utf8') });
  });
  suiteTeardown(() => {
    setDisplayLanguage({ language: 'en' });
  });
}
