import { isObject } from '../../platform/json/json.ts';

/**
 * Formats an unsigned action file that repeats what a log records; `undefined` if the log names no action. Parameters that
 * are not an object go under `params`.
 */
export function formatActionFile(raw: unknown): string | undefined {
  if (!isObject(raw)) return undefined;
  const name = raw['action_name'] ?? raw['name'];
  if (typeof name !== 'string' || name === '') return undefined;
  const { params } = raw;
  const first: unknown = Array.isArray(params) && params.length === 1 ? params[0] : params;
  const body = isObject(first) ? first : first === undefined ? {} : { params: first };
  return `${JSON.stringify({ action: { [name]: body } }, null, 2)}\n`;
}
