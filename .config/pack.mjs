// Packs the .vsix and checks the size budgets.
import fs from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { ROOT, VSIX } from '../test/runtime/paths.ts';

const MAX_VSIX = 1280 * 1024;
const MAX_WEBVIEW = 150 * 1024;

/** Packs what `dist` holds. Rejects with Error if a file exceeds its budget. */
export async function pack() {
  await createVSIX({ cwd: ROOT, packagePath: VSIX, dependencies: false, skipLicense: false });
  const webviews = fs.globSync('dist/webviews/*.js', { cwd: ROOT });
  const isShared = (/** @type {string} */ file) => path.basename(file).startsWith('shared-');
  const getSize = (/** @type {string} */ file) => fs.statSync(path.resolve(ROOT, file)).size;
  // A page loads some of what the pages share, at most all.
  const shared = webviews.filter(isShared).reduce((sum, file) => sum + getSize(file), 0);
  const tooLarge = [VSIX, ...webviews.filter((file) => !isShared(file))].filter((file) => {
    const bytes = file === VSIX ? getSize(file) : getSize(file) + shared;
    const budget = file === VSIX ? MAX_VSIX : MAX_WEBVIEW;
    const size = `${String(Math.round(bytes / 1024)).padStart(5)} of ${String(budget / 1024)} KB`;
    console.log(`${path.basename(file).padEnd(28)} ${size}`);
    return bytes > budget;
  });
  if (tooLarge.length > 0) throw new Error(`Above the size budget: ${tooLarge.join(', ')}`);
}
