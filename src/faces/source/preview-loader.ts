import * as l10n from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { formatTitle, type TitleSources } from '../../cache/title-lookup.ts';
import type { Session, Sessions } from '../../model/session/session.ts';
import { formatError, isCancelled } from '../../model/text/error-message.ts';
import { registry } from '../../platform/registry.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import type { Face } from './face.ts';
import { loadObjectSubject, loadSource, type ReadResource } from './load.ts';
import { getUriName, readFileText } from './local-file.ts';
import { parseFaceFile } from './parse-face-file.ts';
import type { ResourceReference } from './pickers.ts';
import type { ResourceSource, Source } from './source.ts';
import type { Subject } from './subject.ts';
import { requireSession } from '../../model/session/require-session.ts';

/** Objects that one preview shows. */
export const MAX_OBJECTS = 6;

interface PreviewObject {
  readonly reference: ResourceReference;
  readonly subject: Subject | undefined;
  /** the session of the last read */
  readonly session: Session | undefined;
  readonly error?: string;
}

/** Loads the face and the objects of a preview. Equal content keeps its identity, so that it is not rendered again. */
export class PreviewLoader {
  readonly #titles: TitleSources;
  readonly #sessions: Sessions;
  readonly #readKnown: ReadResource | undefined;
  #face: Face | undefined;
  #ownSubjects: readonly Subject[] = [];
  #objects: ReadonlyMap<string, PreviewObject> = new Map();
  #session: Session | undefined;
  #error: string | undefined;
  #isLoading = true;
  #abort = new AbortController();

  /** `readKnown`: see `loadSource` */
  constructor(services: TitleSources & { readonly sessions: Sessions }, readKnown?: ReadResource) {
    this.#titles = services;
    this.#sessions = services.sessions;
    this.#readKnown = readKnown;
  }

