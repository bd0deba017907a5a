/** Pure: what a view's filters ask of the server: one stream for each connection, organization and action. */
import type { AnyQuery } from '../platform/operation.ts';
import type { DateFormat } from '../platform/target.ts';
import type { Filters } from '../webviews/protocol-logs.ts';

/** One thing to follow: its entries come from one list with one query. */
export interface Stream {
  readonly connection: string;
  readonly query: AnyQuery;
}

/**
 * `knows`: whether a connection has an organization. One that only some of the connections have is asked of those, and
 * narrows no other; one that none is known to have is asked of all.
 */
export function streamsOf(
  filters: Filters,
  knows: (connection: string, organization: string) => boolean = () => false,
): readonly Stream[] {
  const { status, signer, wallet, object, batch } = filters;
  const shared: AnyQuery = {
    ...(status !== undefined && { status }),
    ...(signer !== undefined && { signer }),
    ...(wallet !== undefined && { wallet_id: wallet }),
    ...(object !== undefined && { object_id: object }),
    ...(batch !== undefined && { batch_id: batch }),
  };
  const organizationsOf = (connection: string): AnyQuery[] => {
    const own = filters.organizations.filter(
      (id) => knows(connection, id) || !filters.connections.some((other) => knows(other, id)),
    );
    return own.length === 0 ? [{}] : own.map((id) => ({ org_id: id }));
  };
  const actions = filters.actions ?? (filters.action === undefined ? [] : [filters.action]);
  const byAction: AnyQuery[] = actions.length === 0 ? [{}] : actions.map((id) => ({ action_id: id }));
  return filters.connections.flatMap((connection) =>
    organizationsOf(connection).flatMap((organization) =>
      byAction.map((action) => ({ connection, query: { ...organization, ...shared, ...action } })),
    ),
  );
}

/** Where a preset begins and ends, in milliseconds since the epoch; `started`: when this window began. */
export function boundsOf(
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

/** Milliseconds since the epoch of what a person typed, in this machine's zone where it names none; NaN if it is no moment. */
export function momentOf(typed: string): number {
  const text = typed.trim().replace(' ', 'T');
  // By itself a date is one of UTC.
  const time = Date.parse(/^\d{4}(-\d\d){0,2}$/.test(text) ? `${text}T00:00` : text);
  return time >= 0 ? time : NaN;
}

/** Milliseconds that a form of dates tells apart. */
export function grainOf(format: DateFormat): number {
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

/** The same list of entries: another text or selection leaves what is loaded alone. */
export function sameFilters(a: Filters, b: Filters): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(filters: Filters): unknown {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
