import type { LogRow } from '../../../protocol/logs.ts';
import { formatStatus } from '../../../../model/text/status.ts';
import { getTone } from '../header/histogram.ts';

/** Fields of which a search can choose values. */
export const facets = ['status', 'action', 'signer', 'template'] as const;
export type Facet = (typeof facets)[number];

/** The values of a row in a field. A status that is not known is `other`. */
export function getFacetValues({ status, alias, action, signer, templates }: LogRow, facet: Facet): readonly string[] {
  if (facet === 'template') return templates ?? [];
  const value = { status: getTone(status), action: alias === '' ? action : alias, signer }[facet];
  return value === '' ? [] : [value];
}

/** `status:failed`, or `-status:failed` for all others. */
interface FacetTerm {
  readonly facet: Facet;
  readonly excluded: boolean;
  /** in lower case, without quotes */
  readonly value: string;
}

export interface SearchQuery {
  readonly empty: boolean;
  readonly terms: readonly string[];
  readonly facetTerms: readonly FacetTerm[];
  /** True if a text in lower case contains every term. */
  matches(text: string): boolean;
  /** True if a row has a chosen value of each field, and no excluded one. `ignored`: a field that is not compared. */
  matchesFacets(row: LogRow, ignored?: Facet): boolean;
  /** True if rows with these values of a field match. */
  includesValue(facet: Facet, ...values: readonly string[]): boolean;
}

const TERM = /(-?)(status|action|signer|template):(?:"([^"]*)"|(\S+))|"([^"]+)"|(\S+)/gi;

/**
 * Parses a search text: terms separated by spaces, `"quoted terms"` with spaces, and fields: `status:failed`, `-status:pending`,
 * `action:"Check in"`. Several values of one field are alternatives.
 */
export function parseSearch(text: string): SearchQuery {
  const terms: string[] = [];
  const facetTerms: FacetTerm[] = [];
  for (const [, minus, name, quotedValue, value, quoted, plain] of text.toLowerCase().matchAll(TERM)) {
    const facet = facets.find((known) => known === name);
    if (facet === undefined) terms.push(quoted ?? plain ?? '');
    else facetTerms.push({ facet, excluded: minus === '-', value: quotedValue ?? value ?? '' });
  }
  const includesValue = (facet: Facet, ...values: readonly string[]): boolean => {
    const own = facetTerms.filter((term) => term.facet === facet);
    if (own.length === 0) return true;
    const normalized = values.map(normalizeValue);
    const chosen = own.filter(({ excluded }) => !excluded);
    return (
      !own.some(({ excluded, value }) => excluded && normalized.includes(value)) &&
      (chosen.length === 0 || chosen.some(({ value }) => normalized.includes(value)))
    );
  };
  const [only] = terms;
  return {
    empty: terms.length === 0 && facetTerms.length === 0,
    terms,
    facetTerms,
    matchesFacets: (row, ignored) =>
      facetTerms.length === 0 ||
      facets.every((facet) => facet === ignored || includesValue(facet, ...getFacetValues(row, facet))),
    includesValue,
    matches:
      terms.length === 1 && only !== undefined
        ? (candidate) => candidate.includes(only)
        : (candidate) => terms.every((term) => candidate.includes(term)),
  };
}

// A search text cannot contain quotes.
function normalizeValue(value: string): string {
  return value.replaceAll('"', '').toLowerCase();
}

/** True if a search chooses a value; `excluded`: if it excludes it. */
export function hasFacetTerm({ facetTerms }: SearchQuery, facet: Facet, value: string, excluded = false): boolean {
  const normalized = normalizeValue(value);
  return facetTerms.some((term) => term.facet === facet && term.excluded === excluded && term.value === normalized);
}

/** Returns a search text with the term of a value added, or without it if it has it. */
export function toggleFacetTerm(text: string, facet: Facet, value: string, excluded = false): string {
  const sign = excluded ? '-' : '';
  if (!hasFacetTerm(parseSearch(text), facet, value, excluded)) {
    const plain = value.replaceAll('"', '');
    return `${text.trim()} ${sign}${facet}:${/\s/.test(plain) || plain === '' ? `"${plain}"` : plain}`.trim();
  }
  const normalized = normalizeValue(value);
  return text
    .replace(TERM, (term: string, minus?: string, name?: string, quotedValue?: string, plainValue?: string) =>
      minus === sign && name?.toLowerCase() === facet && (quotedValue ?? plainValue ?? '').toLowerCase() === normalized
        ? ''
        : term,
    )
    .replace(/\s+/g, ' ')
    .trim();
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
    templateName = '',
  } = row;
  return `${status} ${formatStatus(status)} ${action} ${alias} ${signer} ${signerLabel} ${objects.join(' ')} ${objectName} ${fee} ${batch} ${id} ${message} ${connection} ${templateName}`.toLowerCase();
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
