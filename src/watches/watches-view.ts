/** The Watches view: each watch with what it found, newest first. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatLocalTime, formatTimestamp } from '../model/text/time-format.ts';
import { pluralize } from '../platform/text/localization.ts';
import type { FoundChange, StoredWatch } from './engine/stored-watch.ts';
import type { WatchList } from './engine/watch-list.ts';
import { getOrAdd } from '../platform/get-or-add.ts';

/** A row: a watch, or a change of it. */
export interface WatchRow {
  readonly watch: string;
  readonly change?: FoundChange;
}

/** Names of watches and of what changed, as plain text. */
interface WatchNames {
  formatWatch(watch: StoredWatch): string;
  formatPlace(watch: StoredWatch): string;
  formatChange(watch: StoredWatch, change: FoundChange): string;
}

const ICONS = { active: 'eye', final: 'pass', paused: 'debug-pause', failing: 'warning', stopped: 'warning' } as const;
const CHANGE_ICONS = { added: 'diff-added', changed: 'diff-modified', removed: 'diff-removed' } as const;

/** Provides the rows of the view. */
export class WatchesView implements vscode.TreeDataProvider<WatchRow> {
  readonly #list: WatchList;
  readonly #names: WatchNames;
  readonly #onRead: () => void;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** rows are compared by identity */
  readonly #rows = new Map<string, WatchRow>();
  #shown = '';

  /** `onRead`: called when VS Code reads a row. */
  constructor(list: WatchList, names: WatchNames, onRead: () => void) {
    this.#list = list;
    this.#names = names;
    this.#onRead = onRead;
  }

  /** Lets VS Code read the rows again if one of them differs: a command of a row that is being read again is lost. */
  refresh(): void {
    const shown = JSON.stringify(
      this.#list.all.map((watch) => [
        this.#createItem(watch),
        ...watch.changes.map((change) => this.#createChangeItem(watch, change)),
      ]),
    );
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changed.fire(undefined);
  }

  getRow(watch: string): WatchRow {
    return getOrAdd(this.#rows, watch, () => ({ watch }));
  }

  getParent({ watch, change }: WatchRow): WatchRow | undefined {
    return change === undefined ? undefined : this.getRow(watch);
  }

  getChildren(row?: WatchRow): WatchRow[] {
    if (row === undefined) return this.#list.all.map(({ key }) => this.getRow(key));
    const { watch, change } = row;
    return change === undefined ? (this.#list.get(watch)?.changes ?? []).map((one) => ({ watch, change: one })) : [];
  }

  getTreeItem(row: WatchRow): vscode.TreeItem {
    this.#onRead();
    const watch = this.#list.get(row.watch);
    if (watch === undefined) return new vscode.TreeItem('');
    return row.change === undefined ? this.#createItem(watch) : this.#createChangeItem(watch, row.change);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #createItem(watch: StoredWatch): vscode.TreeItem {
    const { key, changes } = watch;
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const name = this.#names.formatWatch(watch);
    const item = new vscode.TreeItem(name, changes.length > 0 ? Expanded : None);
    const state = this.#list.getState(key);
    const count = changes.filter(({ isNew }) => isNew === true).length;
    const news = count === 0 ? '' : pluralize(count, l10n.t('{0} new|{0} new'));
    const reason = 'reason' in state ? state.reason : '';
    // A row that had no changes would stay collapsed under the same id.
    item.id = changes.length > 0 ? `${key}+` : key;
    item.description = [news, reason].filter((part) => part !== '').join(' · ');
    item.iconPath = new vscode.ThemeIcon(ICONS[state.type]);
    const isPaused = state.type === 'paused' || state.type === 'stopped';
    item.contextValue = ['watch', isPaused ? 'paused' : 'active', changes.length > 0 ? 'changed' : ''].join(' ');
    const place = this.#names.formatPlace(watch);
    const lines = [
      name,
      place,
      reason,
      state.type === 'final' ? l10n.t('It no longer changes.') : '',
      watch.known?.isWhole === false ? l10n.t('Only the first page of the list is watched') : '',
      changes.length === 0 ? l10n.t('No changes since it is watched') : '',
    ].filter((line) => line !== '');
    item.tooltip = lines.join('\n');
    item.accessibilityInformation = { label: [...lines, news].filter((line) => line !== '').join(', ') };
    return item;
  }

  #createChangeItem(watch: StoredWatch, change: FoundChange): vscode.TreeItem {
    const { type, at, isNew, key } = change;
    const name = this.#names.formatChange(watch, change);
    const what = {
      added: l10n.t('Added {0}', formatTimestamp(at)),
      changed: l10n.t('Changed {0}', formatTimestamp(at)),
      removed: l10n.t('Removed {0}', formatTimestamp(at)),
    }[type];
    const item = new vscode.TreeItem(what, vscode.TreeItemCollapsibleState.None);
    item.id = `${watch.key}/${key}`;
    // The row above names a single resource.
    if (watch.source.id === undefined) item.description = name;
    item.tooltip = `${name}\n${what} · ${formatLocalTime(at)}`;
    const color = isNew === true ? new vscode.ThemeColor('notificationsInfoIcon.foreground') : undefined;
    item.iconPath = new vscode.ThemeIcon(CHANGE_ICONS[type], color);
    const news = isNew === true ? [l10n.t('new')] : [];
    item.accessibilityInformation = { label: [what, name, ...news].join(', ') };
    item.contextValue = 'change';
    item.command = { command: 'smartObjects.showWatchChanges', title: l10n.t('Show Changes') };
    return item;
  }
}
