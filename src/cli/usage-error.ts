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
    super(list[0]?.message ?? 'The command line makes no sense');
    this.problems = list;
    this.isAboutReport = isAboutReport;
  }
}

/** Parses the number of an option. Throws UsageError for anything but a whole number from `min` to `max`. */
export function parseCount(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${option} is a whole number from ${String(min)} to ${String(max)}`);
}

/** Parses the seconds of an option to milliseconds. Throws UsageError. */
export function parseSeconds(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0 || value > 86_400) throw new UsageError(`${option} is a number of seconds`);
  return value * 1000;
}
