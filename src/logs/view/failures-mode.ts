import type { Filters, ViewState } from '../../webviews/protocol/logs.ts';

/** True if only failures are read, and all of them: for their groups, and for the entries of one group. */
export function showsFailures({ mode, failure }: Pick<ViewState, 'mode' | 'failure'>): boolean {
  return mode === 'failures' || failure !== undefined;
}

/** Returns the filters of the user that are in effect: all but the status while failures are shown. */
export function getActiveFilters(state: Pick<ViewState, 'mode' | 'failure' | 'filters'>): Filters {
  if (!showsFailures(state)) return state.filters;
  const { status: _status, ...others } = state.filters;
  return others;
}
