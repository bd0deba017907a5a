import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';

interface PlacedProblem {
  /** a sentence without the full stop */
  readonly message: string;
  /** from 1, as `column` */
  readonly line: number;
  readonly column: number;
}

/** Problems of an action, suite or expectation file, which is not run. `path` is absent for a text without a file. */
export class TestFileError extends Error {
  override readonly name = 'TestFileError';
  readonly problems: readonly PlacedProblem[];
  readonly path: string | undefined;

  constructor(problems: readonly PlacedProblem[], path?: string) {
    const [first] = problems;
    const { line, column, message } = first ?? { line: 1, column: 1, message: l10n.t('The file could not be read') };
    const text =
      path === undefined
        ? l10n.t('Line {0}, column {1}: {2}', line, column, message)
        : `${path}:${String(line)}:${String(column)}: ${message}`;
    super(problems.length > 1 ? l10n.t('{0} (and {1} more)', text, formatNumber(problems.length - 1)) : text);
    this.problems = problems;
    this.path = path;
  }
}
