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
    const place = `${path === undefined ? 'line ' : `${path}:`}${String(first?.line ?? 1)}:${String(first?.column ?? 1)}`;
    const more = problems.length > 1 ? ` (and ${String(problems.length - 1)} more)` : '';
    super(`${place}: ${first?.message ?? 'not understood'}${more}`);
    this.problems = problems;
    this.path = path;
  }
}
