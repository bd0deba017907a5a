// Extracts the messages of source files.
import fs from 'node:fs';
import path from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { ROOT } from '../test/runtime/paths.ts';

/**
 * Returns the messages that the files pass to `l10n.t`, by key and in alphabetical order. Files are relative to the root.
 * @param {readonly string[]} files
 */
export async function extractMessages(files) {
  const contents = files.map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8'));
  const messages = await getL10nJson(
    contents
      .filter((text) => text.includes("from '@vscode/l10n'"))
      .map((text) => ({ contents: text, extension: '.ts' })),
  );
  return Object.fromEntries(Object.entries(messages).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the messages of all files in `src`. */
export function extractAllMessages() {
  return extractMessages(fs.globSync('src/**/*.ts', { cwd: ROOT }));
}
