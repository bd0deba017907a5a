// npm run l10n: writes the messages of the sources to l10n/bundle.l10n.json. --pseudo also writes the translations into a
// pseudo-language, in which text that is cut off or not translated is easy to see.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../test/runtime/paths.ts';
import { extractAllMessages } from './extract-messages.mjs';
import { pseudoLocalize } from './pseudo-localize.mjs';

/** @type {(file: string, content: unknown) => void} */
const write = (file, content) => {
  fs.mkdirSync(path.join(ROOT, 'l10n'), { recursive: true });
  fs.writeFileSync(path.join(ROOT, file), `${JSON.stringify(content, undefined, 2)}\n`);
};

const messages = await extractAllMessages();
write('l10n/bundle.l10n.json', messages);
if (process.argv.includes('--pseudo')) {
  write('l10n/bundle.l10n.qps-ploc.json', pseudoLocalize(messages));
  const titles = fs.readFileSync(path.join(ROOT, 'package.nls.json'), 'utf8');
  write('package.nls.qps-ploc.json', pseudoLocalize(z.parse(z.record(z.string(), z.string()), JSON.parse(titles))));
}
