/** Messages between the action log views and the extension, and the view state that is stored and linked. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { defineProtocol, webUrl } from './index.ts';
import type { LogRow, ReasonSource } from './log-row.ts';

export type { LogRow, ReasonSource } from './log-row.ts';

const id = z.string().check(z.minLength(1), z.maxLength(300));
const shortText = z.string().check(z.maxLength(4000));
/** Longest text to find: words, and values of the fields status, action, signer and template. */
export const MAX_SEARCH_LENGTH = 1000;
const searchText = z.string().check(z.maxLength(MAX_SEARCH_LENGTH));
const timestamp = z.int().check(z.gte(0), z.lte(8_640_000_000_000_000));

const VIEW_MODES = ['logs', 'failures'] as const;
export const TIME_RANGES = ['latest', 'hour', 'today', 'session', 'between'] as const;
/** Filters with one value each. */
export const textFilters = ['status', 'signer', 'wallet', 'object', 'batch', 'action'] as const;
export type TextFilter = (typeof textFilters)[number];

/** The query parameter of each filter; `getFilterField` has its name for users. */
export const filterParameters: Readonly<Record<TextFilter, string>> = {
  status: 'status',
  signer: 'signer',
  wallet: 'wallet_id',
  object: 'object_id',
  batch: 'batch_id',
  action: 'action_id',
};

/** The ranges of time as they can be chosen. */
export const rangeLabels: Readonly<Record<(typeof TIME_RANGES)[number], string>> = {
  latest: l10n.t('Any time'),
  hour: l10n.t('Last hour'),
  today: l10n.t('Today'),
  session: l10n.t('This session'),
  between: l10n.t('Between…'),
};

/** Filters applied by the server. Each connection, organization and action is a stream of its own. */
const filtersSchema = z.strictObject({
  connections: z.array(id).check(z.maxLength(16)),
  organizations: z.array(id).check(z.maxLength(16)),
  status: z.optional(id),
  signer: z.optional(id),
  wallet: z.optional(id),
  object: z.optional(id),
  batch: z.optional(id),
  action: z.optional(id),
  /** the runs of one action file */
  actions: z.optional(z.array(id).check(z.maxLength(20))),
  range: z.enum(TIME_RANGES),
  /** milliseconds since the epoch; only for `between` */
  from: z.optional(timestamp),
  to: z.optional(timestamp),
});
export type Filters = z.output<typeof filtersSchema>;

/** State of a view, restored after a reload and carried by a link. */
export const viewStateSchema = z.strictObject({
  mode: z.enum(VIEW_MODES),
  filters: filtersSchema,
  /** text to find in the loaded rows */
  text: z._default(searchText, ''),
  /** shows only the failures of this group, see failure-groups.ts */
  failure: z.optional(z.string().check(z.maxLength(600))),
  /** id of the entry whose details are shown */
  selected: z.optional(id),
  /** connection of the selected entry: two connections to one platform have the same ids */
  selectedConnection: z.optional(id),
  /** time range of the shown rows in milliseconds since the epoch, `to` excluded */
  brush: z.optional(z.strictObject({ from: timestamp, to: timestamp })),
  /** follows the active connection; not part of a link */
  following: z.optional(z.boolean()),
  /** shown by a command for something else, such as a point of a chart, or by a link: not stored */
  drillDown: z.optional(z.boolean()),
});
export type ViewState = z.output<typeof viewStateSchema>;

export const reasonSourceLabels: Readonly<Record<ReasonSource, string>> = {
  step: l10n.t('from the run'),
  batch: l10n.t('from the batch'),
  log: l10n.t('from the action log'),
};
/** Formats a reason as `Insufficient funds (from the batch)`. */
export function formatReason(text: string, source: ReasonSource): string {
  return `${text} (${reasonSourceLabels[source]})`;
}

/** Shown without a reason: the contract has none on action logs. */
export const NO_REASON = l10n.t('The platform did not provide a reason');

