import { isObject, type JsonObject } from './json.ts';

/**
 * Reads the text of an error in the forms that deployments use: text, `{code, message, details}`, `{error: …}`,
 * `{errors: [{code, detail}]}`, or a list of these. `undefined` if there is none. The text is untrusted and unmasked.
 */
export function readErrorText(error: unknown): string | undefined {
  if (typeof error === 'string') return error === '' ? undefined : error;
  if (Array.isArray(error)) return join(error.map(readErrorText), '; ');
  if (!isObject(error)) return undefined;
  const { message, error: inner, errors, detail, title, details } = error;
  // An inner error says more than the message around it.
  const candidates = [typeof inner === 'string' ? undefined : inner, message, inner, errors, detail, title];
  const text = candidates.map(readErrorText).find((found) => found !== undefined);
  return join([text, formatDetails(details)], ': ') ?? readErrorText(error['code']);
}

function join(parts: readonly (string | undefined)[], separator: string): string | undefined {
  return readErrorText(parts.filter((part) => part !== undefined).join(separator));
}

function formatDetails(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null) return readErrorText(details);
  return Object.keys(details).length === 0 ? undefined : JSON.stringify(details);
}

/** True for a response that reports an error, `{success: false}` or `{error: …}`, also in `data`, whatever its HTTP status. */
export function reportsError({ success, error, errors, data }: JsonObject, hasContent = false): boolean {
  if (success === false) return true;
  return !hasContent && ([error, errors].some(isError) || (isObject(data) && reportsError(data)));
}

function isError(value: unknown): boolean {
  if (Array.isArray(value) || isObject(value)) return Object.keys(value).length > 0;
  return typeof value === 'number' ? value !== 0 : value === true || (typeof value === 'string' && value !== '');
}
