/** Which files a command means, and their text as the editor shows it. */
import * as vscode from 'vscode';
import type { Ui } from '../ui/ui.ts';
import { nameOfFile, parseActionFile } from './file.ts';
import { casesOf, type Case } from './plan.ts';
import type { Source } from './runner.ts';

export const ACTION_FILES = '**/*.action.json';
const WITH_SUITES = '**/*.{action,actions}.json';
/** At most so many files of a folder. */
const MOST = 500;

/** The files that an argument means, else the active editor's, else asks; empty where nothing was chosen. */
export async function sourcesOf(
  ui: Ui,
  argument: unknown,
  selected?: unknown,
  pattern = WITH_SUITES,
): Promise<readonly Source[]> {
  const uris = urisOf(selected).length > 1 ? urisOf(selected) : urisOf(argument);
  if (uris.length > 0) return open(await withFolders(uris));
  const front = vscode.window.activeTextEditor?.document;
  if (front !== undefined && isMeant(front, pattern)) return [sourceOf(front)];
  const chosen = await ask(ui, pattern);
  return chosen === undefined ? [] : open([chosen]);
}

export function sourceOf(document: vscode.TextDocument): Source {
  return { name: nameOfFile(document.uri.path), uri: document.uri, text: document.getText() };
}

/** A file of a person's own that is called an action or holds one; not a resource, nor any JSON that is in front. */
function isMeant(document: vscode.TextDocument, pattern: string): boolean {
  const { languageId, uri } = document;
  if (uri.scheme !== 'untitled' && vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== true) return false;
  if (vscode.languages.match({ pattern }, document) > 0) return true;
  const isJson = languageId === 'json' || languageId === 'jsonc';
  return isJson && parseActionFile(document.getText()).action !== undefined;
}

function urisOf(argument: unknown): readonly vscode.Uri[] {
  if (argument instanceof vscode.Uri) return [argument];
  if (Array.isArray(argument)) return argument.filter((entry) => entry instanceof vscode.Uri);
  if (typeof argument !== 'object' || argument === null) return [];
  // A row of the Test Explorer or of our own views.
  const uri: unknown = Reflect.get(argument, 'uri') ?? Reflect.get(argument, 'resourceUri');
  return uri instanceof vscode.Uri ? [uri] : [];
}

/** Folders stand for their action files, in the order of their paths. */
async function withFolders(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const files: vscode.Uri[] = [];
  for (const uri of uris) {
    if (uri.scheme === 'untitled' || !(await isFolder(uri))) {
      files.push(uri);
      continue;
    }
    files.push(...(await filesIn(uri, ACTION_FILES)));
  }
  if (files.length === 0) throw new Error('There is no action file in that folder');
  return [...new Map(files.map((uri) => [uri.toString(), uri])).values()];
}

/** Files of a folder, installed packages apart. Throws where there are too many: some would be left out unsaid. */
export async function filesIn(folder: vscode.Uri, pattern: string): Promise<vscode.Uri[]> {
  const { asRelativePath, findFiles } = vscode.workspace;
  const found = await findFiles(new vscode.RelativePattern(folder, pattern), '**/node_modules/**', MOST + 1);
  if (found.length > MOST)
    throw new Error(
      `${asRelativePath(folder)} has more than ${String(MOST)} files to run: choose a smaller folder. Nothing was sent`,
    );
  return found.sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
}

/** What a file stands for, as the editor shows it and the files that it names; none of them outside of `folder`. */
export function casesAt(uri: vscode.Uri, folder: string | undefined): Promise<readonly Case[]> {
  const read = async (path: string): Promise<string | undefined> => {
    const at = uri.with({ path });
    try {
      // VS Code keeps the text of a deleted file for a while.
      await vscode.workspace.fs.stat(at);
      return (await vscode.workspace.openTextDocument(at)).getText();
    } catch {
      return undefined;
    }
  };
  return casesOf(uri.path, read, async (from, relative) => {
    const suite = uri.with({ path: from });
    const target = vscode.Uri.joinPath(suite, '..', relative);
    if (folder !== undefined && !target.path.startsWith(`${folder}/`))
      throw new Error(`${relative} lies outside the workspace folder`);
    if (folder !== undefined && uri.scheme === 'file') {
      const { resolveInside, stepWords } = await import('./inside.ts');
      const words = stepWords(relative, 'the workspace folder');
      await resolveInside(uri.with({ path: folder }).fsPath, suite.fsPath, relative, words);
    }
    return target.path;
  });
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.Directory;
  } catch {
    return false;
  }
}

async function open(uris: readonly vscode.Uri[]): Promise<readonly Source[]> {
  // An open document is handed out as it is shown, saved or not.
  return Promise.all(uris.map(async (uri) => sourceOf(await vscode.workspace.openTextDocument(uri))));
}

async function ask(ui: Ui, pattern: string): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles(pattern, '**/node_modules/**', MOST + 1);
  if (files.length === 0) {
    throw new Error('No action file is open, and the workspace has none. New Action File… starts one');
  }
  const choices = files
    .sort((a, b) => a.path.localeCompare(b.path))
    .map((uri) => ({ label: nameOfFile(uri.path), description: vscode.workspace.asRelativePath(uri), uri }));
  const cut = choices.length > MOST;
  const more = `The first ${String(MOST)} found; any other: open it, and execute it there`;
  return (
    await ui.pick(choices.slice(0, MOST), {
      title: 'Which action file?',
      matchOnDescription: true,
      ...(cut && { placeHolder: more }),
    })
  )?.uri;
}
