/** Pure: the action file that would ask again for what a log records: its kind with its parameters; nothing is signed. */
import { isObject } from '../platform/json.ts';

/** The text of the file; `undefined` where the log names no action. Parameters that are no object stand under `params`. */
export function actionText(raw: unknown): string | undefined {
  if (!isObject(raw)) return undefined;
  const name = raw['action_name'] ?? raw['name'];
  if (typeof name !== 'string' || name === '') return undefined;
  const { params } = raw;
  const first: unknown = Array.isArray(params) && params.length === 1 ? params[0] : params;
  const body = isObject(first) ? first : first === undefined ? {} : { params: first };
  return `${JSON.stringify({ action: { [name]: body } }, null, 2)}\n`;
}
