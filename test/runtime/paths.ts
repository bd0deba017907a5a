/** Where the harness finds and puts its files. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const VSIX = path.join(ROOT, '.cache/smart-object-explorer.vsix');
/** The in-editor tests, bundled. */
export const EDITOR_TESTS = path.join(ROOT, '.cache/editor-tests');
/** Screenshots and the editors' logs of the last run. */
export const RESULTS = path.join(ROOT, 'test-results');
/** The npm editor: see setup.ts. */
export const EDITOR = path.join(ROOT, 'test/runtime/editor');
export const BROWSER = path.join(EDITOR, '.browser');
export const DRIVER = path.join(ROOT, 'test/runtime/driver-ext');
export const DEMO = path.join(ROOT, 'test/runtime/demo');

/** The npm editor is built for one platform; elsewhere, or on wish, tests run in desktop VS Code. */
export function usesDesktop(): boolean {
  return process.env['EDITOR'] === 'desktop' || process.platform !== 'linux' || process.arch !== 'x64';
}

/**
 * A fresh folder, short enough for the sockets that editors put into it. Within a run of `npm test` it stays for the
 * phases to come (the canary looks through it), else it goes when this process ends.
 */
export function temporary(name: string): string {
  const run = process.env['RUN_DIR'];
  if (run !== undefined) return fs.mkdtempSync(path.join(run, `${name}-`));
  const dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), `soe-${name}-`));
  process.once('exit', () => {
    try {
      fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      // Something still holds it: the system's own cleaning gets it.
    }
  });
  return dir;
}
