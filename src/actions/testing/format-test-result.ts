import * as l10n from '@vscode/l10n';
import {
  formatDuration,
  formatLine,
  formatOutcome,
  formatRunState,
  type RunRecord,
} from '../../model/runs/run-record.ts';
import { formatPair } from '../../platform/text/localization.ts';
import type { Mismatch } from './expectation.ts';
import type { TestCase } from './test-cases.ts';

/** Formats the result of a test case as one line: `ok    mint: completed (1.2 s)`. */
export function formatTestResult({ name }: TestCase, run: RunRecord, mismatches: readonly Mismatch[]): string {
  const duration = formatDuration((run.ended ?? run.started) - run.started);
  return `${mismatches.length === 0 ? 'ok   ' : 'FAIL '} ${name}: ${formatRunState(run)} (${duration})`;
}

/** Formats a test case as lines: its outcome, then each mismatch, so that a failed test does not end with `completed`. */
export function formatTestOutput(
  { name }: TestCase,
  run: RunRecord,
  mismatches: readonly Mismatch[],
): readonly string[] {
  return [
    formatLine(`${formatPair(name, formatOutcome(run))}. ${run.reason ?? ''}`, 2000),
    ...mismatches.map((mismatch) => `✗ ${formatMismatch(mismatch)}`),
  ];
}

/** Formats a mismatch as one line without a full stop. */
export function formatMismatch({ path, expected, actual }: Mismatch): string {
  return l10n.t('{0}: expected {1}, got {2}', path, formatLine(expected, 300), formatLine(actual, 600));
}
