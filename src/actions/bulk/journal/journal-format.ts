/**
 * The lines of a journal: a header, then one line for each change. Each line ends in a checksum of it and of all lines
 * before, so that none can be missing.
 */
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { storedText } from '../../../model/runs/run-record-schema.ts';
import { formatSentence, type StoredText } from '../../../platform/text/message.ts';
import { COLUMN_TYPES } from '../../../model/runs/column-types.ts';
import { MAX_ROWS, rowStates, type BatchHeader, type RowResult } from '../batch.ts';

const text = z.string();
const optionalText = z.optional(text);
const digest = z.string().check(z.regex(/^[\da-f]{64}$/));
const rowNumber = z.int().check(z.nonnegative(), z.lte(MAX_ROWS));

const headerSchema = z.object({
  format: z.literal('smart-objects-batch'),
  /** of earlier programs, 1: without checksums · 2: without types of columns, and with reasons that are texts */
  version: z.literal([1, 2, 3]),
  id: z.string().check(z.regex(/^[\w-]{1,80}$/)),
  created: z.number(),
  action: z.object({ name: text, digest }),
  data: z.object({ name: text, digest, rowCount: rowNumber }),
  connection: z.object({ name: text, baseUrl: text, environment: optionalText, identity: optionalText }),
  former: z.optional(z.object({ id: text, journal: text })),
  rows: optionalText,
  types: z.optional(z.record(text, z.enum(COLUMN_TYPES))),
});

/** What a journal keeps of a row besides its result. */
export interface JournalRow extends Omit<RowResult, 'reason'> {
  readonly reason?: StoredText;
  /** `reason` without what was found in the action logs, if that is part of it */
  readonly cause?: StoredText;
  /** SHA-256 of the signature of the request, by which its action log is found */
  readonly signature?: string;
  /** digest of what is compared of the request with action logs */
  readonly facts?: string;
}

const rowSchema = z.object({
  row: rowNumber,
  state: z.enum(rowStates),
  sentAt: z.optional(z.number()),
  status: z.optional(z.number()),
  actionId: optionalText,
  objects: z.optional(z.array(text)),
  logStatus: optionalText,
  ledgerBatch: optionalText,
  ledgerBatchStatus: optionalText,
  reason: z.optional(storedText),
  cause: z.optional(storedText),
  possibleLogs: z.optional(z.array(text)),
  isLookedUp: z.optional(z.boolean()),
  signature: z.optional(digest),
  facts: z.optional(digest),
});

/** The result of a row, in the display language. */
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

type JournalLine =
  { readonly kind: 'row'; readonly row: JournalRow } | { readonly kind: 'successor'; readonly successor: Successor };

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
  // JSON has no `undefined`, but the inferred type does.
  return header as BatchHeader;
}

/** Parses a line after the header; `undefined` for any other text. */
export function parseLine(line: string): JournalLine | undefined {
  const row = parse(rowSchema, line);
  if (row !== undefined) return { kind: 'row', row: row as JournalRow };
  const successor = parse(successorSchema, line)?.successor;
  return successor === undefined ? undefined : { kind: 'successor', successor };
}

function parse<S extends z.core.$ZodType>(schema: S, line: string): z.output<S> | undefined {
  try {
    const { success, data } = z.safeParse(schema, JSON.parse(line));
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}
