// Packs the .vsix and checks the size budgets.
import fs from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { ROOT, VSIX } from '../test/runtime/paths.ts';

const MAX_VSIX = 1280 * 1024;
const MAX_WEBVIEW = 150 * 1024;
/** Modules of a page: each is a request, see share-pages.mjs. */
const MAX_MODULES = 4;
/** The parts of the .vsix by the names of their files; a file belongs to the first that matches. */
const PARTS = {
  modules: /^dist\/[^/]+\.mjs$/,
  pages: /^dist\/webviews\//,
  translations: /^dist\/l10n\/|^package\.nls\.[\w-]+\.json$/,
  sandbox: /^dist\/static\.br$/,
  'manifest and texts': /\.(?:json|md|txt)$|^LICENSE$/,
  media: /^media\//,
};

/** Prints the compressed size of each part of the .vsix, and of what the archive adds. */
async function printParts() {
  const files = await listFiles({ cwd: ROOT, packageManager: PackageManager.None });
  const sizes = new Map(Object.keys(PARTS).map((part) => [part, 0]));
  for (const file of files) {
    const [part = 'other'] = Object.entries(PARTS).find(([, pattern]) => pattern.test(file)) ?? [];
    sizes.set(part, (sizes.get(part) ?? 0) + deflateRawSync(fs.readFileSync(path.join(ROOT, file))).length);
  }
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  sizes.set(`archive of ${String(files.length)} files`, fs.statSync(VSIX).size - total);
  for (const [part, bytes] of sizes)
    console.log(`${part.padEnd(28)} ${String(Math.round(bytes / 1024)).padStart(5)} KB`);
}

/** Packs what `dist` holds. Rejects with Error if a file exceeds its budget. */
export async function pack() {
  await createVSIX({ cwd: ROOT, packagePath: VSIX, dependencies: false, skipLicense: false });
  await printParts();
  const webviews = fs.globSync('dist/webviews/*.js', { cwd: ROOT });
  const isShared = (/** @type {string} */ file) => path.basename(file).startsWith('shared-');
  /** @type {(file: string) => number} */
  const getSize = (file) => fs.statSync(path.resolve(ROOT, file)).size;
  // What a page loads: its own file, and those that it imports.
  /** @type {(file: string) => readonly string[]} */
  const listPageFiles = (page) => {
    const files = new Set([path.resolve(ROOT, page)]);
    // A set visits what is added during the loop, too.
    for (const file of files)
      for (const [, name = ''] of fs.readFileSync(file, 'utf8').matchAll(/\b(?:from|import)"(\.\/shared-[\w-]+\.js)"/g))
        files.add(path.resolve(path.dirname(file), name));
    return [...files];
  };
  const tooLarge = [VSIX, ...webviews.filter((file) => !isShared(file))].filter((file) => {
    const files = file === VSIX ? [file] : listPageFiles(file);
    const bytes = files.reduce((sum, part) => sum + getSize(part), 0);
    const budget = file === VSIX ? MAX_VSIX : MAX_WEBVIEW;
    const size = `${String(Math.round(bytes / 1024)).padStart(5)} of ${String(budget / 1024)} KB`;
    const modules = file === VSIX ? '' : `, ${String(files.length)} of ${String(MAX_MODULES)} modules`;
    console.log(`${path.basename(file).padEnd(28)} ${size}${modules}`);
    return bytes > budget || files.length > MAX_MODULES;
  });
  if (tooLarge.length > 0) throw new Error(`Above the size budget: ${tooLarge.join(', ')}`);
}