// Rows come from our own host; validating 100,000 of them would take longer than rendering.
const rows = z.array(
  z.custom<LogRow>((value: unknown) => typeof value === 'object' && value !== null && 'key' in value),
);

const FEED_PHASES = ['off', 'reading', 'live', 'idle', 'paused', 'ended', 'stale', 'waiting'] as const;
const feed = z.strictObject({
  /** phase of the readable connections; `stale` if there is none */
  phase: z.enum(FEED_PHASES),
  paused: z.boolean(),
  /** connections that are not followed now, with the reason: `P3 not signed in` */
  stale: z.array(shortText),
  /** why connections are stale, and since when: milliseconds since the epoch */
  reason: z.optional(shortText),
  since: z.optional(z.number()),
  /** connection to sign in to */
  signIn: z.optional(shortText),
  /** loaded entries and their limit */
  loaded: z.number(),
  limit: z.number(),
  /** entries dropped because of the limit */
  dropped: z.number(),
  /** everything since then has been read: milliseconds since the epoch */
  readBackTo: z.optional(z.number()),
  /** the readable connections have no older entries in the range */
  complete: z.boolean(),
  /** older entries are being read */
  readingOlder: z.boolean(),
  /** message about a list that does not end; reading can continue */
  note: z.optional(shortText),
  /** number of entries without an id, which are not shown */
  unreadable: z.number(),
});
export type FeedState = z.output<typeof feed>;

const filterLabel = z.strictObject({ name: z.enum(textFilters), label: shortText, title: shortText });
export type FilterLabel = z.output<typeof filterLabel>;

const state = z.strictObject({
  view: viewStateSchema,
  connections: z.array(z.strictObject({ name: shortText, heading: shortText, production: z.boolean() })),
  organizations: z.array(z.strictObject({ id: shortText, label: shortText, connection: shortText })),
  feed,
  /** the filters in words, with names instead of ids; `title`: with both */
  labels: z.array(filterLabel),
  /** start of the preset: milliseconds since the epoch */
  from: z.optional(z.number()),
  /** in an editor tab, whose page has the controls; those of the panel are in the view's title */
  tab: z.boolean(),
  /** search, filters and histogram are shown */
  expanded: z.boolean(),
});
export type LogsState = z.output<typeof state>;

const link = z.strictObject({ kind: shortText, id: shortText });
const field = z.strictObject({
  name: shortText,
  value: z.string().check(z.maxLength(20_000)),
  /** shown instead of the value, in the user's date style: milliseconds since the epoch */
  time: z.optional(z.number()),
  /** the address or name of an account, which can be labelled */
  account: z.optional(id),
  /** opens a resource */
  link: z.optional(link),
  /** http or https, opened in the browser */
  url: z.optional(shortText),
  /** shown in a monospace font */
  code: z.optional(z.boolean()),
  tone: z.optional(z.enum(['ok', 'bad', 'busy', 'unknown'])),
});
export type DetailField = z.output<typeof field>;
const section = z.strictObject({ title: shortText, fields: z.array(field), note: z.optional(shortText) });
const details = z.strictObject({ key: shortText, title: shortText, sections: z.array(section), busy: z.boolean() });
export type LogDetails = z.output<typeof details>;

const step = z.strictObject({
  key: shortText,
  id: shortText,
  /** milliseconds since the epoch; absent if the log has no time */
  time: z.optional(z.number()),
  action: shortText,
  status: shortText,
  signer: shortText,
  /** the user's label of the signer */
  signerLabel: z.optional(shortText),
  prev: shortText,
  next: shortText,
  /** the log created the object */
  created: z.optional(z.boolean()),
  /** what is wrong at this step */
  mark: z.optional(z.enum(['break', 'fork', 'missing', 'unsettled', 'failed'])),
  note: z.optional(shortText),
  /** which of the two states is known */
  snapshot: z.enum(['both', 'prev', 'next', 'none']),
  /** changes between the two states if both are known */
  changes: z.array(shortText),
});
export type HistoryStep = z.output<typeof step>;
export const history = z.strictObject({
  object: shortText,
  busy: z.boolean(),
  problem: z.optional(shortText),
  steps: z.array(step),
  /** whether the chain is complete and leads to the object's present root */
  verdict: shortText,
  tone: z.enum(['ok', 'bad', 'busy', 'unknown']),
});
export type ObjectHistory = z.output<typeof history>;

