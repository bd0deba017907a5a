/** Runs the watches of a window: view, notification and commands. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createTitleLookup, getTitleOrId } from '../cache/title-lookup.ts';
import type { DocumentsContext } from '../documents/context.ts';
import { formatFilter } from '../explorer/filter/filter.ts';
import { toOneLine } from '../explorer/format.ts';
import { createChildKey, createConnectionKey, type ListNode } from '../explorer/tree/nodes.ts';
import { openStateDiff } from '../logs/history/state-diff.ts';
import type { LogsHooks } from '../logs/register.ts';
import { SNAPSHOT_SCHEME } from '../model/resources/resource-schemes.ts';
import { formatResourcePath } from '../model/resources/resource-uri.ts';
import { formatIdentity } from '../model/text/heading.ts';
import { formatClockTime } from '../model/text/time-format.ts';
import { isObject } from '../platform/json/json.ts';
import { registry } from '../platform/registry.ts';
import { formatPair, pluralize } from '../platform/text/localization.ts';
import { SelectedRow } from '../ui/selected-row.ts';
import { Disposables } from '../ui/disposables.ts';
import type { FoundChange, StoredWatch } from './engine/stored-watch.ts';
import { WatchList, type FoundIn } from './engine/watch-list.ts';
import { pickSource } from './pick-source.ts';
import { WATCHES_KEY } from './state-keys.ts';
import { WatchesView, type WatchRow } from './watches-view.ts';
import { escapeIcons } from '../ui/escape-icons.ts';

const VIEW = 'smartObjects.watches';
/** Seconds. */
const [MIN_INTERVAL, DEFAULT_INTERVAL, MAX_INTERVAL] = [5, 30, 3600];

/** Owns the watches, and their view, which is shown while there are some. */
export class WatchesController {
  readonly #context: DocumentsContext;
  readonly #logs: LogsHooks;
  readonly #list: WatchList;
  readonly #rows: WatchesView;
  readonly #view: vscode.TreeView<WatchRow>;
  readonly #selectedRow: SelectedRow<WatchRow>;
  readonly #disposables = new Disposables();
  readonly #stop = new AbortController();

