import type { AnyQuery } from '../../platform/operation.ts';
import type { DateFormat } from '../../platform/target.ts';
import type { Filters } from '../../webviews/protocol/logs.ts';

/** One list of action logs to follow. */
export interface Stream {
  readonly connection: string;
  readonly query: AnyQuery;
}

/**
 * Makes a stream for each connection, organization and action. An organization applies to the connections that have it;
 * if none is known to have it, it applies to all.
 */
export function getStreams(
  filters: Filters,
  hasOrganization: (connection: string, organization: string) => boolean = () => false,
): readonly Stream[] {
  const { status, signer, wallet, object, batch } = filters;
  const shared: AnyQuery = {
    ...(status !== undefined && { status }),
    ...(signer !== undefined && { signer }),
    ...(wallet !== undefined && { wallet_id: wallet }),
    ...(object !== undefined && { object_id: object }),
    ...(batch !== undefined && { batch_id: batch }),
  };
  const getOrganizationQueries = (connection: string): AnyQuery[] => {
    const own = filters.organizations.filter(
      (id) => hasOrganization(connection, id) || !filters.connections.some((other) => hasOrganization(other, id)),
    );
    return own.length === 0 ? [{}] : own.map((id) => ({ org_id: id }));
  };
  const actions = filters.actions ?? (filters.action === undefined ? [] : [filters.action]);
  const byAction: AnyQuery[] = actions.length === 0 ? [{}] : actions.map((id) => ({ action_id: id }));
  return filters.connections.flatMap((connection) =>
    getOrganizationQueries(connection).flatMap((organization) =>
      byAction.map((action) => ({ connection, query: { ...organization, ...shared, ...action } })),
    ),
  );
}

/** Beginning and end of a preset, in milliseconds since the epoch. `started`: when this window was opened. */
export function getBounds(
  filters: Filters,
  now: number,
  started: number,
): { readonly from?: number; readonly to?: number } {
  switch (filters.range) {
    case 'latest':
      return {};
    case 'hour':
      return { from: now - 3_600_000 };
    case 'today':
      return { from: new Date(now).setHours(0, 0, 0, 0) };
    case 'session':
      return { from: started };
    case 'between':
      return {
        ...(filters.from !== undefined && { from: filters.from }),
        ...(filters.to !== undefined && { to: filters.to }),
      };
  }
}

/** Parses a typed date and time, local unless it names a zone. Returns milliseconds since the epoch, or NaN. */
export function parseTypedTime(typed: string): number {
  const text = typed.trim().replace(' ', 'T');
  // Date.parse reads a date without a time as UTC.
  const time = Date.parse(/^\d{4}(-\d\d){0,2}$/.test(text) ? `${text}T00:00` : text);
  return time >= 0 ? time : NaN;
}

/** Resolution of a date format in milliseconds. */
export function getDateResolution(format: DateFormat): number {
  switch (format) {
    case 'iso8601':
    case 'unixMilliseconds':
      return 1;
    case 'unixSeconds':
      return 1000;
    case 'date':
      return 86_400_000;
  }
}

/** True if two filters request the same entries. */
export function isSameFilters(a: Filters, b: Filters): boolean {
  return JSON.stringify(sortFilters(a)) === JSON.stringify(sortFilters(b));
}

function sortFilters(filters: Filters): unknown {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
