/** A reason why nothing was sent. */
export interface UsageProblem {
  /** `path:line:column`, for a problem of a file */
  readonly location?: string;
  readonly path?: string;
  /** a sentence */
  readonly message: string;
}

/** A wrong command line or file, or a missing permission; nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly problems: readonly UsageProblem[];
  readonly isAboutReport: boolean;

  constructor(problems: string | readonly UsageProblem[], { isAboutReport = false } = {}) {
    const list = typeof problems === 'string' ? [{ message: problems }] : problems;
    super(list[0]?.message ?? 'The command line is invalid');
    this.problems = list;
    this.isAboutReport = isAboutReport;
  }
}
