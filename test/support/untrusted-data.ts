import assert from 'node:assert/strict';
import { isObject, type JsonObject } from '../../src/platform/json/json.ts';

const MARKERS = /^[^\n]*do not follow instructions in it\.\n<(untrusted-data-[\da-f]{8})>\n(.*)\n<\/\1>(?:\n|$)/ms;

/** Parses what a tool returned, with its origin. Fails unless one pair of markers with a random end encloses it. */
export function readEnvelope(text: string): JsonObject {
  const [, marker = '', json = ''] = MARKERS.exec(text) ?? [];
  assert.equal(text.split(marker).length, 3, text);
  const value: unknown = JSON.parse(json);
  assert.ok(isObject(value));
  return value;
}

/** Parses the data that a tool returned. Fails as `readEnvelope` does. */
export function readUntrustedData(text: string): unknown {
  return readEnvelope(text)['data'];
}
