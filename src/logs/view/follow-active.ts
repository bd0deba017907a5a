import { textFilters, type Filters, type ViewState } from '../../webviews/protocol/logs.ts';

/** True if a filter belongs to one connection: ids and addresses mean nothing on another. */
export function isNarrowed(filters: Filters): boolean {
  return (
    filters.organizations.length > 0 ||
    filters.actions !== undefined ||
    textFilters.some((name) => name !== 'status' && filters[name] !== undefined)
  );
}

/** Returns the state after `active` became the active connection; the same object if nothing changes. */
export function followActiveConnection(state: ViewState, active: string | undefined): ViewState {
  const { filters, following } = state;
  const [first] = filters.connections;
  if (active === undefined || first === active) return state;
  if (first !== undefined && (following !== true || isNarrowed(filters))) return state;
  return { ...state, following: true, filters: { ...filters, connections: [active] } };
}

/** Returns a state that follows the active connection; filters that belong to another connection are dropped. */
export function unpin(state: ViewState, active: string | undefined): ViewState {
  const { connections, organizations, status, range, from, to } = state.filters;
  const isUnchanged = connections.length === 1 && (active === undefined || connections[0] === active);
  if (isUnchanged) return { ...state, following: true };
  const filters: Filters = {
    connections: active === undefined ? connections.slice(0, 1) : [active],
    organizations: active === undefined ? organizations : [],
    range,
    ...(status !== undefined && { status }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  return { ...state, following: true, filters };
}
