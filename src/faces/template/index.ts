/** Fills the Go-template placeholders of a face from an object, as Go's html/template would, and says what stays unresolved. */
import { escapeTemplates, type Program } from './escape.ts';
import { run } from './evaluate.ts';
import { TemplateProblem, type Phase, type Span } from './nodes.ts';
import { parse } from './parse.ts';
import type { Budget } from './values.ts';

export type { Phase };

/** Lines and columns count from 1. */
export interface Place {
  /** the `{{…}}` as it stands in the source, cut to 200 characters */
  readonly placeholder: string;
  readonly line: number;
  readonly column: number;
}

export interface Unresolved extends Place {
  readonly reason: string;
}

export interface TemplateError extends Place {
  /** `parse` and `escape`: Go refuses the template; `execute`: Go stops here; `limit`: a bound of ours */
  readonly phase: Phase;
  readonly message: string;
}

export interface Filled {
  /**
   * The filled face. Where Go refuses the template it is the source as it stands; where Go stops at an action, that one is
   * left out; at a limit it ends.
   */
  readonly text: string;
  /** each placeholder once, in the order of the source */
  readonly unresolved: readonly Unresolved[];
  /** empty exactly where Go fills the face too */
  readonly errors: readonly TemplateError[];
}

export interface Limits {
  /** characters of the template */
  readonly source: number;
  /** characters of the filled face */
  readonly output: number;
  /** units of work: some ten for each node, one for each character that is printed or escaped */
  readonly work: number;
}

export const LIMITS: Limits = { source: 1_000_000, output: 8_000_000, work: 4_000_000 };

/** placeholders that are listed */
const MOST_TOLD = 500;

/** What Go's templates can do and this filler cannot, for people to read. */
export const NOT_SUPPORTED: readonly string[] = [
  'complex numbers such as 1i, and hexadecimal floating point',
  'printf with %p, %#v of lists and maps, explicit argument indexes such as %[1]d, and widths beyond 10000',
  'slices of a string that cut a character in two, and bytes of a string as a type of their own (uint8)',
  'range over a number or a function, and {{else with}} after anything but {{with}}: refused by older versions of Go too',
  'actions within JavaScript template literals: refused by most versions of Go too',
  'character references in attributes beyond those of ASCII characters, where they would change how a script or style is read',
  'calling methods and functions of the data (call): JSON has none',
];

/**
 * `data` is parsed JSON; without any the source stays as it stands. Never throws; the work is bounded whatever the template
 * says.
 */
export function fillTemplate(source: string, data: unknown, limits: Limits = LIMITS): Filled {
  if (!source.includes('{{')) return { text: source, unresolved: [], errors: [] };
  const place = placer(source);
  const left = (reason: string): readonly Unresolved[] =>
    placeholders(source).map((span) => ({ ...place(span), reason }));
  if (data === undefined) return { text: source, unresolved: left('no object is chosen'), errors: [] };
  const refused = (error: unknown): Filled => {
    const problem = problemOf(error);
    const found = { ...place(spanAt(source, problem.at)), phase: problem.phase, message: problem.message };
    return { text: source, unresolved: left(`the template is not filled: ${problem.message}`), errors: [found] };
  };
  const budget = budgetOf(limits.work);
  let program: Program;
  try {
    if (source.length > limits.source)
      throw new TemplateProblem('limit', `the template is longer than ${limits.source} characters`, 0);
    program = escapeTemplates(parse(source), budget);
  } catch (error) {
    return refused(error);
  }
  return filled(program, data, budget, limits, place);
}

function filled(program: Program, data: unknown, budget: Budget, limits: Limits, place: (span: Span) => Place): Filled {
  const parts: string[] = [];
  let size = 0;
  // Within a range the same action fails again and again: it is told once.
  const unresolved = new Map<number, Unresolved>();
  const errors = new Map<number, TemplateError>();
  const tell = (span: Span, { phase, message }: TemplateProblem): void => {
    if (errors.has(span.at)) return;
    errors.set(span.at, { ...place(span), phase, message });
    if (phase === 'execute') unresolved.set(span.at, { ...place(span), reason: message });
  };
  try {
    run(program, data, budget, {
      write(text) {
        size += text.length;
        if (size > limits.output)
          throw new TemplateProblem('limit', `the filled face is longer than ${limits.output} characters`);
        parts.push(text);
      },
      missing(span, reason) {
        if (!unresolved.has(span.at)) unresolved.set(span.at, { ...place(span), reason });
      },
      failed: tell,
    });
  } catch (error) {
    const problem = problemOf(error);
    const at = Math.max(problem.at, 0);
    tell({ at, end: at }, problem);
  }
  const inOrder = <T>(map: ReadonlyMap<number, T>): readonly T[] =>
    [...map].sort(([a], [b]) => a - b).map(([, value]) => value);
  return { text: parts.join(''), unresolved: inOrder(unresolved), errors: inOrder(errors) };
}

function budgetOf(work: number): Budget {
  let left = work;
  return {
    spend(units) {
      left -= units;
      if (left < 0) throw new TemplateProblem('limit', 'filling the template takes too much work');
    },
  };
}

function problemOf(error: unknown): TemplateProblem {
  if (error instanceof TemplateProblem) return error;
  // What is nested deeper than the stack allows ends here too.
  const message = error instanceof RangeError ? 'nested too deep' : 'the filler broke';
  return new TemplateProblem('limit', message, 0);
}

function placeholders(source: string): readonly Span[] {
  return [...source.matchAll(/\{\{(?:[^{}]|\}(?!\}))*\}\}/g)].slice(0, MOST_TOLD).map(({ index, 0: text }) => ({
    at: index,
    end: index + text.length,
  }));
}

/** The placeholder around an offset, or what follows it. */
function spanAt(source: string, offset: number): Span {
  const at = Math.max(offset, 0);
  const open = source.lastIndexOf('{{', at);
  const close = open < 0 ? -1 : source.indexOf('}}', open);
  return open >= 0 && (close < 0 || close + 2 >= at)
    ? { at: open, end: close < 0 ? source.length : close + 2 }
    : { at, end: at };
}

function placer(source: string): (span: Span) => Place {
  let starts: number[] | undefined;
  return ({ at, end }) => {
    starts ??= [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? Infinity) <= at) low = middle;
      else high = middle - 1;
    }
    const placeholder = source.slice(at, Math.min(end, at + 200));
    return { placeholder, line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}
