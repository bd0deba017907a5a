/** What a view of the logs does with each message of its page. */
import type { Entry, Services } from '../commands/entry.ts';
import type { Handlers } from '../webviews/protocol.ts';
import type { logsProtocol, LogRow, ViewState } from '../webviews/protocol-logs.ts';
import { chooseFilter } from './choose-filter.ts';
import type { LogEntry } from './entry.ts';
import type { Errands } from './errands.ts';
import type { Feed } from './feed.ts';

/** Of the view: what its page may make it do. */
export interface Doings {
  readonly feed: Feed;
  readonly state: () => ViewState;
  readonly held: () => readonly LogEntry[];
  readonly entryOf: (key: string) => LogEntry | undefined;
  /** an outside address of the details that are shown */
  readonly outside: (index: number) => string | undefined;
  /** shows another state */
  readonly set: (change: Partial<ViewState>) => void;
  /** keeps what the page shows already */
  readonly keep: (change: Partial<ViewState>) => void;
  readonly select: (entry: LogEntry | undefined) => void;
  readonly readHistory: () => void;
  readonly pin: (pinned: boolean) => void;
  readonly openTab: () => void;
  readonly copyLink: () => Promise<unknown>;
}

/** Older entries that are read when the end of the table comes into view. */
const OLDER = 500;

export function handlersOf(
  entry: Entry,
  services: Services,
  errands: Errands,
  doings: Doings,
): Handlers<(typeof logsProtocol)['toHost']> {
  const told = (what: string, work: () => unknown): void => {
    errands.tell(what, work);
  };
  return {
    filter: (filters) => {
      doings.set({ filters });
    },
    addFilter: ({ what }) => {
      told('Add filter', async () => {
        const rows = (): LogRow[] => doings.held().map(({ row }) => row);
        const filters = await chooseFilter({ services, filters: doings.state().filters, rows }, what);
        if (filters !== undefined) doings.set({ filters });
      });
    },
    mode: ({ mode }) => {
      doings.set({ mode });
    },
    text: ({ text }) => {
      doings.keep({ text });
    },
    brush: ({ brush }) => {
      doings.keep({ brush });
    },
    failure: ({ failure }) => {
      doings.keep({ failure });
    },
    select: ({ key }) => {
      doings.select(key === undefined ? undefined : doings.entryOf(key));
    },
    pause: ({ paused }) => {
      doings.feed.setPaused(paused);
    },
    pin: ({ pinned }) => {
      doings.pin(pinned);
    },
    retry: () => {
      if (doings.state().mode === 'history') doings.readHistory();
      else doings.feed.retry();
    },
    older: () => {
      doings.feed.older(OLDER);
    },
    open: (resource) => {
      told('Open document', () => entry.run('openResource', resource));
    },
    outside: ({ index }) => {
      const address = doings.outside(index);
      if (address !== undefined) told('Open in browser', () => services.ui.browse(address));
    },
    document: ({ key }) => {
      told('Open document', () => errands.openDocument(key));
    },
    copy: ({ key, what }) => {
      told('Copy', () => errands.copy(key, what));
    },
    newAction: ({ key }) => {
      told('New action file', () => errands.newAction(key));
    },
    showInTree: ({ key }) => {
      told('Show in tree', () => errands.showInTree(key));
    },
    history: ({ connection, object }) => {
      told('Show history', () => entry.run('showObjectHistory', { connection, kind: 'objects', id: object }));
    },
    diff: ({ key }) => {
      told('Compare states', () => errands.diff(key));
    },
    report: ({ key }) => {
      told('Report failure', () => errands.report(key));
    },
    export: ({ keys }) => {
      const wanted = keys === undefined ? doings.held() : keys.flatMap((key) => doings.entryOf(key) ?? []);
      told('Export action logs', () => errands.save(wanted));
    },
    copyLink: () => {
      told('Copy link', () => doings.copyLink());
    },
    openTab: () => {
      doings.openTab();
    },
    command: ({ id, connection }) => {
      told('Run command', () => entry.run(id, ...(id === 'signIn' && connection !== undefined ? [connection] : [])));
    },
  };
}
