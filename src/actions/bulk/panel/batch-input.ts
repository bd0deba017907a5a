import * as l10n from '@vscode/l10n';
import { formatPair } from '../../../platform/text/localization.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import { MAX_DATA_COLUMNS, type DataColumn } from '../../../webviews/protocol/bulk.ts';
import { parseActionFile, type ActionFile } from '../../file/action-file.ts';
import type { BatchData, RowFinding } from '../batch.ts';
import { setTypes } from '../data/open-data.ts';
import { selectRows } from '../data/select-rows.ts';
import { describeColumns } from '../rows/row-variables.ts';
import { validateBatch, type Validation, type ValidationOptions } from '../validate-batch.ts';
import { MAX_CELL_LENGTH, readCells, selectRowChecks, type RowCheck } from './format-row.ts';
import type { StoredBatch } from './panel-storage.ts';

/** The action and the data of a panel's batch as they were last read, and what the check found in them. */
export class BatchInput {
  /** the text of the action */
  text: string;
  file: ActionFile;
  data: BatchData | undefined;
  /** the columns that are shown */
  columns: readonly DataColumn[] = [];
  validation: Validation | undefined;
  /** rows that the check under way is done with */
  checkedRows = 0;

  constructor(text: string) {
    this.text = text;
    this.file = parseActionFile(text);
  }

  /** Resolves to the cells of all rows as they are shown. Rejects with Error, for users. */
  async read(
    { action, types }: StoredBatch,
    openData: (signal: AbortSignal) => Promise<BatchData>,
    signal: AbortSignal,
  ): Promise<readonly (readonly string[])[]> {
    this.text = action.text;
    this.file = parseActionFile(action.text);
    const [problem] = this.file.problems;
    if (problem !== undefined) throw new Error(formatPair(action.name, problem.message));
    const data = setTypes(await openData(signal), types);
    const cells = await readCells(data, signal);
    signal.throwIfAborted();
    this.data = data;
    this.columns = describeColumns(this.file, data)
      .slice(0, MAX_DATA_COLUMNS)
      .map((columnTypes, index) => ({
        label: toPlainText(data.columns[index] ?? '', MAX_CELL_LENGTH),
        ...columnTypes,
      }));
    this.validation = undefined;
    return cells;
  }

  /** Checks rows by their numbers. Resolves to what is shown of those with findings. Rejects with Error if the data changed. */
  async check(
    name: string,
    numbers: readonly number[],
    options: Omit<ValidationOptions, 'action' | 'data' | 'onProgress'>,
    onProgress: () => void,
  ): Promise<ReadonlyMap<number, RowCheck>> {
    if (this.data === undefined) return new Map<number, RowCheck>();
    const validation = await validateBatch({
      ...options,
      action: { name, file: this.file },
      data: selectRows(this.data, new Set(numbers)),
      onProgress: (count) => {
        this.checkedRows = count;
        onProgress();
      },
    });
    options.signal.throwIfAborted();
    this.validation = validation;
    return selectRowChecks(validation.findings);
  }

  /** Findings about the data as a whole, or of one row. */
  getFindings(row?: number): readonly RowFinding[] {
    return (this.validation?.findings ?? []).filter((finding) => finding.row === row);
  }

  /** Cells of a row as they are in the data. Rejects with Error if the data changed. */
  async readCells(number: number): Promise<readonly unknown[]> {
    for await (const row of this.data?.read() ?? []) if (row.number === number) return row.cells;
    throw new Error(l10n.t('The data has no row {0}', number));
  }
}
