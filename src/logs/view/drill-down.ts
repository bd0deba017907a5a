import type { ViewState } from '../../webviews/protocol/logs.ts';
import { isNarrowed } from './follow-active.ts';

/** Returns the state as the user's own, to be stored, once nothing that a drill-down filters by is left. */
export function endDrillDown(state: ViewState): ViewState {
  const { drillDown, filters, text, failure } = state;
  const isFiltered = isNarrowed(filters) || filters.status !== undefined || filters.range !== 'latest';
  return drillDown !== true || isFiltered || text !== '' || failure !== undefined
    ? state
    : { ...state, drillDown: undefined };
}

/** Returns a state that includes what happens now: without a period that has ended, a group of failures and a selection in the histogram. */
export function toPresent(state: ViewState): ViewState {
  const { failure: _failure, brush: _brush, ...rest } = state;
  const { from: _from, to, ...filters } = rest.filters;
  return to === undefined ? rest : { ...rest, filters: { ...filters, range: 'latest' } };
}
