/** What the action-log views and their host say to each other, and the state of such a view, which is kept and linked. */
import * as z from 'zod/mini';
import { defineProtocol } from './protocol.ts';

const id = z.string().check(z.minLength(1), z.maxLength(300));
const line = z.string().check(z.maxLength(4000));
const moment = z.int().check(z.gte(0), z.lte(8_640_000_000_000_000));

export const modes = ['logs', 'failures', 'history'] as const;
export const ranges = ['latest', 'hour', 'today', 'session', 'between'] as const;
/** `object`: in the logs, that object's alone; for history, the object itself */
export const wordFilters = ['status', 'signer', 'wallet', 'object', 'batch', 'action'] as const;
export type WordFilter = (typeof wordFilters)[number];

/** What the server is asked for. Several connections, organizations or actions are several streams. */
export const filters = z.strictObject({
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
  range: z.enum(ranges),
  /** milliseconds since the epoch; of `between` alone */
  from: z.optional(moment),
  to: z.optional(moment),
});
export type Filters = z.output<typeof filters>;

/** The whole state of a view: what a reload restores and a link carries. */
export const viewState = z.strictObject({
  mode: z.enum(modes),
  filters,
  /** looked for in what is loaded */
  text: z._default(z.string().check(z.maxLength(200)), ''),
  /** of the failures alone those of one group, see client/logs/failures.ts */
  failure: z.optional(z.string().check(z.maxLength(600))),
  /** id of the entry whose details are shown */
  selected: z.optional(id),
  /** whose it is: two connections to one platform have the same ids */
  selectedConnection: z.optional(id),
  /** a range of what is loaded, in milliseconds since the epoch; `to` is the first moment after it */
  brush: z.optional(z.strictObject({ from: moment, to: moment })),
  /** the connection is the active one, whichever that becomes; no part of a link */
  following: z.optional(z.boolean()),
});
export type ViewState = z.output<typeof viewState>;

/** Where the reason of a failure stands: a step of a run, the batch, or a field that the contract does not have. */
export type ReasonSource = 'step' | 'batch' | 'log';

/** Says where a reason is from. */
export const reasonSources: Readonly<Record<ReasonSource, string>> = {
  step: 'from the step of its run',
  batch: 'from its batch',
  log: 'from the log',
};
/** Says that there is no reason: the contract has none on action logs. */
export const NO_REASON = 'The platform gives no reason';

/** One entry as the table shows it; texts are harmless to show and cut. */
export interface LogRow {
  /** connection and id: unique in a view */
  readonly key: string;
  readonly id: string;
  readonly connection: string;
  /** milliseconds since the epoch; where the entry stands in the order */
  readonly time: number;
  /** the server sent no readable `when_created` */
  readonly timeless?: true;
  /** the server's own word */
  readonly status: string;
  readonly action: string;
  readonly alias: string;
  readonly signer: string;
  /** the first few */
  readonly objects: readonly string[];
  readonly objectCount: number;
  readonly fee: string;
  readonly batch: string;
  /** why it failed; empty where nothing says so */
  readonly message: string;
  /** where that stands; absent where there is no reason */
  readonly reasonFrom?: ReasonSource;
}

// The host made them; a full check of a hundred thousand rows would cost more than drawing them.
const rows = z.array(
  z.custom<LogRow>((value: unknown) => typeof value === 'object' && value !== null && 'key' in value),
);

export const phases = ['off', 'reading', 'live', 'idle', 'paused', 'ended', 'stale', 'waiting'] as const;
const feed = z.strictObject({
  /** of what can be read; `stale` where nothing can be */
  phase: z.enum(phases),
  paused: z.boolean(),
  /** connections that are not followed now, each with why: `P3 not signed in` */
  stale: z.array(line),
  /** a problem in words, and since when nothing new was read */
  reason: z.optional(line),
  since: z.optional(z.number()),
  /** where signing in would help */
  signIn: z.optional(line),
  /** entries held, and how many at most */
  held: z.number(),
  limit: z.number(),
  /** entries that went because of the limit */
  dropped: z.number(),
  /** everything back to then has been read */
  reached: z.optional(z.number()),
  /** there is nothing older, or the range begins there; of what can be read */
  complete: z.boolean(),
  /** older ones are being read */
  older: z.boolean(),
  /** what the lists of the platform do that limits what is shown, in words; reading can go on */
  note: z.optional(line),
  /** entries without an id: shown nowhere, counted here */
  unreadable: z.number(),
});
export type FeedState = z.output<typeof feed>;

