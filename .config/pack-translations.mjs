// Writes the translations as they ship.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../test/runtime/paths.ts';
import { writeCompressed } from './compressed-files.mjs';
import { hashMessage } from '../src/platform/text/packed-translations.ts';
import { readEnglish } from './translation-files.mjs';

const textsSchema = z.record(z.string(), z.string());

/**
 * Returns the keys of messages, in their order. Throws if two messages have one hash: reword one of them.
 * @param {readonly string[]} messages in English
 */
export function packKeys(messages) {
  /** @type {Map<string, string>} */
  const keys = new Map();
  for (const message of messages) {
    const other = keys.get(hashMessage(message));
    if (other !== undefined) throw new Error(`Two messages have one hash: ${JSON.stringify([other, message])}`);
    keys.set(hashMessage(message), message);
  }
  return [...keys.keys()];
}

/**
 * Returns the translations of messages in their order; empty if there is none.
 * @param {readonly string[]} messages in English
 * @param {Readonly<Record<string, string>>} texts translations by English message
 */
export function packTranslations(messages, texts) {
  return messages.map((message) => texts[message] ?? '');
}

/**
 * Packs `l10n/bundle.l10n.*.json`: one file with the keys for all languages, and one for each language.
 * @param {string} folder where they are written
 */
export function writePackedTranslations(folder) {
  const messages = Object.keys(readEnglish().messages);
  writeCompressed(path.join(folder, 'keys.br'), packKeys(messages));
  for (const file of fs.globSync('l10n/bundle.l10n.*.json', { cwd: ROOT })) {
    const texts = z.parse(textsSchema, JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')));
    const name = path.basename(file, '.json').replace('bundle.l10n.', '');
    writeCompressed(path.join(folder, `${name}.br`), packTranslations(messages, texts));
  }
}
