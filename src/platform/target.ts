/** Where requests go and how they are presented: a connection without its editor, and the URLs built from it. */
import { PlatformError } from './errors.ts';
import type { AnyQuery, DateRange, Operation, Parameter } from './operation.ts';
import { nameOf } from './operation.ts';

/** How a date stands in a query: the contract does not say. */
export const dateFormats = ['iso8601', 'date', 'unixSeconds', 'unixMilliseconds'] as const;
export type DateFormat = (typeof dateFormats)[number];

export interface Presentation {
  readonly tokenHeader: string;
  /** with the space that follows it, if one does */
  readonly tokenPrefix: string;
  readonly apiKeyHeader: string;
}

export interface QueryWords {
  readonly ascending: string;
  readonly descending: string;
  readonly flag: string;
  readonly dateFormat: DateFormat;
}

export const defaultPresentation: Presentation = {
  tokenHeader: 'Authorization',
  tokenPrefix: 'Bearer ',
  apiKeyHeader: 'x-api-key',
};
export const defaultQueryWords: QueryWords = {
  ascending: 'asc',
  descending: 'desc',
  flag: 'true',
  dateFormat: 'iso8601',
};

/** What `POST /wallets` and the invite present: the contract does not say. */
export const walletCredentials = ['none', 'credential'] as const;
export type WalletCredential = (typeof walletCredentials)[number];

export interface Target {
  /** the connection's name, for messages */
  readonly name: string;
  /** http(s), without query, fragment and userinfo */
  readonly baseUrl: string;
  readonly presentation: Presentation;
  readonly words: QueryWords;
  /** default `none` */
  readonly wallets?: WalletCredential;
  /** 1 to 100; absent: the server's own default */
  readonly pageSize?: number;
}

/** What identifies the caller. Any part may be absent. */
export interface Credential {
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

/** The request headers that present a credential, and their lower-case names. */
export function credentialHeaders(target: Target, credential: Credential | undefined): Record<string, string> {
  const { tokenHeader, tokenPrefix, apiKeyHeader } = target.presentation;
  return {
    ...(credential?.apiKey !== undefined && { [apiKeyHeader]: credential.apiKey }),
    ...(credential?.accessToken !== undefined && { [tokenHeader]: tokenPrefix + credential.accessToken }),
  };
}

/**
 * The address of an operation. Throws PlatformError `badRequest` (not sent) for a path value that is empty or a dot
 * segment, since URL parsers would walk up with it, escaped or not.
 */
export function urlOf(target: Target, row: Operation, path: Readonly<Record<string, string>>, query: AnyQuery): URL {
  const filled = row.path.replace(/\{(\w+)\}/g, (_all, name: string) => pathValue(row, name, path[name]));
  const url = new URL(target.baseUrl.replace(/(?<!\/)\/+$/, '') + filled);
  for (const [name, parameter] of Object.entries(row.query)) {
    const value = query[name];
    if (value !== undefined) appendValue(url.searchParams, name, parameter, value, target.words);
  }
  return url;
}

function pathValue(row: Operation, name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..') {
    throw new PlatformError(
      'badRequest',
      `${value === undefined || value === '' ? 'No' : 'Not a'} ${name} to ask for`,
      {
        operation: nameOf(row),
        sent: false,
      },
    );
  }
  return encodeURIComponent(value.toWellFormed());
}

function appendValue(
  search: URLSearchParams,
  name: string,
  parameter: Parameter,
  value: Exclude<AnyQuery[string], undefined>,
  words: QueryWords,
): void {
  if (parameter.type === 'dates') {
    if (typeof value !== 'object') return;
    for (const bound of ['gt', 'gte', 'lt', 'lte'] as const) {
      const at = value[bound];
      if (at !== undefined) search.append(`${name}[$${bound}]`, dateText(at, words.dateFormat));
    }
  } else if (typeof value === 'object') {
    return;
  } else if (parameter.type === 'flag') {
    if (value === true) search.append(name, words.flag);
    else if (parameter.beside !== true) search.append(name, words.flag === '1' ? '0' : 'false');
  } else if (parameter.type === 'order') {
    search.append(name, value === 'ascending' ? words.ascending : words.descending);
  } else {
    search.append(name, String(value));
  }
}

function dateText(at: NonNullable<DateRange['gt']>, format: DateFormat): string {
  const date = at instanceof Date ? at : new Date(at);
  // What is no date is the server's to refuse: it knows its formats better than we do.
  if (Number.isNaN(date.getTime())) return String(at);
  switch (format) {
    case 'iso8601':
      // A caller's own text may be finer than a millisecond.
      return typeof at === 'string' && /\dZ$/.test(at) ? at : date.toISOString();
    case 'date':
      return date.toISOString().slice(0, 10);
    case 'unixSeconds':
      return String(Math.floor(date.getTime() / 1000));
    case 'unixMilliseconds':
      return String(date.getTime());
  }
}
