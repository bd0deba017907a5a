/** Export… in real VS Code: cancelled and resumed, discarded, and to targets that are not local files. */
import assert from 'node:assert/strict';
import { unlinkSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { getTestHooks } from '../support/connections.ts';
import { eventually, onSandbox } from '../support/documents.ts';
import { findRow } from '../support/explorer.ts';
import { ask, listRequests, refuseLargePages } from '../support/sandbox.ts';

const CONNECTION = 'Export';
const SCHEME = 'soe-memory';
const start = async (): Promise<unknown> =>
  vscode.commands.executeCommand('smartObjects.exportCollection', (await findRow(CONNECTION, 'Assets')).node);

/** A file system provider without files on disk, as in virtual workspaces. */
class MemoryFiles implements vscode.FileSystemProvider {
  readonly files = new Map<string, Uint8Array>();
  refuses = false;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }
  stat({ path: file }: vscode.Uri): vscode.FileStat {
    const size = this.files.get(file)?.length;
    if (size === undefined && file !== '/') throw vscode.FileSystemError.FileNotFound(file);
    const type = size === undefined ? vscode.FileType.Directory : vscode.FileType.File;
    return { type, size: size ?? 0, mtime: 0, ctime: 0 };
  }
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }
  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
  readFile({ path: file }: vscode.Uri): Uint8Array {
    return this.files.get(file) ?? assert.fail(file);
  }
  writeFile({ path: file }: vscode.Uri, content: Uint8Array): void {
    if (this.refuses) throw vscode.FileSystemError.NoPermissions('this place is full');
    this.files.set(file, content);
  }
  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
}

