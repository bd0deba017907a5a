/** Findings of an action file, with their fixes. */
import type { Span } from './action-file.ts';
import type { TypeConflict } from './field-types.ts';
import type { Edit } from './json-edits.ts';

/** An edit of the file that removes the cause of a finding. */
export interface Fix {
  readonly title: string;
  /** computed when the fix is applied: an edit can be as long as the file */
  readonly edits: () => readonly Edit[];
  readonly preferred?: boolean;
}

/** `error` alone blocks sending. */
export type Severity = 'error' | 'warning' | 'information';

/** Something in a file that is wrong, or looks wrong. */
export interface Finding extends Span {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly fixes: readonly Fix[];
  /** the field of the action that is missing */
  readonly field?: string;
  /** of `fieldType` */
  readonly conflict?: TypeConflict;
}

/** Findings that are reported of one file. */
export const MAX_FINDINGS = 200;

/** Collects findings up to `MAX_FINDINGS`. */
export class Findings {
  readonly list: Finding[] = [];

  /** True once further findings are ignored. */
  get isFull(): boolean {
    return this.list.length >= MAX_FINDINGS;
  }

  /** Adds one, unless the list is full. An empty span becomes one character long. */
  add(
    { offset, length }: Span,
    code: string,
    severity: Severity,
    message: string,
    fixes: readonly Fix[] = [],
    field?: string,
  ): void {
    const finding = { code, severity, message, offset, length: Math.max(length, 1), fixes };
    if (!this.isFull) this.list.push({ ...finding, ...(field !== undefined && { field }) });
  }
}
