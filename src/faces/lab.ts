/** What the face lab does beside showing: choosing objects, comparing with the platform, strings in and out. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { plainText } from '../platform/plain-text.ts';
import { loadContent } from './load.ts';
import type { Text } from './state.ts';

export interface Chosen {
  readonly connection: string;
  readonly id: string;
}

interface Choice extends vscode.QuickPickItem {
  readonly id: string;
}

const MOST_TEMPLATES = 200;

/** An object of one of the face's templates first, if any uses it; else any. */
export async function chooseObject(
  services: Services,
  connection: string | undefined,
  faceId: string | undefined,
): Promise<Chosen | undefined> {
  const session = await sessionFor(services, connection, 'Preview face with an object');
  if (session === undefined) return undefined;
  const { own, choices } = await services.ui.progress('Looking for objects', async (signal) => {
    const template = faceId === undefined ? undefined : await templateOf(session, faceId, signal);
    const own = template === undefined ? [] : await objectsOf(session, { template_id: template }, signal);
    return { own: own.length > 0, choices: own.length > 0 ? own : await objectsOf(session, {}, signal) };
  });
  const none = choices.length === 0 ? 'There are no objects to choose from: type' : 'Choose one, or type';
  const others =
    own || faceId === undefined || choices.length === 0 ? '' : 'No object has this face yet: take another. ';
  const chosen = await services.ui.pickOrType(choices, {
    title: `${session.heading}: Preview With Object`,
    placeHolder: `${others === '' ? 'Whose data fills the placeholders? ' : others}${none} an id`,
    typed: (text) => `Use the object with the id “${text}”`,
  });
  if (chosen === undefined) return undefined;
  return { connection: session.profile.name, id: typeof chosen === 'string' ? chosen : chosen.id };
}

async function objectsOf(
  session: Session,
  filter: { readonly template_id?: string },
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const page = await session.client.page('objects', { limit: 100, ...filter }, { signal });
  return page.items.flatMap(({ id, view }): Choice[] => {
    if (id === undefined) return [];
    const edition = view?.metadata?.edition;
    const label = plainText(view?.metadata?.name ?? id, 60) || plainText(id, 60);
    return [{ id, label, description: edition === undefined ? '' : `#${String(edition)}`, detail: plainText(id) }];
  });
}

async function templateOf(session: Session, faceId: string, signal: AbortSignal): Promise<string | undefined> {
  let seen = 0;
  for await (const page of session.client.pages('templates', { limit: 100 }, { signal })) {
    const found = page.items.find((item) => item.view?.face_id === faceId);
    if (found !== undefined) return found.id;
    seen += page.items.length;
    if (seen >= MOST_TEMPLATES) return undefined;
  }
  return undefined;
}

export async function chooseOf(
  services: Services,
  kind: 'faces' | 'assets',
  known: { readonly connection: string; readonly id?: string } | undefined,
  purpose: string,
): Promise<Chosen | undefined> {
  const session = await sessionFor(services, known?.connection, purpose);
  if (session === undefined) return undefined;
  const page = await services.ui.progress(`Looking for ${kind}`, (signal) =>
    session.client.page(kind, { limit: 100 }, { signal }),
  );
  const one = kind.slice(0, -1);
  const choices = page.items.flatMap((item): Choice[] =>
    item.id === undefined
      ? []
      : [{ id: item.id, label: plainText(item.view?.name ?? item.id, 60), detail: plainText(item.id) }],
  );
  // The one that was chosen before comes first.
  choices.sort((a, b) => Number(b.id === known?.id) - Number(a.id === known?.id));
  const chosen = await services.ui.pickOrType(choices, {
    title: `${session.heading}: ${purpose}`,
    placeHolder: `Which ${one}? Choose one, or type an id`,
    typed: (text) => `The ${one} with the id “${text}”`,
  });
  if (chosen === undefined) return undefined;
  return { connection: session.profile.name, id: typeof chosen === 'string' ? chosen : chosen.id };
}

async function sessionFor(
  services: Services,
  connection: string | undefined,
  purpose: string,
): Promise<Session | undefined> {
  const known = connection === undefined ? undefined : services.sessions.get(connection);
  return known ?? services.sessions.choose(purpose);
}

export const SCHEME = 'smartobjects-face';

/** Documents for comparing: what the platform has, and the content inside a JSON file. Held while they are open. */
export class Texts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered = [
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === SCHEME) this.#texts.delete(uri.toString());
    }),
  ];

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? 'This text is not held any more. Compare again.';
  }

  put(path: readonly string[], text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${path.map((part) => encodeURIComponent(part)).join('/')}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }

  dispose(): void {
    for (const part of this.#registered) part.dispose();
    this.#changed.dispose();
  }
}

/** The platform's content on the left, the file on the right: of a JSON file only the variant that is shown. */
export async function compare(
  services: Services,
  texts: Texts,
  file: Text & { readonly uri: vscode.Uri },
  face: Chosen,
): Promise<void> {
  const session = services.sessions.get(face.connection);
  if (session === undefined)
    throw new Error(`The connection ${face.connection} is not there. Choose another face to compare with`);
  const platform = await services.ui.progress('Reading the face', (signal) =>
    loadContent(session, face.id, file.label, signal),
  );
  const left = texts.put([face.connection, face.id, 'platform.html'], platform.content);
  const name = file.uri.path.slice(file.uri.path.lastIndexOf('/') + 1);
  const right = /\.json$/i.test(name) ? texts.put(['local', name, 'content.html'], file.content) : file.uri;
  await vscode.commands.executeCommand(
    'vscode.diff',
    left,
    right,
    `${plainText(platform.name, 40) || plainText(face.id, 40)} (${session.profile.name}) ↔ ${name}`,
  );
}

/** The way an API wants it: one line, quoted. */
export async function copyString(content: string): Promise<void> {
  await vscode.env.clipboard.writeText(JSON.stringify(content));
  vscode.window.setStatusBarMessage('$(check) Copied as one-line JSON string', 2500);
}

/** The string in the clipboard, or one that is pasted, as a document of its own. */
export async function openString(services: Services): Promise<void> {
  const clipboard = (await vscode.env.clipboard.readText()).trim();
  const offered = contentOfString(clipboard) === undefined ? '' : clipboard;
  const text = await services.ui.input({
    title: 'Open JSON String as HTML',
    prompt: 'A face’s content as it stands in JSON: one line, in quotes',
    value: offered,
    validateInput: (typed) =>
      contentOfString(typed) === undefined ? 'Paste a JSON string, with its quotes' : undefined,
  });
  const content = text === undefined ? undefined : contentOfString(text);
  if (content === undefined) return;
  await openUntitled(content);
}

/** Formats what came as one long line: that is what it was opened for. */
export async function openUntitled(content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language: 'html', content });
  await vscode.window.showTextDocument(document, { preview: false });
  if (!content.trim().includes('\n') && content.length > 120)
    await vscode.commands.executeCommand('editor.action.formatDocument');
  return document;
}

export function contentOfString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text.trim().replace(/,$/, ''));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
