/** The faces room, loaded on first use: opens, finds again and restores previews. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import { Approvals } from './approvals.ts';
import { chooseOf, openUntitled, Texts } from './lab.ts';
import { loadSource } from './load.ts';
import { FacePanel, PLAIN_TYPE, SCRIPTED_TYPE } from './panel.ts';
import { isFaceFile, keepSchema, keyOf, sourceFrom, type Keep, type ResourceSource, type Source } from './source.ts';
import { textOf } from './state.ts';

export class FacesRoom {
  readonly #entry: Entry;
  readonly #services: Services;
  readonly #approvals: Approvals;
  readonly #texts: Texts;
  readonly #panels = new Map<string, FacePanel>();

  constructor(entry: Entry, services: Services) {
    this.#entry = entry;
    this.#services = services;
    this.#approvals = new Approvals(services.context.globalState);
    this.#texts = entry.own(new Texts());
  }

  async preview(argument: unknown, kind: 'faces' | 'assets' = 'faces'): Promise<void> {
    const source = sourceFrom(argument) ?? this.#inFront(kind) ?? (await this.#choose(kind));
    if (source !== undefined) await this.#open(source, false);
  }

  /** For a file; a resource's content becomes an untitled one. */
  async lab(argument: unknown): Promise<void> {
    const source = sourceFrom(argument) ?? this.#inFront('faces') ?? (await this.#choose('faces'));
    if (source?.type !== 'resource' || source.kind === 'assets') {
      if (source !== undefined) await this.#open(source, true);
      return;
    }
    const { sessions, ui } = this.#services;
    const { face } = await ui.progress('Reading the face', (signal) => loadSource(sessions, source, signal));
    await this.#openLab(source, face.id, textOf(face).content, []);
  }

  /** What the content came from goes along: its objects, its connection, and the face to compare with. */
  async #openLab(from: ResourceSource, faceId: string | undefined, content: string, objects: Keep['objects']) {
    const { connection, kind, id } = from;
    const face = kind === 'faces' ? id : faceId;
    const { uri } = await openUntitled(content);
    await this.#open({ type: 'file', uri }, true, {
      objects: kind === 'objects' && objects.length === 0 ? [{ connection, id }] : objects,
      compareWith: face === undefined ? undefined : { connection, id: face },
    });
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const keep = keepSchema.parse(typeof state === 'object' && state !== null ? Reflect.get(state, 'keep') : undefined);
    await this.#fill(panel, keep);
  }

  async #open(
    source: Source,
    lab: boolean,
    handed: Pick<Keep, 'objects' | 'compareWith'> = { objects: [], compareWith: undefined },
  ): Promise<void> {
    const open = this.#panels.get(keyOf(source));
    const scripts = vscode.workspace.getConfiguration('smartObjects').get('faces.allowScripts') === true;
    const type = scripts && vscode.workspace.isTrusted ? SCRIPTED_TYPE : PLAIN_TYPE;
    if (open !== undefined) {
      // Scripts were allowed or refused since: that takes the other panel type.
      if (open.isOf(type)) open.reveal(lab);
      else await this.#replace(open, type, lab);
      return;
    }
    // A file stays in front of whoever edits it.
    const viewColumn = source.type === 'file' ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(
      type,
      'Face',
      { viewColumn, preserveFocus: source.type === 'file' },
      { enableFindWidget: false },
    );
    const kept = source.type === 'file' ? { type: source.type, uri: source.uri.toString() } : source;
    await this.#fill(panel, { source: kept, variant: '', lab, ...handed });
  }

  async #replace(open: FacePanel, type: string, lab: boolean): Promise<void> {
    const { viewColumn, keep } = open.state;
    const panel = vscode.window.createWebviewPanel(type, 'Face', { viewColumn, preserveFocus: true });
    open.close();
    await this.#fill(panel, { ...keep, lab: keep.lab || lab });
  }

  async #fill(panel: vscode.WebviewPanel, keep: Keep): Promise<void> {
    const face = new FacePanel({
      entry: this.#entry,
      services: this.#services,
      approvals: this.#approvals,
      texts: this.#texts,
      panel,
      keep,
      moved: (moved, before) => {
        if (this.#panels.get(before) === moved) this.#panels.delete(before);
        // Two previews of one file are one panel.
        this.#panels.get(moved.key)?.close();
        this.#panels.set(moved.key, moved);
      },
      openLab: (...from) => this.#openLab(...from),
    });
    this.#panels.set(face.key, face);
    panel.onDidDispose(() => {
      if (this.#panels.get(face.key) === face) this.#panels.delete(face.key);
    });
    await face.reload(false);
  }

  #inFront(kind: 'faces' | 'assets'): Source | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (uri === undefined || (kind === 'assets' && uri.scheme !== 'smartobject')) return undefined;
    const html = vscode.window.activeTextEditor?.document.languageId === 'html';
    return uri.scheme === 'smartobject' || html || isFaceFile(uri) ? sourceFrom(uri) : undefined;
  }

  async #choose(kind: 'faces' | 'assets'): Promise<Source | undefined> {
    const purpose = kind === 'faces' ? 'Preview Face' : 'Preview Asset';
    const chosen = await chooseOf(this.#services, kind, undefined, purpose);
    return chosen === undefined ? undefined : { type: 'resource', kind, ...chosen };
  }
}
