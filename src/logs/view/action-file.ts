import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { readActionName, readFailureReason } from '../../platform/resources/action-log-fields.ts';
import { escapeVariables } from '../../model/text/variables.ts';
import { formatFailureGroup, formatReasonPattern, getFailureGroup } from '../../webviews/protocol/failure-groups.ts';
import type { LogRow } from '../../webviews/protocol/logs.ts';

/**
 * Formats an unsigned action file that repeats what a log records; `undefined` if the log names no action. Parameters that
 * are not an object go under `params`.
 */
export function formatActionFile(raw: unknown): string | undefined {
  const request = createRequest(raw);
  return request && `${JSON.stringify(request, null, 2)}\n`;
}

/**
 * Formats a suite that repeats a failed action and expects the same failure, with any ids and numbers in the reason;
 * `undefined` if the log names no action. `row`: with the best known reason.
 */
export function formatReproduction(raw: unknown, row: LogRow): string | undefined {
  const request = createRequest(raw);
  if (request === undefined) return undefined;
  const step = { name: row.action === '' ? 'action' : row.action, request, expect: createExpectation(raw, row) };
  return `${JSON.stringify({ name: formatFailureGroup(getFailureGroup(row)).slice(0, 120), steps: [step] }, null, 2)}\n`;
}

function createExpectation(raw: unknown, { message, reasonSource }: LogRow): JsonObject {
  // The end of a long reason was cut off; part of an id would be compared as it is.
  const start = message.length > 120 ? message.slice(0, 120).replace(/\s\S*$/, '') : message;
  const reason = { $match: formatReasonPattern(start) };
  const field = isObject(raw) ? readFailureReason(raw)?.field : undefined;
  return {
    status: 'failed',
    ...(reasonSource === 'step' && { steps: [{ error: reason }] }),
    ...(reasonSource === 'batch' && { batch: { error: reason } }),
    ...(reasonSource === 'log' && field !== undefined && { log: { [field]: reason } }),
  };
}

function createRequest(raw: unknown): JsonObject | undefined {
  if (!isObject(raw)) return undefined;
  const name = readActionName(raw);
  if (name === undefined) return undefined;
  const { params } = raw;
  const first: unknown = Array.isArray(params) && params.length === 1 ? params[0] : params;
  const body = isObject(first) ? first : first === undefined ? {} : { params: first };
  return { action: { [name]: escapeVariables(body) } };
}
