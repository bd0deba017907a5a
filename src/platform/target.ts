/** The part of a connection that requests need, and the URLs built from it. */
import * as l10n from '@vscode/l10n';
import { PlatformError } from './errors.ts';
import type { CredentialHeaderNames } from './http/credential-headers.ts';
import type { AnyQuery, DateRange, Operation, Parameter } from './operation.ts';

/** Formats of dates in queries. The contract does not show which one a deployment uses. */
export const dateFormats = ['iso8601', 'date', 'unixSeconds', 'unixMilliseconds'] as const;
export type DateFormat = (typeof dateFormats)[number];

interface QueryFormat {
  readonly ascending: string;
  readonly descending: string;
  readonly flag: string;
  readonly dateFormat: DateFormat;
}

export const defaultQueryFormat: QueryFormat = {
  ascending: 'asc',
  descending: 'desc',
  flag: 'true',
  dateFormat: 'iso8601',
};

/** Whether `POST /wallets` and the invite present the credential. The contract does not show it. */
export const walletCredentials = ['none', 'credential'] as const;
type WalletCredential = (typeof walletCredentials)[number];

export interface Target {
  /** the connection's name, for messages */
  readonly name: string;
  /** http(s), without query, fragment and userinfo */
  readonly baseUrl: string;
  readonly credentialHeaderNames: CredentialHeaderNames;
  readonly queryFormat: QueryFormat;
  /** default `none` */
  readonly wallets?: WalletCredential;
  /** 1 to 100; absent: the server's own default */
  readonly pageSize?: number;
}

/**
 * The URL of an operation. Throws PlatformError `badRequest` (not sent) for a path value that is empty or a dot segment:
 * URL parsers resolve dot segments even if escaped.
 */
export function buildUrl(
  target: Target,
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: AnyQuery,
): URL {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => formatPathValue(name, path[name]));
  // The URL is parsed once, with its query: to append to that of a `URL` took 25 µs more between requests, with cold caches.
  const search = new URLSearchParams();
  for (const [name, parameter] of Object.entries(operation.query)) {
    const value = query[name];
    if (value !== undefined) appendValue(search, name, parameter, value, target.queryFormat);
  }
  const url = target.baseUrl.replace(/(?<!\/)\/+$/, '') + filled;
  return new URL(search.size === 0 ? url : `${url}?${search.toString()}`);
}

function formatPathValue(name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..') {
    throw new PlatformError(
      'badRequest',
      value === undefined || value === ''
        ? l10n.t('{0} is missing', name)
        : l10n.t('The value of {0} is not valid', name),
      { sent: false },
    );
  }
  return encodeURIComponent(value.toWellFormed());
}

function appendValue(
  search: URLSearchParams,
  name: string,
  parameter: Parameter,
  value: Exclude<AnyQuery[string], undefined>,
  format: QueryFormat,
): void {
  if (parameter.type === 'dates') {
    if (typeof value !== 'object') return;
    for (const bound of ['gt', 'gte', 'lt', 'lte'] as const) {
      const at = value[bound];
      if (at !== undefined) search.append(`${name}[$${bound}]`, formatDate(at, format.dateFormat));
    }
  } else if (typeof value === 'object') {
    return;
  } else if (parameter.type === 'flag') {
    if (value === true) search.append(name, format.flag);
    else if (parameter.addsFields !== true) search.append(name, format.flag === '1' ? '0' : 'false');
  } else if (parameter.type === 'order') {
    search.append(name, value === 'ascending' ? format.ascending : format.descending);
  } else {
    search.append(name, String(value));
  }
}

function formatDate(at: NonNullable<DateRange['gt']>, format: DateFormat): string {
  const date = at instanceof Date ? at : new Date(at);
  // Other text is sent unchanged: the server may know formats that we do not.
  if (Number.isNaN(date.getTime())) return String(at);
  switch (format) {
    case 'iso8601':
      // Text may be more precise than a millisecond.
      return typeof at === 'string' && /\dZ$/.test(at) ? at : date.toISOString();
    case 'date':
      return date.toISOString().slice(0, 10);
    case 'unixSeconds':
      return String(Math.floor(date.getTime() / 1000));
    case 'unixMilliseconds':
      return String(date.getTime());
  }
}
