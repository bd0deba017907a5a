/** Asks for a range of dates: a preset relative to now, or a bound with any date. */
import type { Services } from '../commands/entry.ts';
import { bounds, dateWords, isDateText, type Bound, type DateTexts } from './query.ts';

interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly dates?: DateTexts;
  readonly bound?: Bound;
}

const presets: readonly Choice[] = [
  { label: 'Last hour', dates: { gte: '-1h' } },
  { label: 'Last 24 hours', dates: { gte: '-24h' } },
  { label: 'Last 7 days', dates: { gte: '-7d' } },
  { label: 'Last 30 days', dates: { gte: '-30d' } },
];

const words: Readonly<Record<Bound, string>> = {
  gt: 'After…',
  gte: 'On or after…',
  lt: 'Before…',
  lte: 'On or before…',
};

/** The range; empty for none; `undefined` when the person goes back. */
export async function askDates({ ui }: Services, title: string, before: DateTexts): Promise<DateTexts | undefined> {
  const choices: Choice[] = [
    ...presets,
    ...bounds.map((bound): Choice => {
      const text = before[bound];
      return { label: words[bound], bound, ...(text !== undefined && { description: dateWords(text) }) };
    }),
    ...(Object.keys(before).length === 0 ? [] : [{ label: 'Any time', dates: {} }]),
  ];
  const chosen = await ui.pick(choices, { title });
  if (chosen === undefined) return undefined;
  const { bound } = chosen;
  if (bound === undefined) return chosen.dates;
  const typed = await ui.input({
    title: `${title}: ${words[bound].replace('…', '')}`,
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