suite('explorer: exports', () => {
  onSandbox(CONNECTION, { pageSize: 10, environment: 'sandbox' });
  let folder = '';
  let ids: readonly string[] = [];
  const memory = new MemoryFiles();
  let registered: vscode.Disposable | undefined;

  suiteSetup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'soe-export-'));
    registered = vscode.workspace.registerFileSystemProvider(SCHEME, memory);
    const { assets } = JSON.parse(await ask('/assets?limit=100')) as { assets: readonly { readonly id: string }[] };
    ids = assets.map(({ id }) => id);
    assert.ok(ids.length > 30);
    const { sessions } = await (await getTestHooks()).services();
    await refuseLargePages(sessions.get(CONNECTION) ?? assert.fail(), 'assets');
  });
  suiteTeardown(async () => {
    registered?.dispose();
    await fs.rm(folder, { recursive: true });
  });

  const idsIn = (text: string): readonly string[] =>
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly id: string }).id);
  const partialsIn = async (where: string): Promise<readonly string[]> =>
    (await fs.readdir(where).catch(() => [])).filter((name) => name.endsWith('.partial'));
  const pagesAsked = (): number => listRequests().filter(({ path: of }) => of.endsWith('/assets')).length;
  /** Temporary files of exports to other file systems. */
  const partials = async (): Promise<readonly string[]> => {
    const { context } = await (await getTestHooks()).services();
    return partialsIn(context.globalStorageUri.fsPath);
  };

  test('a cancelled export keeps its file, is reported as information, and can be resumed', async () => {
    const { ui } = await getTestHooks();
    const file = path.join(folder, 'cancelled.ndjson');
    ui.answer('pick', 'NDJSON');
    ui.answer('input', file);
    ui.cancelAt = /^10 so far/;
    await start();
    assert.deepEqual(ui.readMessages('error'), []);
    assert.match(
      ui.readMessages('info').at(-1) ?? '',
      /^Export stopped\. \d+ items are stored in cancelled\.ndjson\.\w{16}\.partial/,
    );
    const [partial = ''] = await partialsIn(folder);
    const partialIds = idsIn(await fs.readFile(path.join(folder, partial), 'utf8'));
    assert.ok(partialIds.length >= 10 && partialIds.length < ids.length, String(partialIds.length));
    await assert.rejects(fs.stat(file));

    // Cancelled again, and resumed with the button of the notification.
    const before = pagesAsked();
    ui.answer('pick', 'Resume cancelled.ndjson');
    ui.cancelAt = new RegExp(`^${String(partialIds.length + 10)} so far`);
    ui.answer('info', 'Resume');
    await start();
    const text = await eventually(() => fs.readFile(file, 'utf8').catch(() => undefined));
    assert.deepEqual(idsIn(text), ids);
    const pages = Math.ceil((ids.length - partialIds.length) / 10);
    assert.ok(pagesAsked() - before <= pages + 1, 'pages were read again');
    await eventually(() =>
      ui.readMessages('info').some((message) => message.includes('were exported')) ? true : undefined,
    );
  });

  test('Open File shows a CSV in the editor, as a browser window cannot start another program', async () => {
    const { ui } = await getTestHooks();
    const file = path.join(folder, 'shown.csv');
    ui.answer('pick', 'CSV');
    ui.answer('input', file);
    ui.answer('info', 'Open File');
    await start();
    const shown = (): string | undefined => vscode.window.activeTextEditor?.document.uri.fsPath;
    await eventually(() => (shown() === file ? true : undefined));
    // A missing file is reported.
    ui.answer('pick', 'CSV');
    ui.answer('input', path.join(folder, 'gone.csv'));
    ui.answer('info', () => {
      unlinkSync(path.join(folder, 'gone.csv'));
      return 'Open File';
    });
    await start();
    await eventually(() => (ui.readMessages('error').at(-1)?.startsWith('Open gone.csv') === true ? true : undefined));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('symbolic links next to the file and in its place are not followed', async () => {
    const { ui } = await getTestHooks();
    const victim = path.join(folder, 'victim.txt');
    const file = path.join(folder, 'planted.ndjson');
    await fs.writeFile(victim, 'precious');
    await fs.symlink(victim, `${file}.partial`);
    await fs.symlink(victim, file);
    ui.answer('pick', 'NDJSON');
    ui.answer('input', file);
    await start();
    assert.match(ui.readMessages('error').at(-1) ?? '', /planted\.ndjson is a link/);
    await fs.rm(file);
    ui.answer('pick', 'NDJSON');
    ui.answer('input', file);
    await start();
    assert.equal(await fs.readFile(victim, 'utf8'), 'precious');
    const stat = await fs.lstat(file);
    assert.ok(stat.isFile());
    assert.equal(stat.mode & 0o777, 0o600);
    assert.deepEqual(idsIn(await fs.readFile(file, 'utf8')), ids);
    await fs.rm(`${file}.partial`);
  });

  test('a discarded export deletes its files', async () => {
    const { ui } = await getTestHooks();
    const file = path.join(folder, 'discarded.csv');
    ui.answer('pick', 'CSV');
    ui.answer('input', file);
    ui.cancelAt = /^10 so far/;
    ui.answer('info', 'Discard');
    await start();
    await eventually(async () => ((await partialsIn(folder)).length === 0 ? true : undefined));
    // Resume is not offered: the first prompt is for the format.
    ui.reset();
    await start();
    assert.deepEqual(ui.messages.find(({ kind }) => kind === 'pick')?.choices.length, 3);
  });

  test('a target that is not a local file is written at the end; if that fails, the export can be resumed', async () => {
    const h = await getTestHooks();
    const { ui } = h;
    const { index } = (await h.services()).knownIds;
    const noted: (string | undefined)[] = [];
    const note = index.record.bind(index);
    index.record = (connection, definition, items, requested) => {
      noted.push(...items.map(({ id }) => id));
      note(connection, definition, items, requested);
    };
    ui.answer('pick', 'NDJSON');
    ui.answer('input', `${SCHEME}:/assets.ndjson`);
    await start();
    Reflect.deleteProperty(index, 'record');
    // Exported items are not cached, not even their ids.
    assert.deepEqual(
      ids.filter((id) => noted.includes(id)),
      [],
    );
    const text = new TextDecoder().decode(memory.files.get('/assets.ndjson'));
    assert.deepEqual(idsIn(text), ids);
    assert.deepEqual(await partials(), []);

    memory.refuses = true;
    ui.answer('pick', 'NDJSON');
    ui.answer('input', `${SCHEME}:/refused.ndjson`);
    await start();
    assert.match(ui.readMessages('error').at(-1) ?? '', new RegExp(`${String(ids.length)} items are stored in`));
    assert.equal((await partials()).length, 1);
    memory.refuses = false;
    const before = pagesAsked();
    ui.answer('pick', 'Resume refused.ndjson');
    await start();
    assert.deepEqual(idsIn(new TextDecoder().decode(memory.files.get('/refused.ndjson'))), ids);
    assert.equal(pagesAsked(), before, 'everything had been read');
    assert.deepEqual(await partials(), []);
  });
});
