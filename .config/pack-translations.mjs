// Writes the translations as they ship.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../test/runtime/paths.ts';
import { hashMessage } from '../src/platform/text/packed-translations.ts';

const textsSchema = z.record(z.string(), z.string());

/**
 * Returns translations by the hash of their English messages. Throws if two messages have one hash: reword one of them.
 * @param {Readonly<Record<string, string>>} texts translations by English message
 * @returns {Record<string, string>}
 */
export function packTranslations(texts) {
  /** @type {Map<string, string>} */
  const messages = new Map();
  for (const message of Object.keys(texts)) {
    const other = messages.get(hashMessage(message));
    if (other !== undefined) throw new Error(`Two messages have one hash: ${JSON.stringify([other, message])}`);
    messages.set(hashMessage(message), message);
  }
  return Object.fromEntries([...messages].map(([hash, message]) => [hash, texts[message] ?? '']));
}

/** Packs `l10n/bundle.l10n.*.json` into `dist/l10n`, where VS Code reads the one of the display language. */
export function writePackedTranslations() {
  fs.mkdirSync(path.join(ROOT, 'dist/l10n'), { recursive: true });
  for (const file of fs.globSync('l10n/bundle.l10n.*.json', { cwd: ROOT })) {
    const texts = z.parse(textsSchema, JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')));
    fs.writeFileSync(path.join(ROOT, 'dist', file), JSON.stringify(packTranslations(texts)));
  }
}
