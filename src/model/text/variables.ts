/** The variables of action files in text. */
import { isObject } from '../../platform/json/json.ts';

export const variableKinds = ['row', 'input', 'env', 'secret', 'file', 'run'] as const;

/** A dollar sign that escapes a variable, its kind and its name. */
export const VARIABLE = new RegExp(String.raw`(\$?)\$\{(${variableKinds.join('|')}):([^{}\r\n]{1,300})\}`, 'g');

/** A JSON value as an action file writes it: `$${input:x}` for the text `${input:x}`, which would be a variable. */
export function escapeVariables(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(VARIABLE, '$$$&');
  if (Array.isArray(value)) return value.map(escapeVariables);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, escapeVariables(part)]));
}
