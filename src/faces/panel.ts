/** One preview: what it is of, whose data it is shown with, and the panel that shows it. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { errorText, isCancelled } from '../ui/error-text.ts';
import { plainText } from '../platform/plain-text.ts';
import { hostView, type ViewHost } from '../webviews/panel.ts';
import type { Handlers } from '../webviews/protocol.ts';
import { facesProtocol, type FaceState } from '../webviews/protocol-faces.ts';
import { scopeOf, type Approvals } from './approvals.ts';
import { Assets } from './assets.ts';
import type { Face } from './face.ts';
import { fileFace } from './file-face.ts';
import { chooseOf, chooseObject, compare, copyString, openString, type Chosen, type Texts } from './lab.ts';
import { loadSource, loadSubject, sessionOf } from './load.ts';
import { readText, watchText } from './local.ts';
import { Pages } from './pages.ts';
import { keyOf, sourceOfKeep, type Keep, type ResourceSource, type Source } from './source.ts';
import { allowedRows, compose, textOf, type Composed, type Text } from './state.ts';
import type { Subject } from './subject.ts';

export const PLAIN_TYPE = 'smartObjects.face';
export const SCRIPTED_TYPE = 'smartObjects.scriptedFace';
const MOST_OBJECTS = 6;
/** Milliseconds between a keystroke and the frame that shows it. */
const QUIET = 150;

interface ObjectShown {
  readonly chosen: Chosen;
  readonly subject: Subject | undefined;
  /** as which it was asked for last */
  readonly session: Session | undefined;
  readonly trouble?: string;
}

export interface PreviewParts {
  readonly entry: Entry;
  readonly services: Services;
  readonly approvals: Approvals;
  readonly texts: Texts;
  readonly panel: vscode.WebviewPanel;
  readonly keep: Keep;
  /** what is previewed is another file now: `before` was its key */
  moved(panel: FacePanel, before: string): void;
  openLab(from: ResourceSource, faceId: string | undefined, content: string, objects: Keep['objects']): Promise<void>;
}

export class FacePanel {
  source: Source;
  readonly #parts: PreviewParts;
  readonly #host: ViewHost<typeof facesProtocol.toView>;
  readonly #pages: Pages;
  readonly #assets: Assets;
  #keep: Keep;
  #face: Face | undefined;
  #ownSubjects: readonly Subject[] = [];
  #objects: ReadonlyMap<string, ObjectShown> = new Map();
  #trouble: string | undefined;
  #composed: Composed | undefined;
  #session: Session | undefined;
  #watching: vscode.Disposable | undefined;
  #loading = new AbortController();
  #busy = true;
  /** keys of frames that are drawn although they are heavy */
  readonly #anyway = new Set<string>();

