/** What the statistics dashboard and its host say to each other. */
import * as z from 'zod/mini';
import { defineProtocol } from './protocol.ts';

const short = z.string().check(z.maxLength(300));
const text = z.string().check(z.maxLength(4000));
/** milliseconds since the epoch */
const moment = z.int();

/** What is asked for. An empty text asks for nothing: the parameter is not sent. */
export const controls = z.strictObject({
  interval: short,
  timeRange: short,
  /** ISO 8601, UTC; the window of `when_created`, its end excluded */
  from: short,
  until: short,
  signer: short,
  action: short,
  template: short,
  /** points of one answer; 0: as many as the contract allows */
  limit: z.int().check(z.gte(0), z.lte(100)),
  /** also read the period before */
  compare: z.boolean(),
});
export type Controls = z.infer<typeof controls>;

export const DEFAULT_CONTROLS: Controls = {
  interval: 'day',
  timeRange: '30d',
  from: '',
  until: '',
  signer: '',
  action: '',
  template: '',
  limit: 0,
  compare: true,
};

/** How a person looks at it; kept by the view. */
export const look = z.strictObject({
  table: z.boolean(),
  groups: z.boolean(),
  utc: z.boolean(),
  /** seconds since the epoch */
  zoom: z.nullable(z.tuple([z.number(), z.number()])),
  /** lines that are switched off: `fees mint` */
  hidden: z._default(z.array(short).check(z.maxLength(100)), []),
  /** pixels */
  scroll: z._default(z.number(), 0),
});
export type Look = z.infer<typeof look>;

/** What a reload of the window hands back. */
export const kept = z.object({ connection: short, controls, look });

/** One line over the times of its series. `null`: no point there, which is not zero. */
const line = z.strictObject({
  name: short,
  /** exact, as decimal text */
  values: z.array(z.nullable(z.string())),
  /** empty without any value */
  total: text,
  /** how far it is from the line of the same name in the period before: `+12.5 %` */
  change: z.optional(short),
});
export type Line = z.infer<typeof line>;

const series = z.strictObject({
  id: z.enum(['executions', 'fees', 'creations']),
  label: short,
  /** seconds since the epoch, rising; one that stands for a gap has no value in any line */
  times: z.array(z.number()),
  /** times whose interval the window holds only a part of: its first, and the one that is not over */
  partial: z.array(z.number()),
  /** all keys together; more than one only where fees come in several units */
  sums: z.array(line),
  /** by key, the largest first; the smallest are one line */
  groups: z.array(line),
  /** the period before: `times` moved to this one's, `when` as they were; lines of the same names */
  before: z.optional(
    z.strictObject({
      from: z.number(),
      until: z.number(),
      times: z.array(z.number()),
      when: z.array(z.number()),
      sums: z.array(line),
      groups: z.array(line),
    }),
  ),
  /** all points, by unit: `12.5 UNIT + 3`; empty while nothing was read */
  total: text,
  /** of the period before, and how far this one is from it */
  beforeTotal: z.optional(text),
  change: z.optional(short),
  /** what a reader has to know: truncated, points without a time, … */
  notes: z.array(text),
  truncated: z.boolean(),
  /** a failure of this series alone */
  error: z.optional(text),
  /** when what is shown was read */
  read: z.optional(moment),
  /** it could not be read again since */
  stale: z.boolean(),
  /** it was read with other controls than those shown */
  other: z.boolean(),
});
export type SeriesState = z.infer<typeof series>;

const state = z.strictObject({
  connection: short,
  /** connection and environment, as in every dialog */
  heading: text,
  production: z.boolean(),
  controls,
  suggestions: z.strictObject({
    interval: z.array(short),
    timeRange: z.array(short),
    action: z.array(short),
    template: z.array(z.strictObject({ id: short, name: short })),
  }),
  series: z.array(series),
  /** requests so far, while reading */
  reading: z.optional(z.int()),
  /** what keeps several series from being read, once each cause; `signIn`: what helps */
  troubles: z.array(z.strictObject({ text, signIn: z.boolean() })),
  /** seconds between two readings while visible */
  refreshes: z.int(),
  /** a series that the view should bring into sight, once */
  focus: z.optional(short),
});
export type StatisticsState = z.infer<typeof state>;

/** A PNG of three charts on a large screen stays well below. */
const MOST_BYTES = 32 * 1024 * 1024;

export const statisticsProtocol = defineProtocol({
  toView: { state },
  toHost: {
    change: z.strictObject({ controls }),
    refresh: z.strictObject({}),
    stop: z.strictObject({}),
    signIn: z.strictObject({}),
    csv: z.strictObject({}),
    picture: z.strictObject({
      png: z.instanceof(Uint8Array).check(z.refine((bytes) => bytes.byteLength <= MOST_BYTES)),
    }),
    failed: z.strictObject({ what: short }),
  },
});
