/** Measures `--help` of the packed program against a bare program on the same parser. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { ROOT, createTemporaryFolder } from '../runtime/paths.ts';
import { median } from './list-reading.ts';

const BARE = `import { Command } from 'commander';
new Command('bare').command('list', { isDefault: true }).description('List').parent.parse();`;

/** Milliseconds, medians of starts that alternate. Rejects if a program cannot be built. */
export async function measureHelp(starts: number): Promise<{ readonly ours: number; readonly bare: number }> {
  const folder = createTemporaryFolder('help');
  execFileSync(process.execPath, ['esbuild.mjs', '--program', folder], { cwd: ROOT });
  const [tarball = ''] = fs.readdirSync(folder);
  execFileSync('tar', ['-xzf', tarball], { cwd: folder });
  const bare = path.join(folder, 'bare.mjs');
  await esbuild.build({
    stdin: { contents: BARE, resolveDir: ROOT },
    outfile: bare,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: { js: `import{createRequire}from'node:module';const require=createRequire(import.meta.url);` },
  });
  const time = (file: string): number => {
    const start = performance.now();
    execFileSync(process.execPath, [file, '--help']);
    return performance.now() - start;
  };
  const times = Array.from({ length: starts }, () => [time(bare), time(path.join(folder, 'package/dist/cli.mjs'))]);
  return { bare: median(times.map(([one = NaN]) => one)), ours: median(times.map(([, one = NaN]) => one)) };
}
