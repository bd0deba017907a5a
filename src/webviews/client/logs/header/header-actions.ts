import type { FilterChoice, logsProtocol } from '../../../protocol/logs.ts';
import type { Post } from '../../host-connection.ts';
import type { Brush } from '../table/rows-model.ts';

export type LogsPost = Post<typeof logsProtocol>;

/** What the controls of the header do. */
export interface HeaderActions {
  readonly post: LogsPost;
  readonly addFilter: (what?: FilterChoice) => void;
  readonly unbrush: () => void;
  /** exports the shown entries */
  readonly export: () => void;
}

/** Counts of the rows model. */
export interface RowCounts {
  readonly loaded: number;
  readonly visible: number;
  /** not all loaded rows are shown */
  readonly filtered: boolean;
  readonly brush: Brush | undefined;
}
