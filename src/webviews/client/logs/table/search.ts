import type { LogRow } from '../../../protocol/logs.ts';
import { formatStatus } from '../../../../model/text/status.ts';

export interface SearchQuery {
  readonly empty: boolean;
  readonly terms: readonly string[];
  /** True if a text in lower case contains every term. */
  matches(text: string): boolean;
}

/** Parses a search text: terms separated by spaces, `"quoted terms"` with spaces. */
export function parseSearch(text: string): SearchQuery {
  const terms = [...text.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const [only] = terms;
  return {
    empty: terms.length === 0,
    terms,
    matches:
      terms.length === 1 && only !== undefined
        ? (candidate) => candidate.includes(only)
        : (candidate) => terms.every((term) => candidate.includes(term)),
  };
}

/** Text of a row to search in, in lower case: its status as the platform sends it and as it is shown. */
export function getSearchText(row: LogRow): string {
  const {
    status,
    action,
    alias,
    signer,
    signerLabel = '',
    objects,
    objectName = '',
    fee,
    batch,
    id,
    message,
    connection,
  } = row;
  return `${status} ${formatStatus(status)} ${action} ${alias} ${signer} ${signerLabel} ${objects.join(' ')} ${objectName} ${fee} ${batch} ${id} ${message} ${connection}`.toLowerCase();
}

interface TextPart {
  readonly text: string;
  readonly hit: boolean;
}

/** Splits a text into parts; those that match a term are hits. */
export function splitMatches(text: string, { terms }: Pick<SearchQuery, 'terms'>): readonly TextPart[] {
  if (terms.length === 0 || text === '') return [{ text, hit: false }];
  const lower = text.toLowerCase();
  // Lower case of another length has other offsets, so the whole text is one part.
  if (lower.length !== text.length) return [{ text, hit: terms.some((word) => lower.includes(word)) }];
  const hits = terms.flatMap((word) => findMatches(lower, word)).sort((a, b) => a[0] - b[0]);
  const parts: TextPart[] = [];
  let at = 0;
  for (const [from, to] of hits) {
    if (to <= at) continue;
    const start = Math.max(from, at);
    if (start > at) parts.push({ text: text.slice(at, start), hit: false });
    parts.push({ text: text.slice(start, to), hit: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), hit: false });
  return parts;
}

function findMatches(text: string, word: string): [number, number][] {
  const found: [number, number][] = [];
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + word.length))
    found.push([at, at + word.length]);
  return found;
}
