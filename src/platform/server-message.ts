/** Finds the server's own words in an error body, whatever its shape; the contract shows none. */
import { isObject, parseJson } from './json.ts';
import { plainText } from './plain-text.ts';
import { redactText } from './redact.ts';

const LONGEST = 500;

export interface ServerMessage {
  /** redacted, one line, at most 500 characters */
  readonly message?: string;
  readonly requestId?: string;
}

/**
 * Reads `{code, message, details}`, `{error: {…}, x_request_id}`, `{success: false, error}`, `{error: "text"}` and plain
 * text. An HTML page yields its title at most; an empty body nothing.
 */
export function readServerMessage(body: string, secrets: readonly string[]): ServerMessage {
  const trimmed = body.trim();
  if (trimmed === '') return {};
  if (looksLikeHtml(trimmed)) {
    const title = /<title[^>]*>([^<]{1,200})</i.exec(trimmed.slice(0, 4096))?.[1];
    return title === undefined ? {} : { message: clean(`web page “${title.trim()}”`, secrets) };
  }
  let value: unknown;
  try {
    value = parseJson(trimmed);
  } catch {
    return { message: clean(trimmed, secrets) };
  }
  return fromJson(value, secrets);
}

/** Characters of an answer that an error carries. */
const MAX_BODY = 256 * 1024;

/** All that the server said, cut where it is very long: JSON in print, numbers to the digit. */
export function readBody(body: string, secrets: readonly string[]): string {
  if (body.length > MAX_BODY) return `${redactText(body, secrets).slice(0, MAX_BODY)}…`;
  let text = body;
  try {
    text = JSON.stringify(parseJson(body, { values: secrets }), null, 2);
  } catch {
    // Words or a page: they stand as they came.
  }
  return redactText(text, secrets);
}

function fromJson(value: unknown, secrets: readonly string[]): ServerMessage {
  if (typeof value === 'string') return { message: clean(value, secrets) };
  if (!isObject(value)) return {};
  const inner = value['error'];
  const source = isObject(inner) ? inner : value;
  const words = [source['message'], inner, value['detail'], value['title']].find((word) => typeof word === 'string');
  const details = detailText(source['details']);
  const id = [value['x_request_id'], value['request_id']].find((word) => typeof word === 'string');
  const text = [words, details].filter((part) => part !== undefined && part !== '').join(': ');
  return {
    ...(text !== '' && { message: clean(text, secrets) }),
    ...(id !== undefined && { requestId: clean(id, secrets) }),
  };
}

function detailText(details: unknown): string | undefined {
  if (typeof details === 'string') return details;
  if (typeof details !== 'object' || details === null || Object.keys(details).length === 0) return undefined;
  return JSON.stringify(details);
}

export function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!doctype|<html|<head|<body|<script|<meta|<!--|<h1)/i.test(text.slice(0, 512));
}

function clean(text: string, secrets: readonly string[]): string {
  // Redact before cutting: half a secret would no longer be recognised.
  return plainText(redactText(text, secrets), LONGEST);
}
