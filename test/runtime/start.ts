/**
 * `npm start`: real VS Code with the packed extension, a demo folder and the local sandbox, until Ctrl+C.
 *   npm start -- [--no-open] [--port N]
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { killOnExit, runNode } from './child-process.ts';
import { downloadDesktop } from './desktop.ts';
import { installVsix, startServer } from './editor.ts';
import { startTokenProxy } from './token-proxy.ts';
import { packExtension } from './pack.ts';
import { DEMO, ROOT, createTemporaryFolder, usesDesktop, VSIX } from './paths.ts';
import { installEditor } from './install-editor.ts';

const { values } = parseArgs({
  options: { open: { type: 'boolean', default: true }, port: { type: 'string', default: '0' } },
  allowNegative: true,
});
/** A helper extension that shows our view and starts the sandbox as soon as the window is there. */
const STARTER = path.join(ROOT, 'test/runtime/start-ext');

const dir = createTemporaryFolder('start');
const workspace = path.join(dir, 'smart-objects-demo');
const dataDir = path.join(dir, 'data');
fs.cpSync(DEMO, workspace, { recursive: true });

console.log('Building …');
const built = await runNode(['esbuild.mjs', '--production', '--package']);
if (built.code !== 0) {
  console.error(built.output);
  process.exit(1);
}
if (usesDesktop()) await startDesktop();
else await startInBrowser();

async function startInBrowser(): Promise<void> {
  await installEditor();
  const starter = path.join(dir, 'starter.vsix');
  await packExtension(STARTER, starter);
  installVsix([VSIX, starter], dataDir);
  // Access to the editor allows running programs as its user: it listens on no port, and the address has a token.
  fs.chmodSync(dataDir, 0o700);
  const server = await startServer({ dataDir, private: true, settings: { 'window.commandCenter': true } });
  const proxy = await startTokenProxy(server.origin, Number(values.port));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      console.log('\nStopping …');
      void server.stop().then(() => process.exit(0));
    });
  const address = proxy.address({ folder: workspace });
  console.log(`\nSmart Object Explorer runs in real VS Code at\n\n    ${address}\n\nCtrl+C ends it.`);
  if (values.open) openInBrowser(address);
  await server.ended;
  proxy.close();
}

async function startDesktop(): Promise<void> {
  const executable = await downloadDesktop();
  const child = spawn(
    executable,
    [
      workspace,
      `--extensionDevelopmentPath=${ROOT}`,
      `--extensionDevelopmentPath=${STARTER}`,
      `--user-data-dir=${dataDir}`,
      `--extensions-dir=${path.join(dir, 'extensions')}`,
      ...['--disable-workspace-trust', '--skip-welcome', '--skip-release-notes', '--disable-updates'],
    ],
    { stdio: 'ignore' },
  );
  killOnExit(child);
  console.log('\nSmart Object Explorer runs in desktop VS Code: its window opens now. Ctrl+C ends it.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill());
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      resolve();
    });
  });
}

/** Opens the default browser; without one the user opens the printed address. */
function openInBrowser(address: string): void {
  // Not for Windows, which uses desktop VS Code.
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}
