/** Pure: the address of a resource's document, `smartobject:/<connection>/<kind>/<id>.json`, there and back. */
import type { ResourceArgument } from '../commands/ids.ts';

export const SCHEME = 'smartobject';
/** Earlier texts of a resource, read-only, for comparisons; the same path, the moment in the query. */
export const SNAPSHOT_SCHEME = 'smartobject-seen';

/**
 * The `path` of a document's Uri. VS Code encodes a path once when it prints it and decodes it once when it reads it,
 * so what stands here is plain, but for the few characters that would break a segment: those are percent-encoded here.
 */
export function pathOf({ connection, kind, id }: ResourceArgument): string {
  const [name = '', ...rest] = idSegments(kind, id);
  const segments = [connection, kind, ...(rest.length === 0 ? [`${name}.json`] : [name, `${rest.join('/')}.json`])];
  return segments.map((segment, index) => `/${escapeSegment(segment, index === 0)}`).join('');
}

/** A role's id is `organization/role`; any other's is one segment. As `PlatformClient.read` takes it. */
export function idSegments(kind: string, id: string): readonly string[] {
  const slash = kind === 'roles' ? id.indexOf('/') : -1;
  return slash < 0 ? [id] : [id.slice(0, slash), id.slice(slash + 1)];
}

/**
 * What a document's `path` names; `undefined` where it names nothing. Reads what `pathOf` writes, to the letter, and
 * also what VS Code makes of an address that was typed or encoded by others: there an encoded slash has become a plain
 * one, and `isKind` tells where the connection's name ends.
 */
export function resourceOfPath(
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
  const complete = kind === 'roles' ? /^[^/]+\/./su.test(id) : id !== '';
  return connection !== '' && complete ? { connection, kind, id } : undefined;
}

// What parses as another path: separators, the escape itself, control characters, and characters that reorder text.
const BREAKS = /[%/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function escapeSegment(segment: string, first: boolean): string {
  const escaped = segment.toWellFormed().replace(BREAKS, encodeURIComponent);
  if (/^\.{1,2}$/.test(escaped)) return escaped.replaceAll('.', '%2E');
  // `/C:/` would be taken for a drive, and its letter written small.
  return first && /^[a-z]:/i.test(escaped) ? escaped.replace(':', '%3A') : escaped;
}

function unescapeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
