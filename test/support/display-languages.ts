/** The translations of the extension as display languages. */
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { setDisplayLanguage } from '../../src/platform/text/localization.ts';

/** Sets a display language with its translations, for all tests of the suite that calls it. */
export function useDisplayLanguage(language: 'de' | 'es' | 'fr' | 'it' | 'pt-br' | 'ru'): void {
  suiteSetup(() => {
    const file = path.resolve(import.meta.dirname, `../../l10n/bundle.l10n.${language}.json`);
    const messages = z.parse(z.record(z.string(), z.string()), JSON.parse(fs.readFileSync(file, 'utf8')));
    setDisplayLanguage({ language, messages });
  });
  suiteTeardown(() => {
    setDisplayLanguage({ language: 'en' });
  });
}
