/**
 * `npm start`: real VS Code with the packed extension, a demo folder and the local sandbox, until Ctrl+C.
 *   npm start -- [--no-open] [--no-build] [--port N]
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
  options: {
    open: { type: 'boolean', default: true },
    build: { type: 'boolean', default: true },
    port: { type: 'string', default: '0' },
  },
  allowNegative: true,
});
/** A helper extension that shows our view and starts the sandbox as soon as the window is there. */
const STARTER = path.join(ROOT, 'test/runtime/start-ext');

const dir = createTemporaryFolder('start');
const workspace = path.join(dir, 'smart-objects-demo');
const dataDir = path.join(dir, 'data');
fs.cpSync(DEMO, workspace, { recursive: true });

/** Ends the editor, once there is one; all other children end when this process exits. */
let stop = (): Promise<unknown> => Promise.resolve();
// From the beginning: without a handler, a signal would end this process alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    console.log('\nStopping …');
    void stop().finally(() => process.exit(0));
  });

// npm passes a signal to the shell between it and this process only, which then ends alone.
const parent = process.ppid;
if (process.env['npm_lifecycle_event'] !== undefined)
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();

if (values.build) await build();
if (usesDesktop()) await startDesktop();
else await startInBrowser();

async function build(): Promise<void> {
  console.log('Building …');
  const built = await runNode(['esbuild.mjs', '--production', '--package']);
  if (built.code === 0) return;
  console.error(built.output);
  process.exit(1);
}

async function startInBrowser(): Promise<void> {
  await installEditor();
  const starter = path.join(dir, 'starter.vsix');
  await packExtension(STARTER, starter);
  installVsix([VSIX, starter], dataDir);
  // Access to the editor allows running programs as its user: it listens on no port, and the address has a token.
  fs.chmodSync(dataDir, 0o700);
  const server = await startServer({ dataDir, private: true, settings: { 'window.commandCenter': true } });
  stop = () => server.stop();
  const proxy = await startTokenProxy(server.origin, Number(values.port));
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
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      resolve();
    });
  });
  stop = () => {
    child.kill();
    return ended;
  };
  await ended;
}

/** Opens the default browser; without one the user opens the printed address. */
function openInBrowser(address: string): void {
  // Not for Windows, which uses desktop VS Code.
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}
