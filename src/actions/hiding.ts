/** Hides the values of variables in everything that a platform sends back. Pure: over the platform that a run uses. */
import { PlatformError } from '../platform/errors.ts';
import { isObject, MASK, type JsonObject } from '../platform/json.ts';
import { prettyJson } from '../platform/pretty.ts';
import { readBody } from '../platform/server-message.ts';
import { idText } from './follow.ts';
import type { RunPlatform } from './platform.ts';

/** As the values stand in plain text, as JSON writes them, and in words that were put on one line, or cut. */
export function hidingText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((out, secret) => {
    const written = JSON.stringify(secret).slice(1, -1);
    // A few letters may stand anywhere by chance: those are hidden only as a whole value.
    if (secret.length < 8) return out === secret ? MASK : out.replaceAll(`"${written}"`, JSON.stringify(MASK));
    return [secret, written, secret.replace(/[\p{Cc}\s]+/gu, ' ').trim()].reduce(hidingForm, out);
  }, text);
}

function hidingForm(text: string, form: string): string {
  if (form.length < 8) return text;
  const out = text.replaceAll(form, MASK);
  if (!out.endsWith('…')) return out;
  for (let length = Math.min(form.length, out.length) - 1; length >= 4; length--)
    if (out.endsWith(`${form.slice(0, length)}…`)) return `${out.slice(0, -length - 1)}${MASK}…`;
  return out;
}

/** JSON may write a value in many ways: it is looked for in what the text says. */
function hidingJson(text: string, secrets: readonly string[]): string {
  return hidingText(text.includes('\\') ? prettyJson(text, { values: secrets }) : text, secrets);
}

/** The same shape without the values of variables, names of properties included. */
export function hidingValue<T>(value: T, secrets: readonly string[]): T;
export function hidingValue(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value;
  if (typeof value === 'string') return hidingText(value, secrets);
  if (Array.isArray(value)) return value.map((part: unknown) => hidingValue(part, secrets));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [hidingText(name, secrets), hidingValue(part, secrets)]),
  );
}

/** Of an answer that is nested too deeply only its first two levels of text: what was sent is followed all the same. */
function hidingAnswer(raw: unknown, secrets: readonly string[]): unknown {
  try {
    return hidingValue(raw, secrets);
  } catch {
    if (!isObject(raw)) return undefined;
    const { action_id, actionId, steps } = raw;
    const list: readonly unknown[] = Array.isArray(steps) ? steps : [];
    return hidingValue(
      { action_id: idText(action_id ?? actionId), steps: list.filter(isObject).map(plainFields) },
      secrets,
    );
  }
}

function plainFields(step: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(step).filter(([, value]) => typeof value !== 'object'));
}

function hidingError(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { serverMessage, body } = error.detail;
  return new PlatformError(error.code, error.message, {
    ...error.detail,
    ...(serverMessage !== undefined && { serverMessage: hidingText(serverMessage, secrets) }),
    ...(body !== undefined && { body: hidingText(readBody(body, secrets), secrets) }),
  });
}

/** The same platform, which says no value back but in logs and batches: what is followed needs their ids. */
export function hidingPlatform(platform: RunPlatform, secrets: readonly string[]): RunPlatform {
  if (secrets.length === 0) return platform;
  const hiding = async <T>(work: Promise<T>, hide: (answer: T) => T): Promise<T> => {
    try {
      return hide(await work);
    } catch (error) {
      throw hidingError(error, secrets);
    }
  };
  return {
    execute: (body, options) =>
      hiding(platform.execute(body, options), (answer) => ({ ...answer, raw: hidingAnswer(answer.raw, secrets) })),
    logs: (query, signal) => hiding(platform.logs(query, signal), (logs) => logs),
    batch: (id, signal) => hiding(platform.batch(id, signal), (batch) => batch),
    object: (id, signal) => hiding(platform.object(id, signal), (text) => hidingJson(text, secrets)),
    ...(platform.clockAhead !== undefined && { clockAhead: () => platform.clockAhead?.() ?? 0 }),
  };
}
