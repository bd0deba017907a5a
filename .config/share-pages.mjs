// A plugin of esbuild for few modules in what a page loads.
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { collectImports } from './describe-pages.mjs';
import { ROOT } from '../test/runtime/paths.ts';

/** What only two pages share is a module of its own if it is larger, in bytes. */
const MAX_MERGED = 4096;

/**
 * Makes one module of what pages share, since each is a request through the service worker of webviews, which takes longer
 * than code that a page does not use. esbuild makes a module of what the same pages reach, so each page imports it all.
 * @param {esbuild.BuildOptions} options of the pages
 * @returns {Promise<esbuild.Plugin>}
 */
export async function sharePages(options) {
  const { metafile } = await esbuild.build({ ...options, minify: true, metafile: true, write: false });
  const outputs = Object.entries(metafile.outputs);
  const pages = outputs
    .filter(([, { entryPoint = '' }]) => entryPoint.endsWith('.ts'))
    .map(([page]) => collectImports(metafile.outputs, page));
  const imports = outputs.flatMap(([file, { bytes, inputs }]) => {
    const users = pages.filter((page) => page.has(file)).length;
    return users > 2 || (users === 2 && bytes <= MAX_MERGED) ? Object.keys(inputs) : [];
  });
  const shared = imports.map((file, index) => {
    const from = JSON.stringify(path.join(ROOT, file));
    // An icon is left out unless it is exported.
    if (file.endsWith('.svg')) return `\nexport { default as icon${String(index)} } from ${from};`;
    return file.startsWith('src/') ? `\nimport ${from};` : '';
  });
  return {
    name: 'share-pages',
    setup(build) {
      build.onLoad({ filter: /[\\/]client[\\/]\w+[\\/]main\.ts$/ }, ({ path: file }) => ({
        contents: fs.readFileSync(file, 'utf8') + shared.join(''),
        loader: 'ts',
      }));
    },
  };
}
