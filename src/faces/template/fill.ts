/** Fills the Go-template placeholders of a face from an object (pure). For now a passthrough that only finds them. */

/** A placeholder that stays as it stands, and where: line and column from 1, in the source. */
export interface Unresolved {
  readonly placeholder: string;
  readonly line: number;
  readonly column: number;
  /** why, in words */
  readonly reason: string;
}

export interface Filled {
  readonly text: string;
  readonly unresolved: readonly Unresolved[];
}

const MOST = 500;

/** `data` is the object's JSON, or undefined where none is chosen. Never throws. */
export function fillTemplate(source: string, data: unknown): Filled {
  const unresolved: Unresolved[] = [];
  let line = 1;
  let start = 0;
  for (const found of source.matchAll(/\n|\{\{[^\n]*?\}\}/g)) {
    if (found[0] === '\n') {
      line++;
      start = found.index + 1;
    } else if (unresolved.length < MOST) {
      const reason = data === undefined ? 'no object is chosen' : 'placeholders are not filled in yet';
      unresolved.push({ placeholder: found[0].slice(0, 200), line, column: found.index - start + 1, reason });
    }
  }
  return { text: source, unresolved };
}
