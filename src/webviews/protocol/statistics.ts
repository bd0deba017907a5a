/** Messages between the statistics dashboard and the extension. */
import * as z from 'zod/mini';
import { defineProtocol } from './index.ts';

const shortText = z.string().check(z.maxLength(300));
const longText = z.string().check(z.maxLength(4000));
/** milliseconds since the epoch */
const timestamp = z.int();

/** What to read. Empty fields are not sent. */
const controlsSchema = z.strictObject({
  /** empty: chosen for the range, see `chooseInterval` */
  interval: shortText,
  /** length up to now, such as `30d`; other words are the platform's own */
  timeRange: shortText,
  /** range of `when_created` in ISO 8601, UTC; `until` excluded */
  from: shortText,
  until: shortText,
  signer: shortText,
  action: shortText,
  template: shortText,
  /** points of the first answer; 0: the contract's maximum */
  limit: z.int().check(z.gte(0), z.lte(100)),
  /** also read the period before */
  compare: z.boolean(),
});
export type Controls = z.infer<typeof controlsSchema>;

export const DEFAULT_CONTROLS: Controls = {
  interval: '',
  timeRange: '30d',
  from: '',
  until: '',
  signer: '',
  action: '',
  template: '',
  limit: 0,
  compare: true,
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Intervals with their length in milliseconds, and the longest range that each is chosen for: about 60 intervals. */
const INTERVALS = [
  { word: 'minute', length: MINUTE, longest: 90 * MINUTE },
  { word: 'hour', length: HOUR, longest: 62 * HOUR },
  { word: 'day', length: DAY, longest: 62 * DAY },
  { word: 'week', length: 7 * DAY, longest: 434 * DAY },
  { word: 'month', length: 30 * DAY, longest: Infinity },
] as const;

/** Returns the interval for a range of `length` milliseconds. */
export function chooseInterval(length: number): (typeof INTERVALS)[number] {
  return INTERVALS.find(({ longest }) => length <= longest) ?? INTERVALS[4];
}

/** The part of the controls that a zoom replaces. */
const range = z.strictObject({ timeRange: shortText, from: shortText, until: shortText });

/** Options of the view, stored by the webview. */
export const viewOptions = z.strictObject({
  table: z.boolean(),
  groups: z.boolean(),
  utc: z.boolean(),
  /** the fold of further controls is open */
  advanced: z._default(z.boolean(), false),
  /** the range before zooming in, restored by Reset Zoom */
  beforeZoom: z._default(z.nullable(range), null),
  /** hidden lines by series and id: `fees key  mint` */
  hidden: z._default(z.array(shortText).check(z.maxLength(100)), []),
  /** pixels */
  scroll: z._default(z.number(), 0),
});
export type ViewOptions = z.infer<typeof viewOptions>;

/** State that the webview stores for a reload. */
export const savedState = z.object({ connection: shortText, controls: controlsSchema, look: viewOptions });

/** One line over the times of its series. `null`: no point, which is not zero. */
const line = z.strictObject({
  /** the same in every language and in both periods: kind, unit and key */
  id: shortText,
  /** in the display language */
  name: shortText,
  /** an action or the id of a template, if the line has just one */
  key: z.optional(shortText),
  /** exact, as decimal text */
  values: z.array(z.nullable(z.string())),
  /** empty without values */
  total: longText,
  /** change from the same line in the period before: `+12.5%` */
  change: z.optional(shortText),
});
export type SeriesLine = z.infer<typeof line>;

const series = z.strictObject({
  id: z.enum(['executions', 'fees', 'creations']),
  label: shortText,
  /** seconds since the epoch, ascending; a gap has a time without values */
  times: z.array(z.number()),
  /** times whose interval is only partly in the range: the first, and the running one */
  partial: z.array(z.number()),
  /** the time whose interval contains the moment of reading */
  running: z.optional(z.number()),
  /** the range that was read in seconds since the epoch, `until` excluded, if known */
  window: z.optional(z.strictObject({ from: z.number(), until: z.number() })),
  /** the interval that was requested: `day` */
  interval: shortText,
  /** all keys together, one line for each unit */
  sums: z.array(line),
  /** by key, the largest first; the smallest share a line */
  groups: z.array(line),
  /** the period before: `times` moved onto this period, `originalTimes` as they were */
  previous: z.optional(
    z.strictObject({
      from: z.number(),
      until: z.number(),
      times: z.array(z.number()),
      originalTimes: z.array(z.number()),
      sums: z.array(line),
      groups: z.array(line),
    }),
  ),
  /** sum by unit: `12.5 UNIT + 3`; empty before the first reading */
  total: longText,
  /** sum of the period before, and the change from it */
  previousTotal: z.optional(longText),
  change: z.optional(shortText),
  /** warnings: truncated, points without a time, … */
  notes: z.array(longText),
  truncated: z.boolean(),
  /** error of this series alone */
  error: z.optional(longText),
  /** when the shown values were read */
  readAt: z.optional(timestamp),
  /** the last reading failed */
  stale: z.boolean(),
  /** read with other controls than the shown ones */
  outdatedControls: z.boolean(),
});
export type SeriesState = z.infer<typeof series>;

const state = z.strictObject({
  connection: shortText,
  /** connection and environment, as in every dialog */
  heading: longText,
  production: z.boolean(),
  controls: controlsSchema,
  suggestions: z.strictObject({
    interval: z.array(shortText),
    timeRange: z.array(shortText),
    action: z.array(shortText),
    signer: z.array(z.strictObject({ id: shortText, name: shortText })),
    template: z.array(z.strictObject({ id: shortText, name: shortText })),
  }),
  series: z.array(series),
  /** number of requests so far, while reading */
  requestCount: z.optional(z.int()),
  /** errors of several series; `signIn`: signing in helps */
  errors: z.array(z.strictObject({ text: longText, signIn: z.boolean() })),
  /** seconds between two readings while visible */
  refreshSeconds: z.int(),
  /** series to bring into view, once */
  focus: z.optional(shortText),
});
export type StatisticsState = z.infer<typeof state>;

/** Upper bound of a PNG of three charts. */
const MAX_PNG_BYTES = 32 * 1024 * 1024;

export const statisticsProtocol = defineProtocol({
  toView: { state },
  toHost: {
    change: z.strictObject({ controls: controlsSchema }),
    refresh: z.strictObject({}),
    stop: z.strictObject({}),
    signIn: z.strictObject({}),
    /** show the action logs of a point: its time as shown, and the key of its line */
    /** the action logs of a point; `isBefore`: of the period before */
    showLogs: z.strictObject({
      series: series.shape.id,
      time: z.number(),
      isBefore: z.boolean(),
      key: z.optional(shortText),
    }),
    csv: z.strictObject({}),
    picture: z.strictObject({
      png: z.instanceof(Uint8Array).check(z.refine((bytes) => bytes.byteLength <= MAX_PNG_BYTES)),
    }),
    failed: z.strictObject({ what: shortText }),
  },
});
