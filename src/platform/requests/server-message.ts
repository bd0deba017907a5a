/** Finds the server's message in an error body. The contract does not show the body's shape. */
import * as l10n from '@vscode/l10n';
import { readErrorText } from '../json/error-text.ts';
import { isObject } from '../json/json.ts';
import { parseJson } from '../json/parse-json.ts';
import { toPlainText } from '../text/plain-text.ts';
import { redactText } from '../text/redact.ts';

const MAX_MESSAGE_LENGTH = 500;

interface ServerMessage {
  /** redacted, one line, at most 500 characters */
  readonly message?: string;
  readonly requestId?: string;
}

/**
 * Reads the forms of `readErrorText`, with the request id beside them, and plain text. Returns at most the title of an
 * HTML page, and nothing for an empty body.
 */
export function readServerMessage(body: string, secrets: readonly string[]): ServerMessage {
  const trimmed = body.trim();
  if (trimmed === '') return {};
  if (isHtml(trimmed)) {
    const title = /<title[^>]*>([^<]{1,200})</i.exec(trimmed.slice(0, 4096))?.[1];
    return title === undefined ? {} : { message: clean(l10n.t('web page “{0}”', title.trim()), secrets) };
  }
  let value: unknown;
  try {
    value = parseJson(trimmed);
  } catch {
    return { message: clean(trimmed, secrets) };
  }
  return readJsonMessage(value, secrets);
}

/** Characters of a response that an error carries. */
const MAX_BODY_LENGTH = 256 * 1024;

/** The body without secrets, cut to `MAX_BODY_LENGTH`. JSON is formatted, numbers to the digit. */
export function redactBody(body: string, secrets: readonly string[]): string {
  if (body.length > MAX_BODY_LENGTH) return `${redactText(body, secrets).slice(0, MAX_BODY_LENGTH)}…`;
  let text = body;
  try {
    text = JSON.stringify(parseJson(body, { values: secrets }), null, 2);
  } catch {
    // Not JSON: unchanged.
  }
  return redactText(text, secrets);
}

function readJsonMessage(value: unknown, secrets: readonly string[]): ServerMessage {
  const text = readErrorText(value) ?? (isObject(value) ? readErrorText(value['data']) : undefined);
  const ids = isObject(value) ? [value['x_request_id'], value['request_id']] : [];
  const id = ids.find((word) => typeof word === 'string');
  return {
    ...(text !== undefined && { message: clean(text, secrets) }),
    ...(id !== undefined && { requestId: clean(id, secrets) }),
  };
}

/** True for text that starts like an HTML page. */
export function isHtml(text: string): boolean {
  return /^\s*(?:<!doctype|<html|<head|<body|<script|<meta|<!--|<h1)/i.test(text.slice(0, 512));
}

function clean(text: string, secrets: readonly string[]): string {
  // Redact before cutting: a cut secret is not recognised.
  return toPlainText(redactText(text, secrets), MAX_MESSAGE_LENGTH);
}
