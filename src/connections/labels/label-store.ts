/** Reads and writes labels: `smartObjects.labels` of user and workspace, and the shared label files. */
import * as l10n from '@vscode/l10n';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { isObject } from '../../platform/json/json.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import {
  getLabelProblem,
  mergeLabels,
  normalizeValue,
  readLabels,
  type Label,
  type LabelEntries,
  type Labels,
  type LabelSource,
} from '../../model/text/labels.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { replaceFile } from '../../model/files/write-file.ts';
import { createWorkspaceFile, readTextFile, resolveWorkspaceFile } from '../../model/files/read-workspace-file.ts';
import { Disposables } from '../../ui/disposables.ts';
import type { Log } from '../../ui/log.ts';
import { compareTexts } from '../../platform/text/localization.ts';

const MAX_FILE_BYTES = 1024 * 1024;

type FileSource = Extract<LabelSource, 'userFile' | 'file'>;

/** A place where a label file may be. */
interface LabelFile {
  readonly source: FileSource;
  /** relative to `root`, else absolute */
  readonly name: string;
  /** the workspace folder that the file must be in; absent for a path of the user's own settings */
  readonly root?: string;
}

/** A label file that exists, with links resolved. */
interface LoadedFile {
  readonly source: FileSource;
  readonly path: string;
  readonly entries: LabelEntries['entries'];
}

/** The labels of this window, read again whenever settings or files change. */
export class LabelStore implements Labels, vscode.Disposable {
  readonly #log: Log;
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #watchers = new Disposables();
  #labels: ReadonlyMap<string, Label> = new Map();
  #files: readonly LoadedFile[] = [];
  /** an earlier reading that ends later is dropped */
  #lastReading = 0;

