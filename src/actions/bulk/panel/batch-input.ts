import { formatPair } from '../../../platform/text/localization.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import { MAX_DATA_COLUMNS, type DataColumn } from '../../../webviews/protocol/bulk.ts';
import { parseActionFile, type ActionFile } from '../../file/action-file.ts';
import type { BatchData, RowFinding } from '../batch.ts';
import { setTypes } from '../data/open-data.ts';
import { describeColumns } from '../rows/row-variables.ts';
import { validateBatch, type Validation, type ValidationOptions } from '../validate-batch.ts';
import { MAX_CELL_LENGTH, selectRowChecks, type RowCheck } from './format-row.ts';
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

  /** Resolves with the data. Rejects with Error, for users. */
  async read(
    { action, types }: StoredBatch,
    openData: (signal: AbortSignal) => Promise<BatchData>,
    signal: AbortSignal,
  ): Promise<BatchData> {
    this.text = action.text;
    this.file = parseActionFile(action.text);
    const [problem] = this.file.problems;
    if (problem !== undefined) throw new Error(formatPair(action.name, problem.message));
    const data = setTypes(await openData(signal), types);
    signal.throwIfAborted();
    this.data = data;
    this.columns = describeColumns(this.file, data)
      .slice(0, MAX_DATA_COLUMNS)
      .map((columnTypes, index) => ({
        label: toPlainText(data.columns[index] ?? '', MAX_CELL_LENGTH),
        ...columnTypes,
      }));
    this.validation = undefined;
    return data;
  }

  /** Checks rows by their numbers. Resolves to what is shown of those with findings. Rejects with Error if `options.signal` is aborted. */
  async check(
    name: string,
    numbers: readonly number[],
    options: Omit<ValidationOptions, 'action' | 'data' | 'onProgress'>,
    onProgress: () => void,
  ): Promise<ReadonlyMap<number, RowCheck>> {
    const { data } = this;
    if (data === undefined) return new Map<number, RowCheck>();
    const chosen = new Set(numbers);
    const validation = await validateBatch({
      ...options,
      action: { name, file: this.file },
      data: { ...data, rows: data.rows.filter(({ number }) => chosen.has(number)) },
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
}
