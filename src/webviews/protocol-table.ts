/** What a list's table and its host say to each other: the view asks for the rows it draws, and holds no others. */
import * as z from 'zod/mini';
import { defineProtocol } from './protocol.ts';

const cell = z.string().check(z.maxLength(400));
const index = z.int().check(z.gte(0), z.lte(10_000_000));

const tableRow = z.strictObject({
  /** state, title, details, time, id */
  cells: z.array(cell),
  tone: z.enum(['ok', 'busy', 'bad', 'unknown', 'none']),
});
export type TableRow = z.infer<typeof tableRow>;

const tableState = z.strictObject({
  title: cell,
  /** the first is empty where no row has a state */
  columns: z.array(cell),
  /** rows that are loaded */
  loaded: index,
  /** there are more on the server */
  more: z.boolean(),
  busy: z.boolean(),
  /** what went wrong, or how old the rows are; empty for nothing */
  notice: cell,
  /** which list it is, for a reload of the window */
  of: z.record(z.string(), z.unknown()),
  /** another number: rows that were asked for are others now */
  version: z.int(),
});
export type TableState = z.infer<typeof tableState>;

export const MOST_WANTED = 400;

export const tableProtocol = defineProtocol({
  toView: {
    state: tableState,
    rows: z.strictObject({ from: index, version: z.int(), rows: z.array(tableRow) }),
  },
  toHost: {
    want: z.strictObject({ from: index, count: z.int().check(z.gte(1), z.lte(MOST_WANTED)) }),
    open: z.strictObject({ index }),
    more: z.strictObject({}),
    all: z.strictObject({}),
    refresh: z.strictObject({}),
  },
});
