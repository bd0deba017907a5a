import path from 'node:path';
import { runNode } from './child-process.ts';
import { ROOT } from './paths.ts';

/** Packs the helper extension in `folder` into the .vsix `target`. Rejects with the output of vsce. */
export async function packExtension(folder: string, target: string): Promise<void> {
  const vsce = path.join(ROOT, 'node_modules/@vscode/vsce/vsce');
  const args = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', target];
  const { code, output } = await runNode([vsce, ...args], { cwd: folder });
  if (code !== 0) throw new Error(`${folder} was not packed\n${output}`);
}
