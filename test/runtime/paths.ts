/** Files and folders of the test runner. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const VSIX = path.join(ROOT, '.cache/smart-object-explorer.vsix');
/** The in-editor tests, bundled. */
export const EDITOR_TESTS = path.join(ROOT, '.cache/editor-tests');
/** Screenshots and editor logs of the last run. */
export const RESULTS = path.join(ROOT, 'test-results');
/** The npm editors, the newest and the oldest that the manifest allows: see install-editor.ts. */
export const NEWEST_EDITOR = path.join(ROOT, 'test/runtime/editor');
export const FLOOR_EDITOR = path.join(ROOT, 'test/runtime/floor-editor');
/** Whether tests run in the oldest VS Code that the manifest allows: by VSCODE_VERSION=floor. */
export const USES_FLOOR = process.env['VSCODE_VERSION'] === 'floor';
/** The npm editor of this process. */
export const EDITOR = USES_FLOOR ? FLOOR_EDITOR : NEWEST_EDITOR;
/** Chromium for both. */
export const BROWSER = path.join(NEWEST_EDITOR, '.browser');
/** The type checker in native code; the parser of ESLint and some tests use the API of `typescript`. */
export const TYPE_CHECK = path.join(ROOT, 'node_modules/typescript-native/bin/tsc');
export const DRIVER = path.join(ROOT, 'test/runtime/driver-ext');
export const DEMO = path.join(ROOT, 'test/runtime/demo');

/** True where tests run in desktop VS Code: by EDITOR=desktop, and on systems other than Linux x64. */
export function usesDesktop(): boolean {
  return process.env['EDITOR'] === 'desktop' || process.platform !== 'linux' || process.arch !== 'x64';
}

/**
 * Creates a folder with a path short enough for Unix sockets. During `npm test` it stays for the canary phase, else it
 * is removed when this process exits.
 */
export function createTemporaryFolder(name: string): string {
  const run = process.env['RUN_DIR'];
  if (run !== undefined) return fs.mkdtempSync(path.join(run, `${name}-`));
  const dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), `soe-${name}-`));
  process.once('exit', () => {
    try {
      fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      // Still in use; the operating system cleans its temporary folder.
    }
  });
  return dir;
}
