import * as l10n from '@vscode/l10n';
import type { FeatureContext, Services } from '../../commands/context.ts';
import type { MessageHandlers } from '../../webviews/protocol/index.ts';
import type { logsProtocol, LogRow, ShownTemplate, ViewState } from '../../webviews/protocol/logs.ts';
import { chooseFilter } from './choose-filter.ts';
import type { LogEntry } from '../entry.ts';
import type { EntryCommands } from './entry-commands.ts';
import { showsFailures } from './failures-mode.ts';
import type { LogsModel } from './logs-model.ts';

/** What messages of the webview do to its view. */
export interface ViewActions {
  /** Shows a changed state. */
  setState(change: Partial<ViewState>): void;
  /** Stores a change that the webview shows already. */
  saveState(change: Partial<ViewState>): void;
  select(entry: LogEntry | undefined): void;
  /** Shows templates by their names. Never rejects. */
  nameTemplates(templates: readonly ShownTemplate[]): Promise<void>;
  /** Shows the search with the focus in it. */
  find(): void;
  /** Shows a line about the view in its title. */
  setSummary(text: string): void;
  pin(pinned: boolean): void;
  openTab(): void;
  copyLink(): Promise<unknown>;
}

interface ViewParts {
  readonly model: LogsModel;
  readonly commands: EntryCommands;
}

/** Older entries read when the end of the table comes into view. */
const OLDER_COUNT = 500;

/** Creates a handler for each message of the webview. */
export function createMessageHandlers(
  features: FeatureContext,
  services: Services,
  { model, commands }: ViewParts,
  actions: ViewActions,
): MessageHandlers<(typeof logsProtocol)['toHost']> {
  return {
    filter: (filters) => actions.setState({ filters }),
    addFilter: async ({ what }) => {
      const rows = (): LogRow[] => model.entries.map(({ row }) => row);
      const state = model.state;
      const failures = showsFailures(state);
      const filters = await chooseFilter({ services, filters: state.filters, failures, rows }, what);
      if (filters !== undefined) actions.setState({ filters });
    },
    mode: ({ mode }) => actions.setState({ mode }),
    text: ({ text }) => actions.saveState({ text }),
    brush: ({ brush }) => actions.saveState({ brush }),
    failure: ({ failure }) => actions.setState({ failure }),
    select: ({ key }) => actions.select(key === undefined ? undefined : model.getEntry(key)),
    pause: ({ paused }) => model.feed.setPaused(paused),
    pin: ({ pinned }) => actions.pin(pinned),
    retry: () => model.feed.refresh(),
    find: () => actions.find(),
    summary: ({ text }) => actions.setSummary(text),
    loadOlder: () => model.feed.readOlder(OLDER_COUNT),
    nameTemplates: ({ templates }) => actions.nameTemplates(templates),
    open: (resource) => features.run('openResource', resource),
    openUrl: ({ url }) => services.ui.openExternal(url),
    document: ({ key }) => commands.openDocument(key),
    copy: ({ key, what }) => commands.copy(key, what),
    label: ({ value }) => features.run('labelThis', value),
    newAction: ({ key }) => commands.createActionFile(key),
    showInTree: ({ key }) => commands.showInTree(key),
    history: ({ connection, object }) => features.run('showObjectHistory', { connection, kind: 'objects', id: object }),
    report: ({ key }) => commands.report(key),
    reproduce: ({ key }) => commands.reproduce(key),
    markKnown: ({ key, known }) => commands.markKnown(key, known),
    showRun: ({ run }) => features.run('showRuns', run),
    export: ({ keys }) => {
      const entries = keys === undefined ? model.entries : keys.flatMap((key) => model.getEntry(key) ?? []);
      return commands.exportEntries(entries);
    },
    copyLink: () => actions.copyLink(),
    openTab: () => actions.openTab(),
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
  report: l10n.t('Report failure'),
  reproduce: l10n.t('Reproduce failure'),
  markKnown: l10n.t('Mark as known'),
  showRun: l10n.t('Show run'),
  copyLink: l10n.t('Copy link'),
  command: l10n.t('Run command'),
  addFilter: l10n.t('Add filter'),
  openUrl: l10n.t('Open in browser'),
  export: l10n.t('Export action logs'),
} as const;
