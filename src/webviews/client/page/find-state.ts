import type { PageObjectState } from '../../protocol/page.ts';

/** The place of a state after the history was read again; -1 if it is gone. Older states that were loaded move the others. */
export function findState(states: readonly PageObjectState[], state: PageObjectState | undefined): number {
  return states.findLastIndex(({ root }) => root === state?.root);
}
