/** Fills the Go-template placeholders of a face like Go's html/template, and reports unresolved ones. */
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { escapeTemplates, type Program } from './escape/escape.ts';
import { execute } from './evaluate.ts';
import { TemplateError, type Phase, type Span } from './nodes.ts';
import { parse } from './parse/parse.ts';
import type { Budget, Steps } from './values.ts';

/** Lines and columns are 1-based. */
interface PlaceholderPosition {
  /** source of the `{{…}}`, truncated to 200 characters */
  readonly placeholder: string;
  readonly line: number;
  readonly column: number;
}

export interface Unresolved extends PlaceholderPosition {
  readonly reason: string;
}

interface TemplateDiagnostic extends PlaceholderPosition {
  /** `parse`, `escape`: Go rejects the template; `execute`: Go stops at this action; `limit`: a bound of ours is exceeded */
  readonly phase: Phase;
  readonly message: string;
}

export interface FillResult {
  /**
   * The filled face. If Go rejects the template, the unchanged source; an action at which Go stops is left out; the text ends
   * if a limit is exceeded.
   */
  readonly text: string;
  /** each placeholder once, in source order */
  readonly unresolved: readonly Unresolved[];
  /** empty if Go fills the face too */
  readonly errors: readonly TemplateDiagnostic[];
}

interface Limits {
  /** characters of the template */
  readonly source: number;
  /** characters of the filled face */
  readonly output: number;
  /** units of work: about ten for each node, one for each printed or escaped character */
  readonly work: number;
}

export const LIMITS: Limits = { source: 1_000_000, output: 8_000_000, work: 4_000_000 };

/** Units of work after which a step ends: about 20 milliseconds. */
const STEP = 100_000;

/** maximum number of listed placeholders */
const MAX_PLACEHOLDERS = 500;

/** Features of Go templates that are not supported, for the user. */
export const NOT_SUPPORTED: readonly string[] = [
  l10n.t('Complex numbers such as 1i, and hexadecimal floating-point numbers'),
  l10n.t(
    'printf with %p, %#v of lists and maps, explicit argument indexes such as %[1]d, and widths greater than 10000',
  ),
  l10n.t('Slices of a string that split a character, and bytes of a string as a separate type (uint8)'),
  l10n.t(
    'range over a number or a function, and {{else with}} after anything but {{with}} (also rejected by older versions of Go)',
  ),
  l10n.t('Actions within JavaScript template literals (also rejected by most versions of Go)'),
  l10n.t('Calling methods and functions of the data (call), because JSON has none'),
];

/**
 * Fills a template with `data`, which is parsed JSON; without data the source is unchanged. Never throws; the work is bounded for
 * any template.
 */
export function fillTemplate(source: string, data: unknown, limits: Limits = LIMITS): FillResult {
  const steps = fillInSteps(source, data, limits);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** As `fillTemplate`, in steps of some milliseconds, between which the caller can do other work. */
export function* fillInSteps(source: string, data: unknown, limits: Limits = LIMITS): Steps<FillResult> {
  if (!source.includes('{{')) return { text: source, unresolved: [], errors: [] };
  const locate = createLocator(source);
  const createUnresolved = (reason: string): readonly Unresolved[] =>
    findPlaceholders(source).map((span) => ({ ...locate(span), reason }));
  if (data === undefined)
    return { text: source, unresolved: createUnresolved(l10n.t('No object selected')), errors: [] };
  const createRefusal = (error: unknown): FillResult => {
    const problem = toTemplateError(error);
    const found = { ...locate(findSpanAt(source, problem.at)), phase: problem.phase, message: problem.message };
    return {
      text: source,
      unresolved: createUnresolved(l10n.t('The template could not be rendered ({0})', problem.message)),
      errors: [found],
    };
  };
  const budget = createBudget(limits.work);
  let program: Program;
  try {
    if (source.length > limits.source)
      throw new TemplateError(
        'limit',
        l10n.t('The template has more than {0} characters', formatNumber(limits.source)),
        0,
      );
    program = yield* escapeTemplates(parse(source), budget);
  } catch (error) {
    return createRefusal(error);
  }
  return yield* executeTemplate(program, data, budget, limits, locate);
}

function* executeTemplate(
  program: Program,
  data: unknown,
  budget: Budget,
  limits: Limits,
  locate: (span: Span) => PlaceholderPosition,
): Steps<FillResult> {
  const parts: string[] = [];
  let size = 0;
  // Report an action of a range once.
  const unresolved = new Map<number, Unresolved>();
  const errors = new Map<number, TemplateDiagnostic>();
  const reportError = (span: Span, { phase, message }: TemplateError): void => {
    if (errors.has(span.at)) return;
    errors.set(span.at, { ...locate(span), phase, message });
    if (phase === 'execute') unresolved.set(span.at, { ...locate(span), reason: message });
  };
  try {
    yield* execute(program, data, budget, {
      write(text) {
        size += text.length;
        if (size > limits.output)
          throw new TemplateError(
            'limit',
            l10n.t('The rendered face has more than {0} characters', formatNumber(limits.output)),
          );
        parts.push(text);
      },
      missing(span, reason) {
        if (!unresolved.has(span.at)) unresolved.set(span.at, { ...locate(span), reason });
      },
      failed: reportError,
    });
  } catch (error) {
    const problem = toTemplateError(error);
    const at = Math.max(problem.at, 0);
    reportError({ at, end: at }, problem);
  }
  const inOrder = <T>(map: ReadonlyMap<number, T>): readonly T[] =>
    [...map].sort(([a], [b]) => a - b).map(([, value]) => value);
  return { text: parts.join(''), unresolved: inOrder(unresolved), errors: inOrder(errors) };
}

function createBudget(work: number): Budget {
  let left = work;
  let stepEnd = work - STEP;
  return {
    spend(units) {
      left -= units;
      if (left < 0) throw new TemplateError('limit', l10n.t('Rendering the template took too long'));
    },
    isStepDone() {
      if (left > stepEnd) return false;
      stepEnd = left - STEP;
      return true;
    },
  };
}

function toTemplateError(error: unknown): TemplateError {
  if (error instanceof TemplateError) return error;
  // A stack overflow of deep nesting ends here too.
  const message = error instanceof RangeError ? l10n.t('The template is nested too deeply') : l10n.t('Internal error');
  return new TemplateError('limit', message, 0);
}

function findPlaceholders(source: string): readonly Span[] {
  return source
    .matchAll(/\{\{(?:[^{}]|\}(?!\}))*\}\}/g)
    .take(MAX_PLACEHOLDERS)
    .map(({ index, 0: text }) => ({ at: index, end: index + text.length }))
    .toArray();
}

/** Returns the placeholder at an offset, or the text after it. */
function findSpanAt(source: string, offset: number): Span {
  const at = Math.max(offset, 0);
  const open = source.lastIndexOf('{{', at);
  const close = open < 0 ? -1 : source.indexOf('}}', open);
  return open >= 0 && (close < 0 || close + 2 >= at)
    ? { at: open, end: close < 0 ? source.length : close + 2 }
    : { at, end: at };
}

function createLocator(source: string): (span: Span) => PlaceholderPosition {
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
