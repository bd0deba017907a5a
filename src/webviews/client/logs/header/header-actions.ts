import type { FilterChoice, Filters, ViewState } from '../../../protocol/logs.ts';
import type { Brush } from '../table/rows-model.ts';

/** What the controls of the page do. */
export interface HeaderActions {
  readonly filter: (filters: Filters) => void;
  readonly addFilter: (what?: FilterChoice) => void;
  readonly mode: (mode: ViewState['mode']) => void;
  readonly pause: (paused: boolean) => void;
  readonly pin: (pinned: boolean) => void;
  readonly retry: () => void;
  readonly unbrush: () => void;
  readonly failure: (group: string | undefined) => void;
  readonly run: (what: 'export' | 'copyLink') => void;
  readonly command: (id: 'signIn' | 'addConnection' | 'startSandbox', connection?: string) => void;
}

/** Counts of the rows model. */
export interface RowCounts {
  readonly loaded: number;
  readonly visible: number;
  /** not all loaded rows are shown */
  readonly filtered: boolean;
  readonly brush: Brush | undefined;
}