  constructor(parts: PreviewParts) {
    this.#parts = parts;
    this.#keep = parts.keep;
    this.source = sourceOfKeep(parts.keep);
    const { panel, services } = parts;
    panel.iconPath = new vscode.ThemeIcon('preview');
    this.#host = hostView(facesProtocol, {
      container: panel,
      extensionUri: services.context.extensionUri,
      log: services.log,
      bundle: 'faces',
      title: 'Face Preview',
      policy: { hosts: this.#scripts ? 'scriptedFace' : 'face', images: ['data:'] },
      show: () => {
        this.#show();
      },
      handlers: this.#handlers(),
    });
    this.#assets = new Assets(services.send, this.#host.ended, () => {
      this.#show();
    });
    this.#pages = new Pages(services.send, this.#host.ended, () => {
      this.#show();
    });
    this.#host.own(
      new vscode.Disposable(() => {
        this.#loading.abort();
        this.#watching?.dispose();
      }),
    );
    this.#watch();
    this.#host.own(
      services.sessions.onDidChange(() => {
        const connection = this.#connection;
        const shown = [...this.#objects.values()].map(({ chosen, session }) => [chosen.connection, session] as const);
        if (connection !== undefined) shown.push([connection, this.#session]);
        // Another identity sees other things; without one, what is shown is of the past.
        if (shown.some(([name, session]) => services.sessions.get(name) !== session)) void this.reload(false);
      }),
    );
    this.#host.own(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('smartObjects.faces.allowScripts')) this.#show();
      }),
    );
  }

  #watch(): void {
    this.#watching?.dispose();
    if (this.source.type !== 'file') return;
    this.#watching = watchText(
      this.source.uri,
      QUIET,
      () => void this.reload(false),
      (uri) => {
        const before = this.key;
        this.source = { type: 'file', uri };
        this.#keep = { ...this.#keep, source: { type: 'file', uri: uri.toString() } };
        this.#parts.moved(this, before);
        this.#watch();
        void this.reload(false);
      },
    );
  }

  get key(): string {
    return keyOf(this.source);
  }

  isOf(type: string): boolean {
    return this.#parts.panel.viewType === type;
  }

  get state(): { readonly viewColumn: vscode.ViewColumn; readonly keep: Keep } {
    return { viewColumn: this.#parts.panel.viewColumn ?? vscode.ViewColumn.Active, keep: this.#keep };
  }

  close(): void {
    this.#parts.panel.dispose();
  }

  reveal(lab: boolean): void {
    if (lab && !this.#keep.lab) {
      this.#keep = { ...this.#keep, lab };
      this.#show();
    }
    this.#parts.panel.reveal(undefined, true);
  }

  /** Only in the panel type of its own, only by setting and trust: all three asked anew each time. */
  get #scripts(): boolean {
    const allowed = vscode.workspace.getConfiguration('smartObjects').get('faces.allowScripts') === true;
    return allowed && vscode.workspace.isTrusted && this.#parts.panel.viewType === SCRIPTED_TYPE;
  }

  get #connection(): string | undefined {
    const { objects, compareWith } = this.#keep;
    return this.source.type === 'resource' ? this.source.connection : (objects[0] ?? compareWith)?.connection;
  }

  /** Reads everything anew; what was read before stays until then, and after a failure, with the reason. */
  async reload(forget: boolean): Promise<void> {
    this.#loading.abort();
    const { signal } = (this.#loading = new AbortController());
    if (forget) {
      this.#assets.forget();
      this.#pages.forget();
      this.#anyway.clear();
    }
    this.#busy = true;
    this.#forgetOthers();
    if (this.source.type === 'resource') this.#show();
    try {
      await (this.source.type === 'file' ? this.#readFile(this.source.uri, signal) : this.#readResource(signal));
      await this.#readObjects(signal, forget);
      if (!signal.aborted) this.#trouble = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const what = this.#face === undefined ? 'Preview face' : 'Not fresh: preview face';
      this.#trouble = isCancelled(error) ? `${what}: the session has ended.` : errorText(what, error);
    }
    if (signal.aborted || this.#host.disposed) return;
    this.#busy = false;
    this.#show();
  }

  /** What another identity saw is not this one's past; while there is none, it stays. */
  #forgetOthers(): void {
    const { sessions } = this.#parts.services;
    const isOthers = (connection: string, session: Session | undefined): boolean => {
      const now = sessions.get(connection);
      return now !== session && now?.signedOutBecause === undefined;
    };
    this.#objects = new Map(
      [...this.#objects].filter(([, { chosen, session }]) => !isOthers(chosen.connection, session)),
    );
    if (this.source.type === 'file' || !isOthers(this.source.connection, this.#session)) return;
    this.#face = undefined;
    this.#ownSubjects = [];
  }

  async #readFile(uri: vscode.Uri, signal: AbortSignal): Promise<void> {
    const text = await readText(uri);
    if (signal.aborted) return;
    const read = fileFace(uri.path.slice(uri.path.lastIndexOf('/') + 1), text);
    if ('problem' in read) throw new Error(read.problem);
    this.#face = read.face;
  }

  async #readResource(signal: AbortSignal): Promise<void> {
    if (this.source.type !== 'resource') return;
    const { sessions } = this.#parts.services;
    this.#session = sessions.get(this.source.connection);
    const loaded = await loadSource(sessions, this.source, signal);
    if (signal.aborted) return;
    this.#face = loaded.face;
    this.#ownSubjects = loaded.subjects;
  }

  async #readObjects(signal: AbortSignal, again: boolean): Promise<void> {
    const { sessions } = this.#parts.services;
    if (this.source.type === 'file')
      this.#session = this.#connection === undefined ? undefined : sessions.get(this.#connection);
    const next = new Map<string, ObjectShown>();
    for (const chosen of this.#keep.objects.slice(0, MOST_OBJECTS)) {
      const key = keyOfChosen(chosen);
      const known = this.#objects.get(key);
      const session = sessions.get(chosen.connection);
      if (known?.subject !== undefined && !again) {
        next.set(key, { ...known, session });
        continue;
      }
      try {
        next.set(key, {
          chosen,
          session,
          subject: await loadSubject(sessionOf(sessions, chosen.connection), chosen.id, signal),
        });
      } catch (error) {
        next.set(key, {
          chosen,
          session,
          subject: known?.subject,
          trouble: errorText(`Read object ${plainText(chosen.id, 40)}`, error),
        });
      }
    }
    if (!signal.aborted) this.#objects = next;
  }

  #show(): void {
    if (this.#host.disposed) return;
    const { approvals, panel } = this.#parts;
    const profile = this.#session?.profile;
    const scope = scopeOf(profile);
    const scripts = this.#scripts;
    const face = this.#face;
    panel.title = plainText(face?.name ?? this.#fallbackTitle(), 60) + (scripts ? ' (scripts)' : '');
    const chosen = [...this.#objects.values()];
    const subjects = chosen.length > 0 ? chosen.map(({ subject }) => subject) : this.#ownSubjects;
    const composed = compose({
      face: face ?? { name: panel.title, variants: [], assets: [] },
      variant: this.#keep.variant,
      subjects: face === undefined ? [] : subjects.length > 0 ? subjects : [undefined],
      context: {
        scripts,
        fetched: this.#assets.fetched,
        allows: (use, origin, personal) => approvals.allows(scope, use, origin, personal),
        ...(profile !== undefined && { baseUrl: profile.baseUrl }),
      },
      anyway: this.#anyway,
      pageState: (href) => this.#pages.state(href, profile?.baseUrl),
    });
    this.#composed = composed;
    // Reloads the page when the policy has changed; then it asks for the state again.
    this.#host.setPolicy(composed.policy);
    const troubles = [this.#trouble, ...chosen.map(({ trouble }) => trouble)].filter((text) => text !== undefined);
    const state: FaceState = {
      ...composed.state,
      title: panel.title,
      heading: this.#session?.heading ?? this.#fallbackTitle(),
      source: this.source.type === 'file' ? 'file' : this.source.kind === 'assets' ? 'asset' : 'resource',
      places: this.source.type === 'file' && !/\.json$/i.test(this.source.uri.path),
      busy: this.#busy,
      ...(troubles.length > 0 && { trouble: troubles.join(' ').slice(0, 4000) }),
      objects: chosen.map(({ chosen: object, subject }) => ({
        key: keyOfChosen(object),
        label: plainText(subject?.label ?? object.id, 60),
      })),
      canAddObject: this.#keep.objects.length < MOST_OBJECTS,
      allowed: allowedRows(approvals.list(scope)),
      scripts,
      lab: this.#keep.lab,
      keep: this.#keep,
    };
    this.#host.post('state', state);
    this.#assets.want(composed.missing);
  }

  /** Of the variant that is shown. */
  #text(): Text {
    return textOf(this.#face, this.#composed?.state.variant);
  }

  #fallbackTitle(): string {
    const { source } = this;
    return source.type === 'file' ? source.uri.path.slice(source.uri.path.lastIndexOf('/') + 1) : source.connection;
  }

  #handlers(): Handlers<typeof facesProtocol.toHost> {
    const { entry, services, approvals, texts } = this.#parts;
    const scope = (): string => scopeOf(this.#session?.profile);
    const act = (what: string, work: () => Promise<unknown>): void => {
      work().catch((error: unknown) => {
        if (!isCancelled(error)) void services.ui.error(errorText(what, error));
      });
    };
    return {
      refresh: () => this.reload(true),
      variant: ({ key }) => {
        this.#keep = { ...this.#keep, variant: key };
        this.#show();
      },
      addObject: () => {
        act('Choose object', async () => {
          const object = await chooseObject(services, this.#connection, this.#face?.id ?? this.#keep.compareWith?.id);
          if (object === undefined || this.#keep.objects.some((known) => keyOfChosen(known) === keyOfChosen(object)))
            return;
          this.#keep = { ...this.#keep, objects: [...this.#keep.objects, object].slice(0, MOST_OBJECTS) };
          await this.reload(false);
        });
      },
      removeObject: ({ key }) => {
        this.#keep = { ...this.#keep, objects: this.#keep.objects.filter((known) => keyOfChosen(known) !== key) };
        this.#objects = new Map([...this.#objects].filter(([known]) => known !== key));
        this.#show();
        // A file is on the connection of its objects.
        if (this.source.type === 'file') void this.reload(false);
      },
      allow: ({ id }) => {
        const wish = this.#composed?.wishes.get(id);
        if (wish === undefined) return;
        act('Remember what is allowed', async () => {
          await approvals.allow(scope(), wish);
          this.#show();
        });
      },
      forget: ({ key }) => {
        act('Forget what was allowed', async () => {
          await approvals.forget(scope(), key);
          this.#show();
        });
      },
      openBrowser: ({ key }) => {
        const href = this.#composed?.external.get(key);
        if (href !== undefined) void vscode.env.openExternal(vscode.Uri.parse(href, true));
      },
      showAnyway: ({ key }) => {
        this.#anyway.add(key);
        this.#show();
      },
      openLink: ({ key }) => {
        const href = this.#composed?.links.get(key);
        if (href === undefined) return;
        act('Open link', async () => {
          const question = {
            message: `Open the link to ${new URL(href).host} in the browser?`,
            detail: `${plainText(href, 2000)}\n\nThe address is part of the face and can hold data of the object.`,
            action: 'Open Link',
          };
          if (await services.ui.confirm(question)) await vscode.env.openExternal(vscode.Uri.parse(href, true));
        });
      },
      openSource: () => {
        const { source } = this;
        if (source.type === 'file')
          void vscode.window.showTextDocument(source.uri, { viewColumn: vscode.ViewColumn.One });
        else void entry.run('openResource', { connection: source.connection, kind: source.kind, id: source.id });
      },
      goTo: ({ line, column }) => {
        if (this.source.type !== 'file') return;
        const at = new vscode.Position(line - 1, column - 1);
        void vscode.window.showTextDocument(this.source.uri, {
          viewColumn: vscode.ViewColumn.One,
          selection: new vscode.Range(at, at),
        });
      },
      openLab: () => {
        act('Open face lab', async () => {
          const { source } = this;
          if (source.type === 'file') this.reveal(true);
          else await this.#parts.openLab(source, this.#face?.id, this.#text().content, this.#keep.objects);
        });
      },
      compare: () => {
        act('Compare with the platform', async () => {
          const { source } = this;
          if (source.type !== 'file') return;
          const text = this.#text();
          const face = await chooseOf(services, 'faces', this.#keep.compareWith, 'Compare File With Face');
          if (face === undefined) return;
          this.#keep = { ...this.#keep, compareWith: face };
          await compare(services, texts, { uri: source.uri, ...text }, face);
        });
      },
      copyString: () => {
        act('Copy as JSON string', async () => {
          await copyString(this.#text().content);
        });
      },
      openString: () => {
        act('Open JSON string', () => openString(services));
      },
    };
  }
}

function keyOfChosen({ connection, id }: Chosen): string {
  return `${connection.slice(0, 64)} ${id.slice(0, 200)}`;
}
