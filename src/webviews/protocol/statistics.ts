/** Messages between the statistics dashboard and the extension. */
import * as z from 'zod/mini';
import { defineProtocol } from './index.ts';

const shortText = z.string().check(z.maxLength(300));
const longText = z.string().check(z.maxLength(4000));

/** What to read. Empty fields are not sent. */
const controlsSchema = z.object({
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

/** Options of the view, stored by the webview. */
export const viewOptionsSchema = z.object({
  table: z._default(z.boolean(), false),
  groups: z._default(z.boolean(), false),
  utc: z._default(z.boolean(), true),
  /** the range before zooming in, restored by Reset Zoom */
  beforeZoom: z._default(z.nullable(z.object({ timeRange: shortText, from: shortText, until: shortText })), null),
  /** hidden lines by series and id: `fees key  mint` */
  hidden: z._default(z.array(shortText).check(z.maxLength(100)), []),
  /** pixels */
  scroll: z._default(z.number(), 0),
});
export type ViewOptions = z.infer<typeof viewOptionsSchema>;

/** State that the webview stores for a reload. */
export const savedState = z.object({ connection: shortText, controls: controlsSchema, look: viewOptionsSchema });

/** Exact values over the times of a series as decimal text, and their sum. `null`: no point, which is not zero. */
const amounts = z.strictObject({
  values: z.array(z.nullable(z.string())),
  /** empty without values */
  total: longText,
});

/** One line in one unit, in this period and the one before. */
const line = z.extend(amounts, {
  /** the same in every language: kind, unit and key */
  id: shortText,
  /** in the display language */
  name: shortText,
  /** an action or the id of a template, if the line has just one */
  key: z.optional(shortText),
  /** empty without one */
  unit: shortText,
  /** if the period before was read */
  before: z.optional(amounts),
  /** from the period before: `+12.5%` */
  change: z.optional(shortText),
});
export type SeriesLine = z.infer<typeof line>;

const series = z.strictObject({
  id: z.enum(['executions', 'fees', 'creations']),
  label: shortText,
  /** of all lines, in seconds since the epoch, ascending; a gap has a time without values */
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
  /** the period before in seconds since the epoch, and its own time at each of `times` */
  previous: z.optional(z.strictObject({ from: z.number(), until: z.number(), times: z.array(z.nullable(z.number())) })),
  /** warnings: truncated, points without a time, … */
  notes: z.array(longText),
  truncated: z.boolean(),
  /** error of this series alone */
  error: z.optional(longText),
  /** when the shown values were read: milliseconds since the epoch */
  readAt: z.optional(z.int()),
  /** the last reading failed */
  stale: z.boolean(),
  /** read with other controls than the shown ones */
  outdatedControls: z.boolean(),
});
export type SeriesState = z.infer<typeof series>;

const suggestions = z.array(z.strictObject({ value: shortText, label: shortText }));
const state = z.strictObject({
  connection: shortText,
  /** connection and environment, as in every dialog */
  heading: longText,
  production: z.boolean(),
  controls: controlsSchema,
  suggestions: z.strictObject({ signer: suggestions, action: suggestions, template: suggestions }),
  series: z.array(series),
  /** number of requests so far, while reading */
  requestCount: z.optional(z.int()),
  /** errors of several series; `signIn`: signing in helps */
  errors: z.array(z.strictObject({ text: longText, signIn: z.boolean() })),
  /** series to bring into view, once */
  focus: z.optional(shortText),
});
export type StatisticsState = z.infer<typeof state>;

export const statisticsProtocol = defineProtocol({
  toView: { state },
  toHost: {
    change: z.strictObject({ controls: controlsSchema }),
    refresh: z.strictObject({}),
    stop: z.strictObject({}),
    signIn: z.strictObject({}),
    /** the action logs of a point at its own time, and the key of its line; `isBefore`: of the period before */
    showLogs: z.strictObject({
      series: series.shape.id,
      time: z.number(),
      isBefore: z.boolean(),
      key: z.optional(shortText),
    }),
    csv: z.strictObject({}),
    picture: z.strictObject({ png: z.instanceof(Uint8Array) }),
    failed: z.strictObject({ what: shortText }),
  },
});
