import { createBatchPlatform } from '../../../../src/actions/bulk/batch-platform.ts';
import type {
  Batch,
  BatchEvent,
  BatchHeader,
  BatchOptions,
  BatchPacing,
  BatchStatus,
  BatchTotals,
  BatchConnection,
  RowResult,
  RowState,
  DataRow,
} from '../../../../src/actions/bulk/batch.ts';
import { rowStates } from '../../../../src/actions/bulk/batch.ts';
import {
  createData,
  dataFileExtensions,
  formatRows,
  openDataFile,
} from '../../../../src/actions/bulk/data/open-data.ts';
import { readJournalSummary, type JournalSummary } from '../../../../src/actions/bulk/journal-reader.ts';
import { createBatch, resumeBatch, runAgain } from '../../../../src/actions/bulk/open-batch.ts';
import { formatResults } from '../../../../src/actions/bulk/results.ts';
import { validateBatch, type Validation, type ValidationOptions } from '../../../../src/actions/bulk/validate-batch.ts';

export {
  createBatch,
  createBatchPlatform,
  createData,
  dataFileExtensions,
  formatResults,
  formatRows,
  openDataFile,
  readJournalSummary,
  resumeBatch,
  rowStates,
  runAgain,
  validateBatch,
};
export type {
  Batch,
  BatchConnection,
  BatchEvent,
  BatchHeader,
  BatchOptions,
  BatchPacing,
  BatchStatus,
  BatchTotals,
  DataRow,
  JournalSummary,
  RowResult,
  RowState,
  Validation,
  ValidationOptions,
};
