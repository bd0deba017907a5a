// Writes dist/third-party-notices.txt: the licences of the packages that the bundles contain.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../test/runtime/paths.ts';

const manifestSchema = z.looseObject({ license: z.optional(z.string()), author: z.optional(z.unknown()) });

/** Packages under the MIT license that other packages contain in their own files, with the holders of their copyright. */
const VENDORED = new Map([
  ['@cfworker/json-schema', 'Jeremy Danyow'],
  ['content-type', '2015 Douglas Christopher Wilson'],
]);

/**
 * Writes the licences. Throws if a package has none.
 * @param {Iterable<string>} inputs bundled files, relative to the project
 */
export function writeNotices(inputs, target = path.join(ROOT, 'dist/third-party-notices.txt')) {
  const files = [...inputs];
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const licenses = new Map(
    [...new Set(folders)].map((folder) => {
      const [license] = fs.globSync('{LICENSE,LICENCE,license,licence}*', { cwd: path.resolve(ROOT, folder) });
      const text = license === undefined ? formatMitLicense(folder) : read(path.join(folder, license));
      return [folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length), text];
    }),
  );
  for (const name of new Set(files.flatMap(findVendored))) licenses.set(name, formatVendored(name));
  fs.writeFileSync(target, formatNotices(licenses));
}

/**
 * Formats licences by package: packages that have the same one are listed above its text, each with its copyright.
 * @param {ReadonlyMap<string, string>} licenses
 */
export function formatNotices(licenses) {
  const isCopyright = (/** @type {string} */ line) => /^\s*Copyright (?:\(c\)|\d)/i.test(line);
  /** @type {Map<string, { text: string, packages: string[] }>} */
  const notices = new Map();
  for (const [name, license] of [...licenses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const lines = license.trim().split(/\r?\n/);
    const text = lines.filter((line) => !isCopyright(line)).join('\n');
    // Line breaks and the heading of the MIT license differ.
    const key = text.replace(/^\s*(?:The )?MIT License(?: \(MIT\))?/i, '').replace(/\s+/g, '');
    const notice = notices.get(key) ?? { text: text.trim(), packages: [] };
    notices.set(key, notice);
    notice.packages.push([name, ...lines.filter(isCopyright).map((line) => line.trim())].join('\n'));
  }
  return [...notices.values()]
    .map(({ text, packages }) => `${packages.join('\n\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * The packages that a bundled file contains, by the comments that its bundler left.
 * @param {string} file
 */
export function findVendored(file) {
  if (!file.includes('node_modules/') || !/\.[cm]?js$/.test(file)) return [];
  const names = [...read(file).matchAll(/^\/\/ ?(?:#region )?\S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm)];
  return names.flatMap(([, name]) => name ?? []);
}

/** @type {(name: string) => string} Throws for a package whose copyright is not known. */
function formatVendored(name) {
  const holder = VENDORED.get(name);
  if (holder === undefined) throw new Error(`${name} is contained in another package: add its license to notices.mjs`);
  return formatMit(holder);
}

/** @type {(file: string) => string} */
function read(file) {
  return fs.readFileSync(path.resolve(ROOT, file), 'utf8');
}

/**
 * The licence of a package that only names it in its manifest: the text of ours, with the package's author.
 * @param {string} folder
 */
function formatMitLicense(folder) {
  const { license, author } = z.parse(manifestSchema, JSON.parse(read(path.join(folder, 'package.json'))));
  if (license !== 'MIT' || typeof author !== 'string') throw new Error(`${folder} has no licence`);
  return formatMit(author);
}

/** @type {(holder: string) => string} */
function formatMit(holder) {
  return read('LICENSE')
    .replace(/^Copyright.*$/m, `Copyright (c) ${holder}`)
    .trim();
}
