import type { Services } from '../../commands/context.ts';
import { bounds, formatDateText, isDateText, type Bound, type DateBounds } from './filter.ts';

interface DateChoice {
  readonly label: string;
  readonly description?: string;
  readonly dates?: DateBounds;
  readonly bound?: Bound;
}

const presets: readonly DateChoice[] = [
  { label: 'Last hour', dates: { gte: '-1h' } },
  { label: 'Last 24 hours', dates: { gte: '-24h' } },
  { label: 'Last 7 days', dates: { gte: '-7d' } },
  { label: 'Last 30 days', dates: { gte: '-30d' } },
];

const boundLabels: Readonly<Record<Bound, string>> = {
  gt: 'After…',
  gte: 'On or after…',
  lt: 'Before…',
  lte: 'On or before…',
};

/**
 * Asks for a preset or a bound. Resolves to the range, `{}` for any time, or `undefined` when cancelled. Never rejects.
 */
export async function pickDateRange(
  { ui }: Services,
  title: string,
  before: DateBounds,
): Promise<DateBounds | undefined> {
  const choices: DateChoice[] = [
    ...presets,
    ...bounds.map((bound): DateChoice => {
      const text = before[bound];
      return { label: boundLabels[bound], bound, ...(text !== undefined && { description: formatDateText(text) }) };
    }),
    ...(Object.keys(before).length === 0 ? [] : [{ label: 'Any time', dates: {} }]),
  ];
  const chosen = await ui.pick(choices, { title });
  if (chosen === undefined) return undefined;
  const { bound } = chosen;
  if (bound === undefined) return chosen.dates;
  const typed = await ui.input({
    title: `${title}: ${boundLabels[bound].replace('…', '')}`,
    value: before[bound] ?? '',
    placeHolder: '2026-01-31, 2026-01-31T12:00:00Z, or -24h',
    prompt: 'A date, a time, or how long ago (m, h, d). Empty takes this bound away.',
    validateInput: (text) =>
      text.trim() === '' || isDateText(text.trim())
        ? undefined
        : 'Not a date: write 2026-01-31, an ISO 8601 time, or -24h',
  });
  if (typed === undefined) return undefined;
  const { [bound]: _replaced, ...others } = before;
  return typed.trim() === '' ? others : { ...others, [bound]: typed.trim() };
}
