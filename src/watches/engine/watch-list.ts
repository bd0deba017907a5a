/** The watches of a workspace: which may be polled now, what they found, and what of it is stored. */
import * as l10n from '@vscode/l10n';
import { systemClock, type Clock } from '../../model/clock.ts';
import { getStateRoot } from '../../cache/object-states.ts';
import { formatReason } from '../../model/text/error-message.ts';
import type { Session, Sessions } from '../../model/session/session.ts';
import { NOT_SIGNED_IN } from '../../model/text/heading.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { Scheduler } from './scheduler.ts';
import { parseWatches, type FoundChange, type StoredWatch } from './stored-watch.ts';
import { Watcher, type Change } from './watcher.ts';

interface WatchListOptions {
  readonly sessions: Pick<Sessions, 'getIdentity'>;
  /** what is stored, and how to store it */
  readonly storage: { read(): unknown; write(watches: readonly StoredWatch[]): unknown };
  /** milliseconds between two requests of a watch */
  readonly getInterval: () => number;
  /** whether anything may be requested now */
  readonly isAllowed: () => boolean;
  readonly onDidChange: () => void;
  /** called with all changes that were found at a time */
  readonly onDidFind: (changes: readonly FoundIn[]) => void;
  readonly clock?: Clock;
}

/** A change with its watch. */
export interface FoundIn {
  readonly watch: StoredWatch;
  readonly change: FoundChange;
}

/** What a watch does, and why it does nothing. */
export type WatchState =
  { readonly type: 'active' | 'final' } | { readonly type: 'paused' | 'failing' | 'stopped'; readonly reason: string };

interface Entry {
  watch: StoredWatch;
  watcher: Watcher;
  /** its connection has existed in this window: a sandbox starts after the window */
  wasThere: boolean;
  /** with which it was polled last */
  session?: Session;
}

const MAX_WATCHES = 50;
/** Of one watch. */
const MAX_CHANGES = 50;
/** Milliseconds after which changes are announced, although other watches are still due. */
const MAX_WAIT = 15_000;

/** Holds the watches and polls those whose session allows it. */
export class WatchList {
  readonly #options: WatchListOptions;
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  #entries: readonly Entry[];
  #found: FoundIn[] = [];
  #count = 0;

