import { PlatformError } from '../../platform/errors.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { formatJson } from '../../platform/json/format-json.ts';
import { redactBody } from '../../platform/requests/server-message.ts';
import { formatId } from '../follow/follow.ts';
import type { RunPlatform } from './run-platform.ts';

/** Redacts values in a text: as plain text, as JSON, as a single line, and truncated. */
export function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((out, secret) => {
    const written = JSON.stringify(secret).slice(1, -1);
    // A short value can occur by chance: it is redacted only if it is the whole value.
    if (secret.length < 8) return out === secret ? MASK : out.replaceAll(`"${written}"`, JSON.stringify(MASK));
    return [secret, written, secret.replace(/[\p{Cc}\s]+/gu, ' ').trim()].reduce(redactForm, out);
  }, text);
}

function redactForm(text: string, form: string): string {
  if (form.length < 8) return text;
  const out = text.replaceAll(form, MASK);
  if (!out.endsWith('…')) return out;
  for (let length = Math.min(form.length, out.length) - 1; length >= 4; length--)
    if (out.endsWith(`${form.slice(0, length)}…`)) return `${out.slice(0, -length - 1)}${MASK}…`;
  return out;
}

/** JSON can escape a value in many ways: the decoded text is searched. */
function redactJson(text: string, secrets: readonly string[]): string {
  return redactText(text.includes('\\') ? formatJson(text, { values: secrets }) : text, secrets);
}

/** Redacts values in all strings and property names of a JSON value. */
export function redactValue<T>(value: T, secrets: readonly string[]): T;
export function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value;
  if (typeof value === 'string') return redactText(value, secrets);
  if (Array.isArray(value)) return value.map((part: unknown) => redactValue(part, secrets));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [redactText(name, secrets), redactValue(part, secrets)]),
  );
}

/**
 * Of a response that is nested too deeply only the first two levels of text are used, so that the run can be followed.
 */
function redactResponse(raw: unknown, secrets: readonly string[]): unknown {
  try {
    return redactValue(raw, secrets);
  } catch {
    if (!isObject(raw)) return undefined;
    const { action_id, actionId, steps } = raw;
    const list: readonly unknown[] = Array.isArray(steps) ? steps : [];
    return redactValue(
      { action_id: formatId(action_id ?? actionId), steps: list.filter(isObject).map(plainFields) },
      secrets,
    );
  }
}

function plainFields(step: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(step).filter(([, value]) => typeof value !== 'object'));
}

function redactError(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { serverMessage, body } = error.detail;
  return new PlatformError(error.code, error.message, {
    ...error.detail,
    ...(serverMessage !== undefined && { serverMessage: redactText(serverMessage, secrets) }),
    ...(body !== undefined && { body: redactText(redactBody(body, secrets), secrets) }),
  });
}

/** A platform whose responses are redacted, except logs and batches: following needs their ids. */
export function createRedactingPlatform(platform: RunPlatform, secrets: readonly string[]): RunPlatform {
  if (secrets.length === 0) return platform;
  const withRedaction = async <T>(work: Promise<T>, redact: (answer: T) => T): Promise<T> => {
    try {
      return redact(await work);
    } catch (error) {
      throw redactError(error, secrets);
    }
  };
  return {
    execute: (body, options) =>
      withRedaction(platform.execute(body, options), (answer) => ({
        ...answer,
        raw: redactResponse(answer.raw, secrets),
      })),
    logs: (query, signal) => withRedaction(platform.logs(query, signal), (logs) => logs),
    batch: (id, signal) => withRedaction(platform.batch(id, signal), (batch) => batch),
    object: (id, signal) => withRedaction(platform.object(id, signal), (text) => redactJson(text, secrets)),
    ...(platform.clockAhead !== undefined && { clockAhead: () => platform.clockAhead?.() ?? 0 }),
  };
}
