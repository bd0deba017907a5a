// The messages of each page of a webview, which the extension passes to it.
import path from 'node:path';
import { extractMessages } from './extract-messages.mjs';
import { hashMessage } from '../src/platform/text/packed-translations.ts';

/**
 * Returns a file and those that it imports.
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {string} file
 */
export function collectImports(outputs, file) {
  const files = new Set([file]);
  // A set visits what is added during the loop, too.
  for (const visited of files) for (const imported of outputs[visited]?.imports ?? []) files.add(imported.path);
  return files;
}

/**
 * Returns the hashes of the messages in the sources of each page, by its name.
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {readonly string[]} pages files of `outputs`
 * @returns {Record<string, readonly string[]>}
 */
export function listPageMessages(outputs, pages) {
  const messages = pages.map((page) => {
    const files = [...collectImports(outputs, page)];
    const inputs = new Set(files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {})));
    const sources = [...inputs].filter((input) => input.startsWith('src/') && input.endsWith('.ts'));
    const hashes = sources.flatMap((file) => Object.keys(extractMessages(file)).map(hashMessage));
    return /** @type {const} */ ([path.basename(page, '.js'), [...new Set(hashes)]]);
  });
  return Object.fromEntries(messages);
}
