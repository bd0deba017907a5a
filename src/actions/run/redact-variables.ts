import { PlatformError } from '../../platform/errors.ts';
import { isObject } from '../../platform/json/json.ts';
import { longestFirst, MASK } from '../../platform/json/secrets.ts';
import { formatJson } from '../../platform/json/format-json.ts';
import { redactBody } from '../../platform/requests/server-message.ts';
import { mapText } from '../../platform/text/message.ts';
import type { RunPlatform } from './run-platform.ts';

/** Redacts values, such as those of variables: as plain text, as JSON, as a single line, and truncated. */
export class Redactor {
  readonly #secrets: readonly string[];
  readonly #forms: readonly { readonly secret: string; readonly forms: readonly string[] }[];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    this.#forms = longestFirst(secrets).map((secret) => {
      const written = JSON.stringify(secret).slice(1, -1);
      // A short value can occur by chance: it is redacted only if it is the whole value.
      if (secret.length < 8) return { secret, forms: [written] };
      const forms = new Set([secret, written, secret.replace(/[\p{Cc}\s]+/gu, ' ').trim()]);
      return { secret, forms: [...forms].filter((form) => form.length >= 8) };
    });
  }

  redactText(text: string): string {
    return this.#forms.reduce((out, { secret, forms }) => {
      if (secret.length >= 8) return forms.reduce(redactForm, out);
      return out === secret ? MASK : forms.reduce((all, form) => all.replaceAll(`"${form}"`, `"${MASK}"`), out);
    }, text);
  }

  /**
   * Redacts all strings and property names of a JSON value. Of one that is nested too deeply only the first levels are
   * used, so that a run can be followed.
   */
  redact<T>(value: T): T;
  redact(value: unknown): unknown {
    if (this.#secrets.length === 0) return value;
    try {
      return this.#walk(value, Infinity);
    } catch {
      return this.#walk(value, 4);
    }
  }

  #walk(value: unknown, levels: number): unknown {
    if (typeof value === 'string') return this.redactText(value);
    if (levels === 0 && typeof value === 'object') return undefined;
    if (Array.isArray(value)) return value.map((part: unknown) => this.#walk(part, levels - 1));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [this.redactText(name), this.#walk(part, levels - 1)]),
    );
  }

  /** JSON can escape a value in many ways: the decoded text is searched. */
  redactJson(text: string): string {
    return this.redactText(text.includes('\\') ? formatJson(text, { values: this.#secrets }) : text);
  }

  redactError(error: unknown): unknown {
    if (this.#secrets.length === 0 || !(error instanceof PlatformError)) return error;
    const { serverMessage, body, requestId } = error.detail;
    return new PlatformError(
      error.code,
      mapText(error.text, (part) => this.redactText(part)),
      {
        ...error.detail,
        ...(requestId !== undefined && { requestId: this.redactText(requestId) }),
        ...(serverMessage !== undefined && { serverMessage: this.redactText(serverMessage) }),
        ...(body !== undefined && { body: this.redactText(redactBody(body, this.#secrets)) }),
      },
    );
  }
}

/** Redacts values in a text. */
export function redactText(text: string, secrets: readonly string[]): string {
  return new Redactor(secrets).redactText(text);
}

function redactForm(text: string, form: string): string {
  const out = text.replaceAll(form, MASK);
  if (!out.endsWith('…')) return out;
  for (let length = Math.min(form.length, out.length) - 1; length >= 4; length--)
    if (out.endsWith(`${form.slice(0, length)}…`)) return `${out.slice(0, -length - 1)}${MASK}…`;
  return out;
}

/** A platform whose responses are redacted, except logs and batches, which are compared as they are. */
export function createRedactingPlatform(platform: RunPlatform, redactor: Redactor): RunPlatform {
  const redactErrors = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw redactor.redactError(error);
    });
  return {
    execute: async (body, options) => redactor.redact(await redactErrors(platform.execute(body, options))),
    logs: (query, signal) => redactErrors(platform.logs(query, signal)),
    batch: (id, signal) => redactErrors(platform.batch(id, signal)),
    object: async (id, signal) => redactor.redactJson(await redactErrors(platform.object(id, signal))),
    ...(platform.clockAhead !== undefined && { clockAhead: () => platform.clockAhead?.() ?? 0 }),
  };
}