const state = z.strictObject({
  view: viewState,
  connections: z.array(z.strictObject({ name: line, heading: line, production: z.boolean() })),
  organizations: z.array(z.strictObject({ id: line, label: line, connection: line })),
  feed,
  /** the preset's own beginning, in milliseconds */
  from: z.optional(z.number()),
  /** what is being done in the background, in words */
  note: z.optional(line),
  tab: z.boolean(),
});
export type LogsState = z.output<typeof state>;

const link = z.strictObject({ kind: line, id: line });
const field = z.strictObject({
  name: line,
  value: z.string().check(z.maxLength(20_000)),
  /** opens a resource, or an outside address by the index of a link that the host holds */
  link: z.optional(link),
  outside: z.optional(z.int()),
  /** a hash, an id, JSON */
  code: z.optional(z.boolean()),
  tone: z.optional(z.enum(['ok', 'bad', 'busy', 'unknown'])),
});
export type DetailField = z.output<typeof field>;
const section = z.strictObject({ title: line, fields: z.array(field), note: z.optional(line) });
const details = z.strictObject({ key: line, title: line, sections: z.array(section), busy: z.boolean() });
export type Details = z.output<typeof details>;

const step = z.strictObject({
  key: line,
  id: line,
  time: z.number(),
  action: line,
  status: line,
  signer: line,
  prev: line,
  next: line,
  /** the object was made by it */
  created: z.optional(z.boolean()),
  /** what is wrong between the step before and this one */
  mark: z.optional(z.enum(['break', 'fork', 'missing', 'unsettled', 'failed'])),
  note: z.optional(line),
  /** which of the two states was seen by the extension */
  snapshot: z.enum(['both', 'prev', 'next', 'none']),
  /** changes between the two snapshots, where both are there */
  changes: z.array(line),
});
export type HistoryStep = z.output<typeof step>;
const history = z.strictObject({
  connection: line,
  object: line,
  title: line,
  busy: z.boolean(),
  problem: z.optional(line),
  steps: z.array(step),
  /** the last word: whether the chain is whole and leads to the object's root of now */
  verdict: line,
  tone: z.enum(['ok', 'bad', 'busy', 'unknown']),
});
export type History = z.output<typeof history>;

/** What a filter can be added by; without one the person is asked. */
export const choices = [...wordFilters, 'organization', 'connection', 'between', 'thisObject', 'thisFile'] as const;
export type FilterChoice = (typeof choices)[number];

const nothing = z.strictObject({});
const key = z.strictObject({ key: line });
export const logsProtocol = defineProtocol({
  toView: {
    state,
    /** at most `SLICE` rows; `reset`: all earlier ones go; `more`: another slice of the same comes */
    rows: z.strictObject({ reset: z.boolean(), rows, removed: z.array(z.string()), more: z.boolean() }),
    details,
    history,
    /** from a command: `find` puts the keyboard into the search field */
    focus: z.strictObject({ what: z.enum(['grid', 'find']) }),
  },
  toHost: {
    filter: filters,
    addFilter: z.strictObject({ what: z.optional(z.enum(choices)) }),
    mode: z.strictObject({ mode: z.enum(modes) }),
    text: z.strictObject({ text: z.string().check(z.maxLength(200)) }),
    brush: z.strictObject({ brush: z.optional(z.strictObject({ from: moment, to: moment })) }),
    failure: z.strictObject({ failure: z.optional(z.string().check(z.maxLength(600))) }),
    select: z.strictObject({ key: z.optional(line) }),
    pause: z.strictObject({ paused: z.boolean() }),
    pin: z.strictObject({ pinned: z.boolean() }),
    retry: nothing,
    older: nothing,
    open: z.strictObject({ connection: line, kind: line, id: line }),
    outside: z.strictObject({ index: z.int() }),
    document: key,
    copy: z.strictObject({ key: line, what: z.enum(['id', 'json', 'row']) }),
    newAction: key,
    showInTree: key,
    history: z.strictObject({ connection: line, object: id }),
    diff: key,
    report: key,
    /** of what is filtered: the keys, since the text search happens in the view */
    export: z.strictObject({ keys: z.optional(z.array(line).check(z.maxLength(100_000))) }),
    copyLink: nothing,
    openTab: nothing,
    command: z.strictObject({ id: z.enum(['signIn', 'addConnection', 'startSandbox']), connection: z.optional(line) }),
  },
});

/** Rows in one message. */
export const SLICE = 1000;

/** Settled for good: only these words are final, any other may still change. */
export function isFinal(status: string): boolean {
  return status === 'completed' || status === 'failed';
}