/** Filters that can be added. */
const filterChoices = [
  ...textFilters,
  'organization',
  'connection',
  'created',
  'between',
  'thisObject',
  'thisFile',
] as const;
export type FilterChoice = (typeof filterChoices)[number];

const shownTemplate = z.strictObject({ connection: shortText, id });
export type ShownTemplate = z.output<typeof shownTemplate>;

/** at most MAX_ROWS_PER_MESSAGE rows; `reset`: replaces all; `more`: another slice of the same change follows */
const rowsMessage = z.strictObject({ reset: z.boolean(), rows, removed: z.array(z.string()), more: z.boolean() });
export type RowsMessage = z.output<typeof rowsMessage>;

const emptyBody = z.strictObject({});
const keyBody = z.strictObject({ key: shortText });
export const logsProtocol = defineProtocol({
  toView: {
    state,
    rows: rowsMessage,
    details,
    /** moves the keyboard focus */
    focus: z.strictObject({ what: z.enum(['grid', 'find']) }),
    /** requests the message `export` for the shown rows */
    requestExport: emptyBody,
  },
  toHost: {
    filter: filtersSchema,
    addFilter: z.strictObject({ what: z.optional(z.enum(filterChoices)) }),
    mode: z.strictObject({ mode: z.enum(VIEW_MODES) }),
    text: z.strictObject({ text: searchText }),
    brush: z.strictObject({ brush: z.optional(z.strictObject({ from: timestamp, to: timestamp })) }),
    failure: z.strictObject({ failure: z.optional(z.string().check(z.maxLength(600))) }),
    select: z.strictObject({ key: z.optional(shortText) }),
    pause: z.strictObject({ paused: z.boolean() }),
    pin: z.strictObject({ pinned: z.boolean() }),
    retry: emptyBody,
    /** shows the search, filters and histogram, and moves the focus to the search */
    find: emptyBody,
    /** the view in one line, for its title */
    summary: z.strictObject({ text: z.string().check(z.maxLength(1000)) }),
    loadOlder: emptyBody,
    /** shown by their ids, since their names are not known */
    nameTemplates: z.strictObject({ templates: z.array(shownTemplate).check(z.maxLength(20)) }),
    open: z.strictObject({ connection: shortText, kind: shortText, id: shortText }),
    openUrl: z.strictObject({ url: webUrl }),
    document: keyBody,
    copy: z.strictObject({ key: shortText, what: z.enum(['id', 'json', 'row']) }),
    label: z.strictObject({ value: id }),
    newAction: keyBody,
    showInTree: keyBody,
    history: z.strictObject({ connection: shortText, object: id }),
    report: keyBody,
    reproduce: keyBody,
    /** marks the group of a failure as known, or no longer */
    markKnown: z.strictObject({ key: shortText, known: z.boolean() }),
    showRun: z.strictObject({ run: shortText }),
    /** keys of the shown rows if they are filtered in the webview */
    export: z.strictObject({ keys: z.optional(z.array(shortText).check(z.maxLength(100_000))) }),
    copyLink: emptyBody,
    openTab: emptyBody,
    command: z.strictObject({
      id: z.enum(['signIn', 'addConnection', 'startSandbox']),
      connection: z.optional(shortText),
    }),
  },
});

/** Rows in one message. */
export const MAX_ROWS_PER_MESSAGE = 1000;
