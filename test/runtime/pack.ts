/** Packs a small helper extension of the tests, as it stands in its folder. */
import path from 'node:path';
import { runNode } from './child.ts';
import { ROOT } from './paths.ts';

export async function packExtension(folder: string, target: string): Promise<void> {
  const vsce = path.join(ROOT, 'node_modules/@vscode/vsce/vsce');
  const args = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', target];
  const { code, output } = await runNode([vsce, ...args], { cwd: folder });
  if (code !== 0) throw new Error(`${folder} was not packed\n${output}`);
}
