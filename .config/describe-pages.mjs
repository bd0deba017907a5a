// The modules and messages of each page of a webview, which the extension passes to it.
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
 * Returns what each page loads, by its name: the files that it imports, and the hashes of the messages in its sources.
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {readonly string[]} pages files of `outputs`
 */
export function describePages(outputs, pages) {
  const described = pages.map((page) => {
    const files = [...collectImports(outputs, page)];
    const inputs = new Set(files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {})));
    const sources = [...inputs].filter((input) => input.startsWith('src/') && input.endsWith('.ts'));
    const messages = new Set(sources.flatMap((file) => Object.keys(extractMessages(file)).map(hashMessage)));
    const imports = files.slice(1).map((file) => path.basename(file));
    return /** @type {const} */ ([path.basename(page, '.js'), { imports, messages: [...messages] }]);
  });
  return Object.fromEntries(described);
}
