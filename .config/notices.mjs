// Writes dist/third-party-notices.txt: the licences of the packages that the bundles contain.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../test/runtime/paths.ts';

/** @type {(inputs: Iterable<string>) => void} `inputs`: bundled files, relative to the project. Throws where a package has no licence file. */
export function writeNotices(inputs) {
  const folders = [...inputs].flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const notices = [...new Set(folders)].sort().map((folder) => {
    const [license] = fs.globSync('{LICENSE,LICENCE,license,licence}*', { cwd: path.resolve(ROOT, folder) });
    if (license === undefined) throw new Error(`${folder} has no licence file`);
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return `${name}\n\n${fs.readFileSync(path.resolve(ROOT, folder, license), 'utf8').trim()}\n`;
  });
  fs.writeFileSync(path.join(ROOT, 'dist/third-party-notices.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
}
