/**
 * Installs the npm editor: real VS Code in its server form, a headless Chromium, fonts. Needs the npm registry only: no
 * root, no compiler, no install scripts. Does nothing when all is in place; several processes may call it at once.
 * With VSCODE_VERSION=floor also the oldest VS Code that the manifest allows, from `floor-editor`.
 *   node test/runtime/install-editor.ts [--force]
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { withLock } from './lock.ts';
import { BROWSER, EDITOR, FLOOR_EDITOR, NEWEST_EDITOR, ROOT } from './paths.ts';

// Built-in extensions that no test meets: 88 MB and more, and a sixth of the processor time that a window takes to open. These stay:
// github-authentication, which the workbench waits for, git for the commit of a run, and TypeScript's for hovers in code.
const REMOVED_EXTENSIONS = [
  ...['copilot', 'mermaid-markdown-features', 'emmet', 'extension-editing', 'npm', 'merge-conflict', 'references-view'],
  ...['github', 'microsoft-authentication', 'tunnel-forwarding', 'terminal-suggest', 'grunt', 'gulp', 'jake'],
  ...['debug-auto-launch', 'debug-server-ready', 'ipynb', 'notebook-renderers', 'css-language-features'],
  ...['js-debug', 'js-debug-companion', 'vscode-js-profile-table'].map((name) => `ms-vscode.${name}`),
  ...['php-language-features', 'theme-abyss', 'theme-kimbie-dark', 'theme-modern-icons', 'theme-monokai'],
  ...['theme-monokai-dimmed', 'theme-quietlight', 'theme-red', 'theme-solarized-dark', 'theme-solarized-light'],
  'theme-tomorrow-night-blue',
];

/** Installs the editor of this process. Resolves to true when something was installed, false when all was in place. */
export async function installEditor(
  log: (line: string) => void = console.log,
  { force = false, editor = EDITOR }: { readonly force?: boolean; readonly editor?: string } = {},
): Promise<boolean> {
  // The browser of both comes with the newest.
  const hadBrowser = editor === NEWEST_EDITOR || !(await installEditor(log, { force, editor: NEWEST_EDITOR }));
  const wanted = createStamp(editor);
  const stamp = path.join(editor, 'node_modules/.editor-stamp');
  const ready = () => !force && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted;
  if (ready()) return !hadBrowser;
  const name = path.basename(editor);
  return withLock(path.join(ROOT, `.cache/${name}-setup.lock`), async () => {
    if (ready()) return false;
    const start = Date.now();
    const step = (what: string): void => {
      log(`[${name}] ${((Date.now() - start) / 1000).toFixed(1)}s ${what}`);
    };
    step(`installing the editor from npm (${editor === FLOOR_EDITOR ? '130' : '230'} MB, once)`);
    await install(editor, step);
    linkModules(editor);
    if (editor === NEWEST_EDITOR) {
      step('unpacking the browser');
      await unpackBrowser();
    }
    fs.writeFileSync(stamp, wanted);
    step('editor ready');
    return true;
  });
}

function createStamp(editor: string): string {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'package-lock.json']) hash.update(fs.readFileSync(path.join(editor, name)));
  return hash.update(fs.readFileSync(import.meta.filename)).digest('hex');
}

async function install(editor: string, log: (line: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { code, output } = await npmCi(editor);
    if (code === 0) return;
    log(output);
    if (attempt === 2) throw new Error(`npm ci of the editor failed (${String(code)})`);
    log('npm ci failed, once more');
  }
}

function npmCi(editor: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: editor,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, output });
    });
  });
}

/** VS Code's browser side asks for /static/node_modules/<package>/…, its own extensions for typescript. */
function linkModules(editor: string): void {
  const vscode = path.join(editor, 'node_modules/code-server/lib/vscode');
  fs.symlinkSync('../../..', path.join(vscode, 'node_modules'));
  fs.symlinkSync('../../../..', path.join(vscode, 'extensions/node_modules'));
  for (const name of REMOVED_EXTENSIONS)
    fs.rmSync(path.join(vscode, 'extensions', name), { recursive: true, force: true });
}

/** By hand: the package's own unpacking also turns web security off. */
async function unpackBrowser(): Promise<void> {
  fs.rmSync(BROWSER, { recursive: true, force: true });
  fs.mkdirSync(BROWSER, { recursive: true });
  const modules = path.join(NEWEST_EDITOR, 'node_modules');
  const packed = path.join(modules, '@sparticuz/chromium/bin');
  const tar = createRequire(path.join(modules, '@sparticuz/chromium/package.json'))('tar-fs') as {
    extract(folder: string): Writable;
  };
  const unpack = (name: string, target: Writable): Promise<void> =>
    pipeline(fs.createReadStream(path.join(packed, name)), zlib.createBrotliDecompress(), target);
  await Promise.all([
    unpack('chromium.br', fs.createWriteStream(path.join(BROWSER, 'chromium'), { mode: 0o755 })),
    unpack('al2023.tar.br', tar.extract(path.join(BROWSER, 'al2023'))), // libnss3, libnspr4, libexpat
    unpack('fonts.tar.br', tar.extract(path.join(BROWSER, 'fonts'))),
    unpack('swiftshader.tar.br', tar.extract(BROWSER)), // software GL, must lie beside the binary
  ]);
  fs.writeFileSync(path.join(BROWSER, 'fonts.conf'), fontsConf());
}

function fontsConf(): string {
  const alias = (family: string, fonts: readonly string[]): string =>
    `<alias><family>${family}</family><prefer>${fonts.map((font) => `<family>${font}</family>`).join('')}</prefer></alias>`;
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(NEWEST_EDITOR, 'node_modules/dejavu-fonts-ttf/ttf')}</dir>
  <dir>${path.join(BROWSER, 'fonts')}</dir>
  <cachedir>${path.join(BROWSER, 'fontcache')}</cachedir>
  ${alias('sans-serif', ['Open Sans', 'DejaVu Sans'])}
  ${alias('monospace', ['DejaVu Sans Mono'])}
  ${alias('serif', ['DejaVu Serif'])}
</fontconfig>
`;
}

if (import.meta.main && !(await installEditor(console.log, { force: process.argv.includes('--force') }))) {
  console.log('[editor] in place');
}
