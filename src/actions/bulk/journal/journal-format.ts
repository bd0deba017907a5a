/**
 * The lines of a journal: a header, then one line for each change. Each line ends in a checksum of it and of all lines
 * before, so that none can be missing.
 */
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { storedText } from '../../../model/runs/run-record-schema.ts';
import { formatSentence } from '../../../platform/text/message.ts';
import { COLUMN_TYPES } from '../../../model/runs/column-types.ts';
import { MAX_ROWS } from '../rows/row-numbers.ts';

/**
 * What is known of a row: `notSent` it was never sent · `sending` its request is being sent · `unknown` it was sent, or
 * may have been, without a reliable response · `refused` the platform refused it, nothing was executed · `accepted` the
 * platform accepted it, its action log is not decided · `completed`, `failed` as its response, action log or ledger batch
 * says.
 */
export const rowStates = ['notSent', 'sending', 'unknown', 'refused', 'accepted', 'completed', 'failed'] as const;
export type RowState = (typeof rowStates)[number];

const text = z.string();
const optionalText = z.exactOptional(text);
const optionalTexts = z.exactOptional(z.readonly(z.array(text)));
const digest = z.string().check(z.regex(/^[\da-f]{64}$/));
const rowNumber = z.int().check(z.nonnegative(), z.lte(MAX_ROWS));

const headerSchema = z.object({
  format: z.literal('smart-objects-batch'),
  /** of earlier programs, 1: without checksums · 2: without types of columns, and with reasons that are texts */
  version: z.literal([1, 2, 3]),
  id: z.string().check(z.regex(/^[\w-]{1,80}$/)),
  /** milliseconds since the epoch */
  created: z.number(),
  /** name of the action file, and SHA-256 of its text */
  action: z.readonly(z.object({ name: text, digest })),
  data: z.readonly(z.object({ name: text, digest, rowCount: rowNumber })),
  /** `identity`: its name; absent if the connection has only one */
  connection: z.readonly(z.object({ name: text, baseUrl: text, environment: optionalText, identity: optionalText })),
  /** the batch whose refused and failed rows this one sends again */
  former: z.exactOptional(z.readonly(z.object({ id: text, journal: text }))),
  /** the rows of the data that belong to the batch, such as `3,7-9`; absent: all */
  rows: optionalText,
  /** as in its data */
  types: z.exactOptional(z.readonly(z.record(text, z.enum(COLUMN_TYPES)))),
});
/** What a journal begins with. It holds no secrets and no values of variables. */
export type BatchHeader = Readonly<Omit<z.output<typeof headerSchema>, 'format' | 'version'>>;

const rowSchema = z.object({
  row: rowNumber,
  state: z.enum(rowStates),
  /** milliseconds since the epoch */
  sentAt: z.exactOptional(z.number()),
  /** HTTP status of the response */
  status: z.exactOptional(z.number()),
  actionId: optionalText,
  /** ids of the objects that the action made or changed, at most 20 */
  objects: optionalTexts,
  logStatus: optionalText,
  /** ledger batch of the action log */
  ledgerBatch: optionalText,
  ledgerBatchStatus: optionalText,
  /** why it is in its state: a sentence without the full stop */
  reason: z.exactOptional(storedText),
  /** `reason` without what was found in the action logs, if that is part of it */
  cause: z.exactOptional(storedText),
  /** ids of action logs that may be of an `unknown` row, at most 3 */
  possibleLogs: optionalTexts,
  /** of an `unknown` row: its action log was searched in vain; it is searched again when the batch is resumed */
  isLookedUp: z.exactOptional(z.boolean()),
  /** SHA-256 of the signature of the request, by which its action log is found */
  signature: z.exactOptional(digest),
  /** digest of what is compared of the request with action logs */
  facts: z.exactOptional(digest),
});
/** What a journal keeps of a row. Texts are plain text without secrets. */
export type JournalRow = Readonly<z.output<typeof rowSchema>>;

/** The last known result of a row, in the display language. */
export type RowResult = Omit<JournalRow, 'reason' | 'cause' | 'signature' | 'facts'> & { readonly reason?: string };

/** Returns the result of a row. */
export function toResult({
  reason,
  cause: _cause,
  signature: _signature,
  facts: _facts,
  ...row
}: JournalRow): RowResult {
  return { ...row, ...(reason !== undefined && { reason: formatSentence(reason, 500) }) };
}

const successorSchema = z.object({ successor: z.object({ id: text, journal: text, rows: text }) });

/** A batch that sends refused and failed rows again, with their numbers. */
export type Successor = z.output<typeof successorSchema>['successor'];

const lineSchema = z.union([rowSchema, successorSchema]);

/** How every journal begins. */
export const HEADER_START = '{"format":"smart-objects-batch"';

/** How far a journal goes. */
export interface JournalEnd {
  /** in bytes, up to the end of the last whole line */
  readonly size: number;
  readonly lines: number;
  /** checksum of all lines; absent: of an earlier program, without checksums */
  readonly chain?: string;
}

/** The end of a journal without a line. */
export const JOURNAL_START: JournalEnd = { size: 0, lines: 0, chain: '' };

const CHAIN = /,"chain":"([\da-f]{16})"\}$/;

/** Adds the checksum to a line, a JSON object. Returns the line and the end of a journal with it. */
export function appendLine(line: string, { size, lines, chain }: JournalEnd): readonly [string, JournalEnd] {
  const next = chain === undefined ? undefined : getChain(line, chain);
  const text = next === undefined ? `${line}\n` : `${line.slice(0, -1)},"chain":"${next}"}\n`;
  return [text, { size: size + Buffer.byteLength(text), lines: lines + 1, ...(next !== undefined && { chain: next }) }];
}

/** The checksum that a line of a journal ends in; `undefined` if it is not that of the line after lines with `chain`. */
export function checkChain(line: string, chain: string): string | undefined {
  const stored = readChecksum(line);
  return stored !== undefined && getChain(line.replace(CHAIN, '}'), chain) === stored ? stored : undefined;
}

/** The checksum that a line ends in. */
export function readChecksum(line: string): string | undefined {
  return CHAIN.exec(line)?.[1];
}

function getChain(line: string, chain: string): string {
  return hash('sha256', `${chain}\n${line}`).slice(0, 16);
}

/** Formats the header as a line, without its end. */
export function formatHeader(header: BatchHeader): string {
  return JSON.stringify({ format: 'smart-objects-batch', version: 3, ...header });
}

/** True for the header of a journal of an earlier program, without checksums. */
export function isWithoutChecksums(header: string): boolean {
  return header.startsWith(`${HEADER_START},"version":1,`);
}

/** Parses a header; `undefined` for any other text. */
export function parseHeader(line: string): BatchHeader | undefined {
  const parsed = parse(headerSchema, line);
  if (parsed === undefined) return undefined;
  const { format: _format, version: _version, ...header } = parsed;
  return header;
}

/** Parses a line after the header; `undefined` for any other text. */
export function parseLine(line: string): JournalRow | { readonly successor: Successor } | undefined {
  return parse(lineSchema, line);
}

function parse<S extends z.core.$ZodType>(schema: S, line: string): z.output<S> | undefined {
  try {
    const { success, data } = z.safeParse(schema, JSON.parse(line));
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}