  get face(): Face | undefined {
    return this.#face;
  }
  /** the session of the source; for a file that of its objects */
  get session(): Session | undefined {
    return this.#session;
  }
  get isLoading(): boolean {
    return this.#isLoading;
  }
  get objects(): readonly PreviewObject[] {
    return [...this.#objects.values()];
  }
  /** The data to show the face with: of the chosen objects, else of the source itself. */
  get subjects(): readonly (Subject | undefined)[] {
    return this.#objects.size > 0 ? this.objects.map(({ subject }) => subject) : this.#ownSubjects;
  }
  /** Failures of the last load, one sentence each. */
  get errors(): readonly string[] {
    return [this.#error, ...this.objects.map(({ error }) => error)].filter((text) => text !== undefined);
  }

  /** Whether a session was replaced since the last load; `connection` is that of the source. */
  isOutdated(connection: string | undefined): boolean {
    const isReplaced = (name: string, session: Session | undefined): boolean => this.#sessions.get(name) !== session;
    return (
      this.objects.some(({ reference, session }) => isReplaced(reference.connection, session)) ||
      (connection !== undefined && isReplaced(connection, this.#session))
    );
  }

  /** Prepares a load: cancels the running one, and drops data that another identity has read. */
  start(source: Source): AbortSignal {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#isLoading = true;
    // While signed out, the last data stays visible.
    const isOtherIdentity = (connection: string, session: Session | undefined): boolean => {
      const current = this.#sessions.get(connection);
      return current !== session && current?.signedOutReason === undefined;
    };
    this.#objects = new Map(
      [...this.#objects].filter(([, { reference, session }]) => !isOtherIdentity(reference.connection, session)),
    );
    if (source.type === 'resource' && isOtherIdentity(source.connection, this.#session)) {
      this.#face = undefined;
      this.#ownSubjects = [];
    }
    return this.#abort.signal;
  }

  /**
   * Loads the source and its objects; a failure is in `errors`, and what was loaded before stays. `signal` comes from
   * `start`. Resolves with false if another load was started meanwhile. `force` reads known objects again. Never
   * rejects.
   */
  async load(
    source: Source,
    connection: string | undefined,
    references: readonly ResourceReference[],
    force: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      if (source.type === 'file') await this.#loadFile(source.uri, connection, signal);
      else await this.#loadResource(source, signal);
      await this.#loadObjects(references, force, signal);
      if (!signal.aborted) this.#error = undefined;
    } catch (error) {
      if (signal.aborted) return false;
      const label = this.#face === undefined ? l10n.t('Preview face') : l10n.t('Refresh preview');
      this.#error = isCancelled(error) ? l10n.t('{0}: session ended.', label) : formatError(label, error);
    }
    if (signal.aborted) return false;
    this.#isLoading = false;
    return true;
  }

  /** Drops an object, by its key. */
  removeObject(key: string): void {
    this.#objects = new Map([...this.#objects].filter(([known]) => known !== key));
  }

  /** Cancels the running load. */
  dispose(): void {
    this.#abort.abort();
  }

  async #loadFile(uri: vscode.Uri, connection: string | undefined, signal: AbortSignal): Promise<void> {
    const text = await readFileText(uri);
    if (signal.aborted) return;
    const parsed = parseFaceFile(getUriName(uri), text);
    if ('problem' in parsed) throw new Error(parsed.problem);
    this.#face = reuseIfEqual(this.#face, parsed.face);
    this.#session = connection === undefined ? undefined : this.#sessions.get(connection);
  }

  async #loadResource(source: ResourceSource, signal: AbortSignal): Promise<void> {
    this.#session = this.#sessions.get(source.connection);
    const loaded = await loadSource(this.#sessions, source, signal, this.#readKnown);
    if (signal.aborted) return;
    const subjects =
      source.kind === 'objects'
        ? loaded.subjects.map((subject) => this.#addTitle(source.connection, subject))
        : loaded.subjects;
    // A face without a name has that of its object.
    const isNamedByObject = loaded.face.name === loaded.subjects[0]?.label;
    const name = (isNamedByObject ? subjects[0]?.label : undefined) ?? loaded.face.name;
    this.#face = reuseIfEqual(this.#face, { ...loaded.face, name });
    this.#ownSubjects = subjects.map((subject, index) => reuseIfEqual(this.#ownSubjects[index], subject));
  }

  /** The object with the title that it has everywhere; its template may be known only once the object was loaded. */
  #addTitle(connection: string, subject: Subject): Subject {
    const { id, data } = subject;
    return { ...subject, label: formatTitle(this.#titles, { connection, id }, registry.objects, data, 100) };
  }

  async #loadObjects(references: readonly ResourceReference[], force: boolean, signal: AbortSignal): Promise<void> {
    const objects = new Map<string, PreviewObject>();
    for (const reference of references.slice(0, MAX_OBJECTS)) {
      const key = getObjectKey(reference);
      const known = this.#objects.get(key);
      const session = this.#sessions.get(reference.connection);
      objects.set(
        key,
        known?.subject !== undefined && !force
          ? { ...known, session }
          : { reference, session, ...(await this.#loadSubject(reference, known?.subject, signal)) },
      );
    }
    if (!signal.aborted) this.#objects = objects;
  }

  async #loadSubject(
    { connection, id }: ResourceReference,
    known: Subject | undefined,
    signal: AbortSignal,
  ): Promise<Pick<PreviewObject, 'subject' | 'error'>> {
    try {
      const subject = await loadObjectSubject(requireSession(this.#sessions, connection), id, signal);
      return { subject: reuseIfEqual(known, this.#addTitle(connection, subject)) };
    } catch (error) {
      return { subject: known, error: formatError(l10n.t('Read object {0}', toPlainText(id, 40)), error) };
    }
  }
}

/** The key of an object in a preview, bounded for messages of the view. */
export function getObjectKey({ connection, id }: ResourceReference): string {
  return `${connection.slice(0, 64)} ${id.slice(0, 200)}`;
}

function reuseIfEqual<T>(known: T | undefined, loaded: T): T {
  return known !== undefined && isDeepStrictEqual(known, loaded) ? known : loaded;
}
