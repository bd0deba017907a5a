// Packs the terminal program alone, as the npm package `smart-objects`.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { ROOT } from '../test/runtime/paths.ts';
import * as z from 'zod/mini';
import { writeStaticFiles } from './compressed-files.mjs';
import { writeNotices } from './notices.mjs';
import { shareActivation } from './share-activation.mjs';

const MAIN = 'src/cli/main.ts';
const description =
  'Reads the resources of a Smart Object Platform and runs actions, from a terminal; an MCP server for agents';
// Other fields of the manifest are of the extension alone.
const manifestSchema = z.object({
  ...{ version: z.string(), license: z.string(), type: z.string(), homepage: z.string() },
  ...{ bin: z.unknown(), engines: z.object({ node: z.string() }), repository: z.unknown(), bugs: z.unknown() },
  contributes: z.object({ languageModelTools: z.unknown() }),
});
const textsSchema = z.record(z.string(), z.unknown());

/** @type {(file: string) => string} */
const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');
/** @type {(file: string) => unknown} */
const readJson = (file) => JSON.parse(read(file));
/** @type {(value: unknown) => string} */
const formatJson = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * Builds the program and writes its tarball to a folder. Rejects with Error.
 * @param {esbuild.BuildOptions} options of the bundles for Node.js
 * @param {string} target
 */
export async function packProgram(options, target) {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(target), 'program-'));
  const { metafile } = await esbuild.build({
    ...options,
    entryPoints: { cli: MAIN },
    plugins: [...(options.plugins ?? []), await shareActivation(options, MAIN)],
    outdir: path.join(folder, 'dist'),
    metafile: true,
    minify: true,
    sourcemap: false,
  });
  const { contributes, ...manifest } = z.parse(manifestSchema, readJson('package.json'));
  const { languageModelTools } = contributes;
  const texts = Object.entries(z.parse(textsSchema, readJson('package.nls.json')));
  const docs = `${manifest.homepage.replace(/#.*/, '')}/blob/main/docs/`;
  const files = {
    // The MCP server describes its tools by the manifest.
    'package.json': formatJson({
      ...manifest,
      name: 'smart-objects',
      description,
      contributes: { languageModelTools },
    }),
    'package.nls.json': formatJson(Object.fromEntries(texts.filter(([name]) => name.startsWith('tool.')))),
    'README.md': read('docs/command-line.md').replace(/\]\((?=[\w-]+\.md)/g, `](${docs}`),
    LICENSE: read('LICENSE'),
  };
  for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, file), text);
  writeStaticFiles(path.join(folder, 'dist'));
  writeNotices(Object.keys(metafile.inputs), path.join(folder, 'dist/third-party-notices.txt'));
  const isWindows = process.platform === 'win32';
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', path.resolve(target)];
  execFileSync(isWindows ? 'npm.cmd' : 'npm', args, { cwd: folder, shell: isWindows });
  fs.rmSync(folder, { recursive: true });
}
