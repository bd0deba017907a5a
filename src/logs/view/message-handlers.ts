import * as l10n from '@vscode/l10n';
import type { FeatureContext, Services } from '../../commands/context.ts';
import type { MessageHandlers } from '../../webviews/protocol/index.ts';
import type { logsProtocol, LogRow, ViewState } from '../../webviews/protocol/logs.ts';
import { chooseFilter } from './choose-filter.ts';
import type { LogEntry } from '../entry.ts';
import type { EntryCommands } from './entry-commands.ts';
import { showsFailures } from './failures-mode.ts';
import type { Feed } from '../stream/feed.ts';

/** What messages of the webview can do to its view. */
interface ViewActions {
  readonly feed: Feed;
  readonly getState: () => ViewState;
  readonly getEntries: () => readonly LogEntry[];
  readonly getEntry: (key: string) => LogEntry | undefined;
  /** Returns an external URL of the shown details. */
  readonly getExternalUrl: (index: number) => string | undefined;
  /** Shows a changed state. */
  readonly setState: (change: Partial<ViewState>) => void;
  /** Stores a change that the webview shows already. */
  readonly saveState: (change: Partial<ViewState>) => void;
  readonly select: (entry: LogEntry | undefined) => void;
  readonly readHistory: () => void;
  /** Shows the search with the focus in it. */
  readonly find: () => void;
  /** Shows a line about the view in its title. */
  readonly setSummary: (text: string) => void;
  readonly pin: (pinned: boolean) => void;
  readonly openTab: () => void;
  readonly copyLink: () => Promise<unknown>;
}

/** Older entries read when the end of the table comes into view. */
const OLDER_COUNT = 500;

/** Creates a handler for each message of the webview. */
export function createMessageHandlers(
  features: FeatureContext,
  services: Services,
  commands: EntryCommands,
  actions: ViewActions,
): MessageHandlers<(typeof logsProtocol)['toHost']> {
  return {
    filter: (filters) => {
      actions.setState({ filters });
    },
    addFilter: async ({ what }) => {
      const rows = (): LogRow[] => actions.getEntries().map(({ row }) => row);
      const state = actions.getState();
      const failures = showsFailures(state);
      const filters = await chooseFilter({ services, filters: state.filters, failures, rows }, what);
      if (filters !== undefined) actions.setState({ filters });
    },
    mode: ({ mode }) => {
      actions.setState({ mode });
    },
    text: ({ text }) => {
      actions.saveState({ text });
    },
    brush: ({ brush }) => {
      actions.saveState({ brush });
    },
    failure: ({ failure }) => {
      actions.setState({ failure });
    },
    select: ({ key }) => {
      actions.select(key === undefined ? undefined : actions.getEntry(key));
    },
    pause: ({ paused }) => {
      actions.feed.setPaused(paused);
    },
    pin: ({ pinned }) => {
      actions.pin(pinned);
    },
    retry: () => {
      if (actions.getState().mode === 'history') actions.readHistory();
      else actions.feed.refresh();
    },
    find: () => {
      actions.find();
    },
    summary: ({ text }) => {
      actions.setSummary(text);
    },
    loadOlder: () => {
      actions.feed.readOlder(OLDER_COUNT);
    },
    open: (resource) => features.run('openResource', resource),
    openExternal: async ({ index }) => {
      const address = actions.getExternalUrl(index);
      if (address !== undefined) await services.ui.openExternal(address);
    },
    document: ({ key }) => commands.openDocument(key),
    copy: ({ key, what }) => commands.copy(key, what),
    label: ({ value }) => features.run('labelThis', value),
    newAction: ({ key }) => commands.createActionFile(key),
    showInTree: ({ key }) => commands.showInTree(key),
    history: ({ connection, object }) => features.run('showObjectHistory', { connection, kind: 'objects', id: object }),
    diff: ({ key }) => commands.diff(key),
    report: ({ key }) => commands.report(key),
    export: ({ keys }) => {
      const entries = keys === undefined ? actions.getEntries() : keys.flatMap((key) => actions.getEntry(key) ?? []);
      return commands.exportEntries(entries);
    },
    copyLink: () => actions.copyLink(),
    openTab: () => {
      actions.openTab();
    },
    command: ({ id, connection }) =>
      features.run(id, ...(id === 'signIn' && connection !== undefined ? [connection] : [])),
  };
}

/** Names of the operations in errors. */
export const MESSAGE_OPERATIONS = {
  open: l10n.t('Open document'),
  document: l10n.t('Open document'),
  copy: l10n.t('Copy'),
  newAction: l10n.t('New action file'),
  showInTree: l10n.t('Show in tree'),
  history: l10n.t('Show history'),
  diff: l10n.t('Compare states'),
  report: l10n.t('Report failure'),
  copyLink: l10n.t('Copy link'),
  command: l10n.t('Run command'),
  addFilter: l10n.t('Add filter'),
  openExternal: l10n.t('Open in browser'),
  export: l10n.t('Export action logs'),
} as const;
