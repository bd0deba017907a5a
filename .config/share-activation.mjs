// A plugin of esbuild for few chunks in what activation loads.
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { ROOT } from '../test/runtime/paths.ts';

/** What the first look at the tree, and most of the work after it, loads. */
const OPENED = [
  'src/connections/services.ts',
  'src/explorer/controller.ts',
  'src/documents/controller.ts',
  'src/actions/controller.ts',
  'src/logs/controller.ts',
  'src/cli/with-connection.ts',
];

/**
 * Makes the modules that activation loads two chunks instead of dozens, since each takes VS Code some milliseconds: those
 * that the programs load too, and all others. Likewise those that the first look at the tree loads: each chunk also takes
 * memory and some of the package. esbuild makes a chunk of the modules that the same entries reach, so each entry, and
 * each module that is loaded lazily, imports them. For a program alone, likewise what it starts with.
 * @param {esbuild.BuildOptions} options
 * @param {string} main the entry that activation or the program starts with
 * @param {Record<string, string>} programEntries none for a program alone
 * @returns {Promise<esbuild.Plugin>}
 */
export async function shareActivation(options, main, programEntries = {}) {
  const list = async (/** @type {Record<string, string>} */ entryPoints) => {
    const { metafile } = await esbuild.build({
      ...options,
      entryPoints,
      packages: 'external',
      write: false,
      metafile: true,
    });
    return metafile.inputs;
  };
  const [extension, programs] = await Promise.all([list({ main }), list(programEntries)]);
  const isProgram = (/** @type {string} */ file) => file in programs;
  const reach = (/** @type {readonly string[]} */ files) => {
    const reached = new Set(files);
    for (const file of reached)
      for (const { kind, path: imported } of extension[file]?.imports ?? [])
        if (kind === 'import-statement' && imported in extension) reached.add(imported);
    return reached;
  };
  const activation = reach([main]);
  const opened = reach(OPENED.filter((file) => file in extension));
  // A module that imports a program would wait for its end.
  if (Object.keys(programEntries).length === 0) activation.delete(main);
  const lazy = [...Object.values(extension), ...Object.values(programs)].flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === 'dynamic-import').map((imported) => imported.path),
  );
  // The programs start without, the sandbox needs none of it, and tests measure what activation alone loads.
  const isStart = (/** @type {string} */ name) =>
    Object.values(programEntries).includes(name) || /^(?:src\/sandbox|test)\//.test(name);
  const importShared = (/** @type {string} */ name) =>
    [...(isStart(name) ? activation : activation.union(opened))]
      .filter((file) => file !== name && (isProgram(file) || !isProgram(name)))
      .map((file) => `\nimport ${JSON.stringify(path.join(ROOT, file))};`)
      .join('');
  return {
    name: 'share-activation',
    setup(build) {
      const { entryPoints = {}, stdin } = build.initialOptions;
      const entries = new Set([...lazy, ...Object.values(entryPoints)]);
      entries.delete(main);
      if (stdin !== undefined) stdin.contents = `${String(stdin.contents)}${importShared('')}`;
      build.onLoad({ filter: /[\\/](?:src|test)[\\/].*\.ts$/ }, ({ path: file }) => {
        const name = path.relative(ROOT, file).replaceAll('\\', '/');
        if (!entries.has(name)) return undefined;
        return { contents: fs.readFileSync(file, 'utf8') + importShared(name), loader: 'ts' };
      });
    },
  };
}
