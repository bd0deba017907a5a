import assert from 'node:assert/strict';
import { parseEntry, type LogEntry } from '../../../src/logs/entry.ts';
import type { LogRow } from '../../../src/webviews/protocol/logs.ts';

/** Formats milliseconds since the epoch as the platform does. */
export const at = (time: number): string => new Date(time).toISOString();

/** A completed entry of the connection `Test`; `fields` override those of the raw item. */
export function entry(id: string, time: number, fields: object = {}): LogEntry {
  const parsed = parseEntry('Test', { id, status: 'completed', when_created: at(time), ...fields }, 0);
  assert.ok(parsed !== undefined);
  return parsed;
}

/** The table row of such an entry. */
export const row = (id: string, time: number, fields: object = {}): LogRow => entry(id, time, fields).row;
