/** Pure: a view that follows the active connection, as long as it is not narrowed to what belongs to one. */
import { wordFilters, type Filters, type ViewState } from '../webviews/protocol-logs.ts';

/** Ids and addresses belong to the connection that they were chosen on. */
function isNarrowed(filters: Filters): boolean {
  return (
    filters.organizations.length > 0 ||
    filters.actions !== undefined ||
    wordFilters.some((name) => name !== 'status' && filters[name] !== undefined)
  );
}

/** The state when `active` has become the active connection; the same one where nothing changes. */
export function followed(state: ViewState, active: string | undefined): ViewState {
  const { filters, mode, following } = state;
  const [first] = filters.connections;
  if (active === undefined || mode === 'history' || first === active) return state;
  if (first !== undefined && (following !== true || isNarrowed(filters))) return state;
  return { ...state, following: true, filters: { ...filters, connections: [active] } };
}

/** Follows from now on: what belongs to other connections goes. */
export function unpinned(state: ViewState, active: string | undefined): ViewState {
  const { connections, organizations, status, range, from, to } = state.filters;
  const stays = connections.length === 1 && (active === undefined || connections[0] === active);
  if (stays) return { ...state, following: true };
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
