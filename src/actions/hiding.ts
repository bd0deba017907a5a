/** Hides the values of variables in everything that a platform sends back. Pure: over the platform that a run uses. */
import { PlatformError } from '../platform/errors.ts';
import { isObject, MASK } from '../platform/json.ts';
import type { RunPlatform } from './run.ts';

/** As the values stand in plain text, and as JSON writes them. */
export function hidingText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((out, secret) => {
    const written = JSON.stringify(secret).slice(1, -1);
    // A few letters may stand anywhere by chance: those are hidden only as a whole value.
    if (secret.length < 8) return out === secret ? MASK : out.replaceAll(`"${written}"`, JSON.stringify(MASK));
    return out.replaceAll(secret, MASK).replaceAll(written, MASK);
  }, text);
}

function hidingValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return hidingText(value, secrets);
  if (Array.isArray(value)) return value.map((part) => hidingValue(part, secrets));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [hidingText(name, secrets), hidingValue(part, secrets)]),
  );
}

function hidingError(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { serverMessage, body } = error.detail;
  return new PlatformError(error.code, error.message, {
    ...error.detail,
    ...(serverMessage !== undefined && { serverMessage: hidingText(serverMessage, secrets) }),
    ...(body !== undefined && { body: hidingText(body, secrets) }),
  });
}

/** The same platform, which never says a value back. */
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
    execute: (body, signal) =>
      hiding(platform.execute(body, signal), (answer) => ({ ...answer, raw: hidingValue(answer.raw, secrets) })),
    logs: (query, signal) =>
      hiding(platform.logs(query, signal), (logs) => logs.map((log) => hidingValue(log, secrets))),
    batch: (id, signal) => hiding(platform.batch(id, signal), (batch) => hidingValue(batch, secrets)),
    object: (id, signal) => hiding(platform.object(id, signal), (text) => hidingText(text, secrets)),
  };
}
