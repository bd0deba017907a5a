// npm run l10n: brings the files of translations in line with the English texts. Translations of changed texts go to
// `l10n/outdated` and those of deleted texts are removed; both are missing, and listed.
//   --check   writes nothing, and fails if a translation is missing
//   --pseudo  also writes a pseudo-language, in which text that is cut off or not translated is easy to see
import { pseudoLocalize } from './pseudo-localize.mjs';
import { listMissing, readEnglish, readTranslations, writeTexts, writeTranslations } from './translation-files.mjs';

const options = new Set(process.argv.slice(2));
const translations = readTranslations();
const missing = listMissing(translations.files);
if (!options.has('--check')) {
  writeTranslations(translations);
  for (const { file, removed } of translations.files)
    for (const [key, text] of removed) console.log(`${file}: removed ${JSON.stringify(key)}: ${JSON.stringify(text)}`);
} else if (missing.length > 0) process.exitCode = 1;
for (const line of missing) console.log(line);
console.log(`Texts with a missing translation: ${missing.length}`);
if (options.has('--pseudo')) {
  const { messages, titles } = readEnglish();
  writeTexts('l10n/bundle.l10n.qps-ploc.json', pseudoLocalize(messages));
  writeTexts('package.nls.qps-ploc.json', pseudoLocalize(titles));
}
