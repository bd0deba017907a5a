/** Formats and parses the URI path of a resource's document, `smartobject:/<connection>/<kind>/<id>.json`. */
import { isKind as isKnownKind, registry } from '../../platform/registry.ts';
import { isOwnedByOrganization } from '../../platform/resource.ts';
import type { ResourceArgument } from './resource-argument.ts';

/**
 * Formats the `path` of a document's Uri. VS Code encodes the path when it prints a Uri and decodes it when it parses
 * one, so only characters that would break a segment are percent-encoded here.
 */
export function formatResourcePath({ connection, kind, id }: ResourceArgument): string {
  const [name = '', ...rest] = splitResourceId(kind, id);
  const segments = [connection, kind, ...(rest.length === 0 ? [`${name}.json`] : [name, `${rest.join('/')}.json`])];
  return segments.map((segment, index) => `/${escapeSegment(segment, index === 0)}`).join('');
}

/** Splits the id of a role, `organization/role`; others are one segment. As `PlatformClient.read` expects. */
export function splitResourceId(kind: string, id: string): readonly string[] {
  const slash = isOwnedKind(kind) ? id.indexOf('/') : -1;
  return slash < 0 ? [id] : [id.slice(0, slash), id.slice(slash + 1)];
}

/**
 * Parses a `path`; `undefined` if it is invalid. Accepts what `formatResourcePath` returns, and paths encoded by
 * others: VS Code decodes their slashes, and `isKind` finds the end of the connection's name.
 */
export function parseResourcePath(
  path: string,
  isKind: (text: string) => boolean = () => true,
): ResourceArgument | undefined {
  if (!path.startsWith('/') || !path.endsWith('.json')) return undefined;
  const segments = path
    .slice(1, -'.json'.length)
    .split('/')
    .map((segment) => unescapeSegment(segment));
  const at = segments.findIndex((segment, index) => index > 0 && index < segments.length - 1 && isKind(segment));
  const kind = segments[at];
  if (kind === undefined) return undefined;
  const connection = segments.slice(0, at).join('/');
  const id = segments.slice(at + 1).join('/');
  const complete = isOwnedKind(kind) ? /^[^/]+\/./su.test(id) : id !== '';
  return connection !== '' && complete ? { connection, kind, id } : undefined;
}

// Separators, the percent sign, control characters, and characters that change the text direction.
const UNSAFE_CHARACTERS = /[%/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function isOwnedKind(kind: string): boolean {
  return isKnownKind(kind) && isOwnedByOrganization(registry[kind]);
}

function escapeSegment(segment: string, first: boolean): string {
  const escaped = segment.toWellFormed().replace(UNSAFE_CHARACTERS, encodeURIComponent);
  if (/^\.{1,2}$/.test(escaped)) return escaped.replaceAll('.', '%2E');
  // VS Code would treat `/C:/` as a drive and lower its letter.
  return first && /^[a-z]:/i.test(escaped) ? escaped.replace(':', '%3A') : escaped;
}

function unescapeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