  constructor(options: WatchListOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#entries = parseWatches(options.storage.read()).map((watch) => this.#createEntry(watch));
    this.#scheduler = new Scheduler({
      clock: this.#clock,
      isAllowed: options.isAllowed,
      getWatches: () => this.#entries.map((entry) => this.#schedule(entry)),
      onIdle: () => this.#announce(),
    });
  }

  get all(): readonly StoredWatch[] {
    return this.#entries.map(({ watch }) => watch);
  }

  get(key: string): StoredWatch | undefined {
    return this.#find(key)?.watch;
  }

  /** Polls until the signal fires. Never rejects. */
  run(signal: AbortSignal): Promise<void> {
    return this.#scheduler.run(signal);
  }

  /** Looks again at what may be polled: a session, the focus or a setting has changed. */
  wakeUp(): void {
    this.#scheduler.wakeUp();
    this.#options.onDidChange();
  }

  /** Polls again what was refused with the credential that a session had before. */
  retry(session: Session): void {
    for (const { watcher, session: own } of this.#entries)
      if (own === session && watcher.refusal !== undefined) watcher.reset(this.#clock.now());
    this.wakeUp();
  }

  /**
   * Forgets what was read with sessions that ended in this window or are signed out; the watches stay. A credential that
   * cannot be read, or used for now, is no sign-out.
   */
  forgetRead(): void {
    const { sessions } = this.#options;
    for (const entry of this.#entries) {
      const { connection, identity, known, changes } = entry.watch;
      const session = sessions.getIdentity(connection, identity);
      const isKept = session === undefined ? !entry.wasThere : session.signedOutReason !== NOT_SIGNED_IN;
      entry.wasThere ||= session !== undefined;
      if (isKept) continue;
      if (known === undefined && changes.length === 0) continue;
      entry.watcher = this.#createWatcher(entry.watch);
      this.#update(entry, { known: undefined, changes: [] });
    }
    this.wakeUp();
  }

  /** Adds a watch and polls it; one of the same is resumed. Returns it. Throws Error if there are too many. */
  add(watch: Omit<StoredWatch, 'key' | 'changes'>): StoredWatch {
    const { connection, identity, source } = watch;
    const isSame = (other: StoredWatch): boolean =>
      JSON.stringify([other.connection, other.identity, other.source]) ===
      JSON.stringify([connection, identity, source]);
    const same = this.all.find(isSame);
    if (same !== undefined) return this.resume(same.key, watch) ?? same;
    if (this.#entries.length >= MAX_WATCHES) throw new Error(l10n.t('there are too many watches. Remove some first'));
    const key = `${String(this.#clock.now())}-${String(this.#count++)}`;
    const added: StoredWatch = { ...watch, key, changes: [] };
    this.#entries = [...this.#entries, this.#createEntry(added)];
    this.#changed();
    return added;
  }

  /** Removes a watch; with `change`, that change of it alone. */
  remove(key: string, change?: FoundChange): void {
    const entry = this.#find(key);
    if (entry === undefined) return;
    if (change !== undefined) {
      this.#update(entry, { changes: entry.watch.changes.filter((one) => one.key !== change.key) });
      return;
    }
    this.#entries = this.#entries.filter((one) => one !== entry);
    this.#changed();
  }

  pause(key: string): void {
    const entry = this.#find(key);
    if (entry !== undefined) this.#update(entry, { isPaused: true });
  }

  /** Polls a watch again, with the connection as it is now. Returns it. */
  resume(key: string, { baseUrl, account }: Pick<StoredWatch, 'baseUrl' | 'account'>): StoredWatch | undefined {
    const entry = this.#find(key);
    if (entry === undefined) return undefined;
    const isSame = entry.watch.baseUrl === baseUrl && entry.watch.account === account;
    // What another platform has is no change.
    if (isSame) entry.watcher.reset(this.#clock.now());
    else entry.watcher = this.#createWatcher(entry.watch);
    this.#update(entry, { isPaused: undefined, baseUrl, account, ...(!isSame && { known: undefined }) });
    return this.get(key);
  }

  /** Marks changes as shown; without `change`, all of the watch. */
  markShown(key: string, change?: FoundChange): void {
    const entry = this.#find(key);
    if (entry === undefined) return;
    const changes = entry.watch.changes.map((one) =>
      change === undefined || one.key === change.key ? { ...one, isNew: undefined } : one,
    );
    this.#update(entry, { changes });
  }

  getState(key: string): WatchState {
    const entry = this.#find(key);
    if (entry === undefined) return { type: 'final' };
    const { watch, watcher } = entry;
    if (watch.isPaused === true) return { type: 'paused', reason: l10n.t('paused') };
    const session = this.#getSession(watch);
    if (typeof session === 'string') return { type: 'paused', reason: session };
    if (watcher.isFinal) return { type: 'final' };
    return watcher.problem === undefined
      ? { type: 'active' }
      : { type: watcher.refusal === undefined ? 'failing' : 'stopped', reason: formatReason(watcher.problem) };
  }

  #createEntry(watch: StoredWatch): Entry {
    const { connection, identity, known } = watch;
    const wasThere = this.#options.sessions.getIdentity(connection, identity) !== undefined;
    return { watch, watcher: this.#createWatcher(watch, known), wasThere };
  }

  #createWatcher({ source }: StoredWatch, known?: StoredWatch['known']): Watcher {
    return new Watcher(source, known, this.#clock.now());
  }

  #find(key: string): Entry | undefined {
    return this.#entries.find(({ watch }) => watch.key === key);
  }

  /** The session of a watch, or why there is none. What a watch was added for is never replaced by another. */
  #getSession({ connection, identity, baseUrl, account }: StoredWatch): Session | string {
    const session = this.#options.sessions.getIdentity(connection, identity);
    const name = toPlainText(connection, 64);
    if (session === undefined)
      return identity === undefined
        ? l10n.t('paused: the connection {0} does not exist', name)
        : l10n.t('paused: the connection {0} has no identity {1}', name, toPlainText(identity, 64));
    if (session.profile.baseUrl !== baseUrl) return l10n.t('paused: the connection {0} has another base URL', name);
    if (session.signedOutReason !== undefined || session.ended.aborted) return l10n.t('paused: not signed in');
    return account === undefined || session.identity?.subject === account
      ? session
      : l10n.t('paused: signed in as another account');
  }

  #schedule(entry: Entry) {
    const { watch, watcher } = entry;
    const { connection } = watch;
    const session = watch.isPaused === true ? '' : this.#getSession(watch);
    if (typeof session === 'string') return { connection, dueAt: Infinity, poll: () => Promise.resolve() };
    const now = this.#clock.now();
    watcher.checkClock(now);
    if (entry.session !== undefined && entry.session !== session) watcher.reset(now);
    entry.session = session;
    const poll = (signal: AbortSignal): Promise<void> => this.#poll(entry, session, signal);
    return { connection, dueAt: watcher.dueAt, poll };
  }

  async #poll(entry: Entry, session: Session, stop: AbortSignal): Promise<void> {
    const { watcher } = entry;
    const before = this.getState(entry.watch.key);
    const known = JSON.stringify(watcher.known);
    const signal = AbortSignal.any([stop, session.ended]);
    const interval = this.#options.getInterval();
    const changes = await watcher.poll(session.client, { interval, signal, clock: this.#clock, isAligned: true });
    if (this.#find(entry.watch.key) !== entry || entry.watcher !== watcher) return;
    const found = changes.flatMap((change) => this.#createFound(entry, change));
    if (found.length > 0 || known !== JSON.stringify(watcher.known)) {
      const all = [...found, ...entry.watch.changes].slice(0, MAX_CHANGES);
      this.#update(entry, { changes: all, known: watcher.known });
    } else if (JSON.stringify(before) !== JSON.stringify(this.getState(entry.watch.key))) this.#options.onDidChange();
    this.#found.push(...found.map((change) => ({ watch: entry.watch, change })));
    const [first] = this.#found;
    if (first !== undefined && this.#clock.now() - first.change.at >= MAX_WAIT) this.#announce();
  }

  #createFound({ watch }: Entry, { type, id, item, before }: Change): readonly FoundChange[] {
    if (type === 'first') return [];
    const at = this.#clock.now();
    const [from, to] = [getStateRoot(before), getStateRoot(item?.raw)];
    return [
      {
        key: `${String(at)}-${String(this.#count++)}`,
        type,
        kind: watch.source.kind,
        id,
        at,
        isNew: true,
        ...(type === 'changed' && from !== undefined && to !== undefined && from !== to && { roots: [from, to] }),
      },
    ];
  }

  #update(entry: Entry, change: Partial<StoredWatch>): void {
    entry.watch = { ...entry.watch, ...change };
    this.#changed();
  }

  #changed(): void {
    this.#options.storage.write(this.all);
    this.wakeUp();
  }

  #announce(): void {
    const found = this.#found.splice(0);
    if (found.length > 0) this.#options.onDidFind(found);
  }
}