  /** `context`: of the documents, which what is watched is opened with. */
  constructor(context: DocumentsContext, logs: LogsHooks) {
    this.#context = context;
    this.#logs = logs;
    const { sessions, labels, context: extension } = context.services;
    this.#list = new WatchList({
      sessions,
      storage: {
        read: () => extension.workspaceState.get(WATCHES_KEY),
        write: (watches) => extension.workspaceState.update(WATCHES_KEY, watches.length === 0 ? undefined : watches),
      },
      getInterval: readInterval,
      isAllowed: () => vscode.window.state.focused || isEnabledInBackground(),
      onDidChange: () => this.#render(),
      onDidFind: (found) => void this.#notify(found),
    });
    this.#selectedRow = new SelectedRow(() => this.#view);
    this.#rows = new WatchesView(
      this.#list,
      {
        formatWatch: (watch) => this.#formatWatch(watch),
        formatPlace: ({ connection, identity }) => formatIdentity(toOneLine(connection), identity),
        formatChange: ({ connection }, { kind, id }) => getTitleOrId(context.services, { connection, kind, id }),
      },
      () => this.#selectedRow.handleRead(),
    );
    this.#view = vscode.window.createTreeView(VIEW, { treeDataProvider: this.#rows });
    const wakeUp = (): void => this.#list.wakeUp();
    const listeners = [
      vscode.window.onDidChangeWindowState(wakeUp),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('smartObjects.watches')) wakeUp();
      }),
      sessions.onDidChange(() => this.#list.forgetRead()),
      sessions.onDidChangeSession(({ session, type }) => {
        if (type === 'credential') this.#list.retry(session);
        else if (type === 'state') wakeUp();
      }),
      labels.onDidChange(() => this.#rows.refresh()),
    ];
    for (const disposable of [this.#view, this.#rows, ...listeners]) this.#disposables.add(disposable);
    this.#render();
    void this.#list.run(this.#stop.signal);
  }

  dispose(): void {
    this.#stop.abort();
    this.#disposables.dispose();
  }

  /** Watches what the argument names, or what the user picks. Rejects with Error. */
  async add(argument: unknown): Promise<void> {
    const picked = await pickSource(this.#context, argument);
    const session = picked && this.#context.services.sessions.get(picked.connection);
    if (picked === undefined || session === undefined) return;
    const watch = this.#list.add({
      ...picked,
      ...(session.identityName !== undefined && { identity: session.identityName }),
      ...getPlace(session),
    });
    vscode.window.setStatusBarMessage(l10n.t('$(eye) Watching {0}', escapeIcons(this.#formatWatch(watch))), 4000);
  }

  remove(row: unknown): void {
    const { watch = '', change } = readRow(row) ?? {};
    this.#list.remove(watch, change);
  }

  pause(row: unknown): void {
    this.#list.pause(readRow(row)?.watch ?? '');
  }

  /** Polls again, with the connection as it is now. Throws Error if it is gone. */
  resume(row: unknown): void {
    const watch = this.#list.get(readRow(row)?.watch ?? '');
    if (watch === undefined) return;
    const { connection, identity } = watch;
    const session = this.#context.services.sessions.getIdentity(connection, identity);
    if (session === undefined)
      throw new Error(l10n.t('the connection {0} does not exist', formatIdentity(toOneLine(connection), identity)));
    this.#list.resume(watch.key, getPlace(session));
  }

  /** Opens what is watched. Rejects with Error. */
  async open(row: unknown): Promise<void> {
    const watch = this.#list.get(readRow(row)?.watch ?? '');
    if (watch === undefined) return;
    const { connection, source, label } = watch;
    const { kind, id, filter = {} } = source;
    const { features } = this.#context;
    if (id !== undefined) {
      await features.run('openResource', { connection, kind, id });
      return;
    }
    const list: ListNode = {
      type: 'list',
      key: createChildKey(createConnectionKey(connection), `watch ${watch.key}`),
      connection,
      kind,
      label: label ?? registry[kind].label,
      fixed: filter,
      filter: {},
    };
    await features.run('openTable', list);
  }

  /** Shows a change, or the only new one of a watch, of the selected row unless given; several are shown in the view. Rejects with Error. */
  async showChanges(row: unknown): Promise<void> {
    const { watch: key = '', change } = readRow(row) ?? (await this.#selectedRow.find()) ?? {};
    const watch = this.#list.get(key);
    if (watch === undefined) return;
    const [first, ...others] = change === undefined ? watch.changes.filter(isNew) : [change];
    const shown = first ?? watch.changes[0];
    if (shown === undefined) return;
    if (others.length > 0) await this.#reveal(watch);
    else await this.#show(watch, shown);
  }

  async #reveal({ key }: StoredWatch): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    await this.#view.reveal(this.#rows.getRow(key), { expand: true, focus: true, select: true });
  }

  /** Compares what was before a change with what was after it, if both are known; else opens what changed. */
  async #show(watch: StoredWatch, change: FoundChange): Promise<void> {
    const { connection, source } = watch;
    const { type, kind, id, at, roots } = change;
    const { services, features } = this.#context;
    const resource = { connection, kind, id };
    this.#list.markShown(watch.key, change);
    if (type === 'changed' && source.id !== undefined) {
      const snapshots = await services.snapshots.list(resource);
      const newest = snapshots.findIndex(({ readAt }) => readAt <= at);
      const [after, before] = newest < 0 ? [] : snapshots.slice(newest);
      if (after !== undefined && before !== undefined) {
        const path = formatResourcePath(resource);
        const [left, right] = [before, after].map(({ readAt }) =>
          vscode.Uri.from({ scheme: SNAPSHOT_SCHEME, path, query: String(readAt) }),
        );
        const name = getTitleOrId(services, resource, 40);
        const title = `${name} (${formatClockTime(before.readAt)} ↔ ${formatClockTime(after.readAt)})`;
        await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
        return;
      }
    }
    if (roots !== undefined) {
      await this.#logs.controller();
      const [prev, next] = roots;
      try {
        await openStateDiff(services, connection, id, { prev, next }, formatClockTime(at));
        return;
      } catch {
        // Items of lists are known only as long as the window.
      }
    }
    await features.run('openResource', resource);
  }

  async #notify(found: readonly FoundIn[]): Promise<void> {
    const [first] = found;
    if (first === undefined) return;
    const show = l10n.t('Show Changes');
    const { services } = this.#context;
    if ((await services.ui.info(this.#formatFound(first, found), show)) !== show) return;
    try {
      if (found.length === 1) await this.#show(first.watch, first.change);
      else await this.#reveal(first.watch);
    } catch (error) {
      services.log.error(`Show changes: ${error instanceof Error ? error.message : 'unknown error'}`);
    }
  }

  #formatFound({ watch, change }: FoundIn, found: readonly FoundIn[]): string {
    const watches = new Set(found.map(({ watch: { key } }) => key)).size;
    const name = this.#formatWatch(watch);
    const count = found.length;
    if (watches > 1) return pluralize(count, l10n.t('{0} change in what you watch.|{0} changes in what you watch.'));
    if (count > 1) return pluralize(count, l10n.t('{1}: {0} change.|{1}: {0} changes.'), name);
    const { connection } = watch;
    const { type, kind, id } = change;
    const title = getTitleOrId(this.#context.services, { connection, kind, id });
    const text = {
      added: l10n.t('“{0}” was added', title),
      changed: l10n.t('“{0}” has changed', title),
      removed: l10n.t('“{0}” was removed', title),
    }[type];
    return watch.source.id === undefined ? `${formatPair(name, text)}.` : `${text}.`;
  }

  /** The title of a resource, or the label of a list with its filter. */
  #formatWatch({ connection, source, label }: StoredWatch): string {
    const { services } = this.#context;
    const { kind, id, filter = {} } = source;
    if (id !== undefined) return getTitleOrId(services, { connection, kind, id });
    const filterText =
      source.action === undefined ? formatFilter(filter, createTitleLookup(services, [connection])) : '';
    return toOneLine([label ?? registry[kind].label, filterText].filter((part) => part !== '').join(' · '), 120);
  }

  #render(): void {
    const { all } = this.#list;
    void vscode.commands.executeCommand('setContext', 'smartObjects.hasWatches', all.length > 0);
    this.#rows.refresh();
    const count = all.flatMap(({ changes }) => changes.filter(isNew)).length;
    const tooltip = pluralize(count, l10n.t('{0} new change|{0} new changes'));
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
  }
}

function isNew(change: FoundChange): boolean {
  return change.isNew === true;
}

/** What a watch stays bound to. */
function getPlace(session: {
  readonly profile: { readonly baseUrl: string };
  readonly identity: { readonly subject?: string } | undefined;
}): Pick<StoredWatch, 'baseUrl' | 'account'> {
  return { baseUrl: session.profile.baseUrl, account: session.identity?.subject };
}

function readRow(row: unknown): WatchRow | undefined {
  const isRow = (value: unknown): value is WatchRow => isObject(value) && typeof value['watch'] === 'string';
  return isRow(row) ? row : undefined;
}

function readInterval(): number {
  const value: unknown = vscode.workspace.getConfiguration('smartObjects').get('watches.refreshInterval');
  const seconds = typeof value === 'number' && Number.isFinite(value) ? value : DEFAULT_INTERVAL;
  return Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, seconds)) * 1000;
}

function isEnabledInBackground(): boolean {
  return vscode.workspace.getConfiguration('smartObjects').get('watches.inBackground') === true;
}
