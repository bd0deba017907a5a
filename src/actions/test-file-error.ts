/** Why an action, suite or expectation file is not run: each reason with its place. */

export interface PlacedProblem {
  /** a sentence without the full stop */
  readonly message: string;
  /** from 1, as `column` */
  readonly line: number;
  readonly column: number;
}

/** Thrown before anything is sent. `path` is absent where only a text was given. */
export class TestFileError extends Error {
  override readonly name = 'TestFileError';
  readonly problems: readonly PlacedProblem[];
  readonly path: string | undefined;

  constructor(problems: readonly PlacedProblem[], path?: string) {
    const [first] = problems;
    const place = `${path === undefined ? 'line ' : `${path}:`}${String(first?.line ?? 1)}:${String(first?.column ?? 1)}`;
    const more = problems.length > 1 ? ` (and ${String(problems.length - 1)} more)` : '';
    super(`${place}: ${first?.message ?? 'not understood'}${more}`);
    this.problems = problems;
    this.path = path;
  }
}
