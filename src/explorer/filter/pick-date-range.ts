import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { bounds, formatDateText, isDateText, type Bound, type DateBounds } from './filter.ts';
import { formatPair } from '../../platform/text/localization.ts';

interface DateChoice {
  readonly label: string;
  readonly description?: string;
  readonly dates?: DateBounds;
  readonly bound?: Bound;
}

const presets: readonly DateChoice[] = [
  { label: l10n.t('Last hour'), dates: { gte: '-1h' } },
  { label: l10n.t('Last 24 hours'), dates: { gte: '-24h' } },
  { label: l10n.t('Last 7 days'), dates: { gte: '-7d' } },
  { label: l10n.t('Last 30 days'), dates: { gte: '-30d' } },
];

const boundLabels: Readonly<Record<Bound, string>> = {
  gt: l10n.t('After…'),
  gte: l10n.t('On or after…'),
  lt: l10n.t('Before…'),
  lte: l10n.t('On or before…'),
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
    ...(Object.keys(before).length === 0 ? [] : [{ label: l10n.t('Any time'), dates: {} }]),
  ];
  const chosen = await ui.pick(choices, { title });
  if (chosen === undefined) return undefined;
  const { bound } = chosen;
  if (bound === undefined) return chosen.dates;
  const typed = await ui.input({
    title: formatPair(title, boundLabels[bound].replace('…', '')),
    value: before[bound] ?? '',
    placeHolder: l10n.t('For example {0}', '2026-01-31, 2026-01-31T12:00:00Z, -24h'),
    prompt: l10n.t('Enter a date, a time, or an age such as 24h (m, h, d). Leave empty to remove this limit.'),
    validateInput: (text) =>
      text.trim() === '' || isDateText(text.trim())
        ? undefined
        : l10n.t('Enter a date such as 2026-01-31, an ISO 8601 time, or a time span such as -24h.'),
  });
  if (typed === undefined) return undefined;
  const { [bound]: _replaced, ...others } = before;
  return typed.trim() === '' ? others : { ...others, [bound]: typed.trim() };
}
