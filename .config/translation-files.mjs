// The files of the English texts and of their translations.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../test/runtime/paths.ts';
import { extractAllMessages } from './extract-messages.mjs';
import { findReplacements, updateTranslations } from './update-translations.mjs';

/** The English texts that the last run of `npm run l10n` found. */
const LAST_RUN = 'l10n/last-run.json';
const textsSchema = z.record(z.string(), z.string());
const lastRunSchema = z.object({ messages: z.record(z.string(), z.array(z.string())), titles: textsSchema });

/**
 * Reads a JSON file; one that does not exist is `{}`.
 * @type {(file: string) => unknown}
 */
const read = (file) =>
  fs.existsSync(path.join(ROOT, file)) ? JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')) : {};

/**
 * Writes a JSON file, or deletes it if it would be empty.
 * @param {string} file
 * @param {Readonly<Record<string, unknown>>} content
 */
export function writeTexts(file, content) {
  const target = path.join(ROOT, file);
  if (Object.keys(content).length === 0) {
    fs.rmSync(target, { force: true });
    return;
  }
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Returns the English texts by key: the messages of the sources in alphabetical order, and the titles in package.nls.json. */
export function readEnglish() {
  const files = extractAllMessages();
  const texts = Object.values(files).flatMap((messages) => Object.entries(messages));
  const messages = Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
  return { files, messages, titles: z.parse(textsSchema, read('package.nls.json')) };
}

/** Returns each file of translations as it must be for the current English texts. */
export function readTranslations() {
  const { messages, titles, files: sources } = readEnglish();
  const keys = Object.entries(sources).map(([file, texts]) => [file, Object.keys(texts)]);
  const now = { messages: z.parse(lastRunSchema.shape.messages, Object.fromEntries(keys)), titles };
  const replacements = findReplacements(z.parse(lastRunSchema, read(LAST_RUN)), now);
  const sets = [
    { pattern: 'l10n/bundle.l10n.*.json', english: messages },
    { pattern: 'package.nls.*.json', english: titles },
  ];
  const files = sets.flatMap(({ pattern, english }) =>
    fs
      .globSync(pattern, { cwd: ROOT, exclude: ['**/*.qps-ploc.json'] })
      .sort()
      .map((name) => {
        const file = name.replaceAll('\\', '/');
        const outdatedFile = `l10n/outdated/${path.basename(file)}`;
        const stored = {
          translations: z.parse(textsSchema, read(file)),
          outdated: z.parse(textsSchema, read(outdatedFile)),
        };
        const language = /([\w-]+)\.json$/.exec(file)?.[1] ?? '';
        return {
          file,
          outdatedFile,
          language,
          english,
          ...updateTranslations(stored, Object.keys(english), replacements),
        };
      }),
  );
  return { now, files };
}

/**
 * Returns a line for each text that is missing in some languages.
 * @param {ReturnType<typeof readTranslations>['files']} files
 */
export function listMissing(files) {
  /** @type {Map<string, string[]>} */
  const languages = new Map();
  for (const { language, missing } of files)
    for (const key of missing) languages.set(key, [...(languages.get(key) ?? []), language]);
  return [...languages].map(([key, list]) => `not translated (${list.join(', ')}): ${JSON.stringify(key)}`);
}

/**
 * Writes the files of translations, and the English texts for the next run.
 * @param {ReturnType<typeof readTranslations>} translations
 */
export function writeTranslations({ now, files }) {
  for (const { file, outdatedFile, translations, outdated } of files) {
    writeTexts(file, translations);
    writeTexts(outdatedFile, outdated);
  }
  writeTexts(LAST_RUN, now);
}
