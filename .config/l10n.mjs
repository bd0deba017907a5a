// npm run l10n: writes the messages of the sources to l10n/bundle.l10n.json, removes texts that are not used from the
// translations and lists those that are missing. --pseudo also writes the translations into a pseudo-language, in which
// text that is cut off or not translated is easy to see.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../test/runtime/paths.ts';
import { extractAllMessages } from './extract-messages.mjs';
import { pseudoLocalize } from './pseudo-localize.mjs';

const textsSchema = z.record(z.string(), z.string());

/** @type {(file: string) => Record<string, string>} */
const readTexts = (file) => z.parse(textsSchema, JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')));

/** @type {(file: string, content: unknown) => void} */
const write = (file, content) => {
  fs.writeFileSync(path.join(ROOT, file), `${JSON.stringify(content, undefined, 2)}\n`);
};

/** @type {(file: string, keys: readonly string[]) => void} */
function updateTranslation(file, keys) {
  const texts = readTexts(file);
  write(file, Object.fromEntries(keys.flatMap((key) => (key in texts ? [[key, texts[key]]] : []))));
  for (const key of keys) if (!(key in texts)) console.log(`${file} lacks ${JSON.stringify(key)}`);
}

const messages = await extractAllMessages();
const titles = readTexts('package.nls.json');
write('l10n/bundle.l10n.json', messages);
for (const file of fs.globSync('l10n/bundle.l10n.*.json', { cwd: ROOT }))
  updateTranslation(file, Object.keys(messages));
for (const file of fs.globSync('package.nls.*.json', { cwd: ROOT })) updateTranslation(file, Object.keys(titles));
if (process.argv.includes('--pseudo')) {
  write('l10n/bundle.l10n.qps-ploc.json', pseudoLocalize(messages));
  write('package.nls.qps-ploc.json', pseudoLocalize(titles));
}
