/** Whether an action log may be of a request whose answer was lost. Pure: compares kind, parameters and time. */
import { isObject, type JsonObject } from '../platform/json.ts';

/** `params`: same kind and every value of the request is in the log; `kind`: same kind and about the same time. */
export function looksLike(log: JsonObject, body: string, sentAt: number): 'params' | 'kind' | undefined {
  const created = Date.parse(String(log['when_created']));
  // A minute for clocks that disagree; a log without a time is judged by its parameters alone.
  if (Number.isFinite(created) && created < sentAt - 60_000) return undefined;
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    return undefined;
  }
  const action = isObject(request) ? request['action'] : undefined;
  const entries = isObject(action) ? Object.entries(action) : [];
  const [kind, fields] = entries[0] ?? [];
  if (kind === undefined) return undefined;
  const name = log['action_name'] ?? log['name'];
  if (typeof name === 'string' && name !== kind) return undefined;
  const wanted = new Set(leaves(fields));
  if (wanted.size === 0) return typeof name === 'string' ? 'kind' : undefined;
  const held = new Set(leaves([log['params'], log['affected_objects']]));
  if ([...wanted].every((value) => held.has(value))) return 'params';
  return typeof name === 'string' ? 'kind' : undefined;
}

/** Every string, number and boolean inside, as text; bounded. */
function leaves(value: unknown, found: string[] = []): string[] {
  if (found.length > 5000) return found;
  if (Array.isArray(value)) for (const entry of value) leaves(entry, found);
  else if (isObject(value)) for (const entry of Object.values(value)) leaves(entry, found);
  else if (JSON.isRawJSON(value)) found.push(String(Number(value.rawJSON)));
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    found.push(String(value));
  return found;
}