  constructor(log: Log) {
    this.#log = log;
    const { workspace } = vscode;
    this.#watchFiles();
    this.#disposables.add(
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('smartObjects.labelsFile')) this.#watchFiles();
        else if (!event.affectsConfiguration('smartObjects.labels')) return;
        void this.reload();
      }),
    );
    const handleFolders = (): void => {
      this.#watchFiles();
      void this.reload();
    };
    this.#disposables.add(workspace.onDidChangeWorkspaceFolders(handleFolders));
    this.#disposables.add(workspace.onDidGrantWorkspaceTrust(handleFolders));
  }

  dispose(): void {
    this.#watchers.dispose();
    this.#disposables.dispose();
  }

  get(value: string): Label | undefined {
    return this.#labels.get(normalizeValue(value));
  }

  get all(): readonly Label[] {
    return [...this.#labels.values()].toSorted((a, b) => compareTexts(a.text, b.text));
  }

  /** Name of the file of a source that gets new labels, if there is one; of a workspace only if it is trusted. */
  getFileName(source: FileSource): string | undefined {
    const isOfSource = (file: { readonly source: FileSource }): boolean => file.source === source;
    const file = this.#files.find(isOfSource)?.path ?? getLabelFiles().find(isOfSource)?.name;
    return file === undefined ? undefined : path.basename(file);
  }

  /** Reads settings and files again. Never rejects: what cannot be read is logged, and its labels are left out. */
  async reload(): Promise<void> {
    const reading = ++this.#lastReading;
    const loaded = await Promise.all(getLabelFiles().map((file) => this.#readFile(file)));
    if (reading !== this.#lastReading) return;
    this.#files = loaded.filter((file) => file !== undefined);
    const getEntries = (source: FileSource): LabelEntries['entries'] =>
      this.#files.filter((file) => file.source === source).flatMap(({ entries }) => entries);
    const labels = mergeLabels({
      user: this.#readEntries(readSetting('user'), 'user'),
      userFile: getEntries('userFile'),
      workspace: this.#readEntries(readSetting('workspace'), 'workspace'),
      file: getEntries('file'),
    });
    if (JSON.stringify([...labels]) === JSON.stringify([...this.#labels])) return;
    this.#labels = labels;
    this.#changed.fire();
  }

  /**
   * Sets labels in one place; an empty text removes the label. Rejects for a text that cannot be a label there, and
   * if the settings or the file cannot be written.
   */
  async write(changes: LabelEntries['entries'], source: LabelSource): Promise<void> {
    for (const [, text] of changes) {
      const problem = text === '' ? undefined : getLabelProblem(text, source);
      if (problem !== undefined) throw new Error(problem.replace(/\.$/, ''));
    }
    if (source === 'userFile' || source === 'file') await this.#writeFile(changes, source);
    else {
      const target = source === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
      const labels = changeLabels(readSetting(source), changes);
      await vscode.workspace
        .getConfiguration('smartObjects')
        .update(SETTING, Object.keys(labels).length === 0 ? undefined : labels, target);
    }
    await this.reload();
  }

  #watchFiles(): void {
    this.#watchers.dispose();
    this.#watchers = new Disposables();
    for (const { root, name } of getLabelFiles()) {
      const file = root === undefined ? name : path.join(root, name);
      const pattern = new vscode.RelativePattern(vscode.Uri.file(path.dirname(file)), path.basename(file));
      const watcher = this.#watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
        this.#watchers.add(event(() => void this.reload()));
    }
  }

  #readEntries(json: unknown, source: LabelSource, file?: string): LabelEntries['entries'] {
    const { entries, ignored } = readLabels(json, source);
    if (ignored > 0)
      this.#log.warn(`${file ?? `Settings (${source})`}: ${String(ignored)} invalid labels were ignored.`);
    return entries;
  }

  async #readFile({ source, root, name }: LabelFile): Promise<LoadedFile | undefined> {
    const label = path.basename(name);
    try {
      const real =
        root === undefined
          ? await fs.realpath(name)
          : await resolveWorkspaceFile(root, undefined, name, { label, missing: l10n.t('{0} does not exist', label) });
      return { source, path: real, entries: this.#readEntries(await readJsonFile(real), source, toPlainText(label)) };
    } catch (error) {
      if (!isMissingFile(error) && !(error instanceof Error && isMissingFile(error.cause)))
        this.#log.warn(`Labels were not read: ${toPlainText(getErrorMessage(error), 300)}`);
      return undefined;
    }
  }

  /** Changes each label in the file of the source that has it, others in its first file. */
  async #writeFile(changes: LabelEntries['entries'], source: FileSource): Promise<void> {
    const files = this.#files.filter((file) => file.source === source);
    const first = files[0] ?? (await createLabelFile(source));
    const findFile = (value: string): LoadedFile =>
      files.find(({ entries }) => entries.some(([known]) => isSameValue(known, value))) ?? first;
    for (const [file, own] of Map.groupBy(changes, ([value]) => findFile(value))) {
      await replaceFile(file.path, formatLabelFile(changeLabels(await readJsonFile(file.path), own)));
    }
  }
}

const SETTING = 'labels';

function readSetting(source: 'user' | 'workspace'): unknown {
  const found = vscode.workspace.getConfiguration('smartObjects').inspect(SETTING);
  if (source === 'user') return found?.globalValue;
  // VS Code ignores the settings of an untrusted workspace too.
  return vscode.workspace.isTrusted ? found?.workspaceValue : undefined;
}

/** The file that the user's settings name by an absolute path, and the label file in each workspace folder on disk. */
function getLabelFiles(): readonly LabelFile[] {
  const found = vscode.workspace.getConfiguration('smartObjects').inspect('labelsFile');
  const { workspaceFolders = [], isTrusted } = vscode.workspace;
  const [own, shared, initial] = [found?.globalValue, found?.workspaceValue, found?.defaultValue];
  const ownFiles: LabelFile[] =
    typeof own === 'string' && path.isAbsolute(own) ? [{ source: 'userFile', name: own }] : [];
  const name = [shared, own, initial].find((value) => typeof value === 'string');
  if (!isTrusted || name === undefined || name === '') return ownFiles;
  if (path.isAbsolute(name) || name.split(/[/\\]/).includes('..')) return ownFiles;
  const folders = workspaceFolders.filter(({ uri }) => uri.scheme === 'file');
  return [...ownFiles, ...folders.map(({ uri }) => ({ source: 'file' as const, root: uri.fsPath, name }))];
}

/** Creates the first label file of a source. Rejects with Error if that is not possible. */
async function createLabelFile(source: FileSource): Promise<LoadedFile> {
  const file = getLabelFiles().find((one) => one.source === source);
  if (file === undefined) throw new Error(l10n.t('No workspace folder for a label file'));
  const root = file.root ?? path.dirname(file.name);
  const name = path.relative(root, path.resolve(root, file.name));
  // Fails for an existing file, and for a link that leads out of the folder.
  const created = await createWorkspaceFile(root, name, formatLabelFile({})).catch((error: unknown) => {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw exists ? new Error(l10n.t('{0} is not a label file in this folder', toPlainText(name))) : error;
  });
  return { source, path: created, entries: [] };
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function readJsonFile(file: string): Promise<unknown> {
  const name = path.basename(file);
  const json = tryParseJson(await readTextFile(file, MAX_FILE_BYTES, name));
  if (!isObject(json)) throw new Error(l10n.t('{0} is not a JSON object', name));
  return json;
}

function isSameValue(one: string, other: string): boolean {
  return normalizeValue(one) === normalizeValue(other);
}

function changeLabels(json: unknown, changes: LabelEntries['entries']): Readonly<Record<string, unknown>> {
  const others = Object.entries(isObject(json) ? json : {}).filter(([known]) =>
    changes.every(([value]) => !isSameValue(known, value)),
  );
  return Object.fromEntries([...others, ...changes.filter(([, text]) => text !== '')]);
}

function formatLabelFile(labels: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(labels, null, 2)}\n`;
}

/** The store behind the services' labels, for the commands that write them. Throws Error for other implementations. */
export function getLabelStore({ labels }: Services): LabelStore {
  if (labels instanceof LabelStore) return labels;
  throw new Error('Not a LabelStore');
}
