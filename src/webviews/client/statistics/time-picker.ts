import * as l10n from '@vscode/l10n';
import type { Controls, StatisticsState } from '../../protocol/statistics.ts';
import { h } from '../dom.ts';
import { formatInputValue, formatRange, formatTime, parseInputValue } from './time.ts';

type Range = Pick<Controls, 'timeRange' | 'from' | 'until'>;

const PRESETS = [
  ['1h', l10n.t('Last hour')],
  ['24h', l10n.t('Last 24 hours')],
  ['7d', l10n.t('Last 7 days')],
  ['30d', l10n.t('Last 30 days')],
  ['90d', l10n.t('Last 90 days')],
  ['1y', l10n.t('Last year')],
] as const;
const CUSTOM = 'custom';

/** Formats the time range of the controls: `Last 30 days`, `Oct 7 – 14, 2026`. */
export function formatControlRange({ timeRange, from, until }: Range, utc: boolean): string {
  const [start = NaN, end = NaN] = [from, until].map((iso) => Date.parse(iso) / 1000);
  if (from === '' && until === '') return PRESETS.find(([value]) => value === timeRange)?.[1] ?? timeRange;
  if (until === '') return l10n.t('From {0}', formatTime(start, utc));
  return from === '' ? l10n.t('Until {0}', formatTime(end, utc)) : formatRange(start, end, utc);
}

/** A list of time ranges, and two date fields for a custom one. */
export class TimePicker {
  readonly elements: readonly HTMLElement[];
  readonly #choice: HTMLSelectElement;
  readonly #fields: readonly (readonly ['from' | 'until', HTMLInputElement])[];
  readonly #dates: HTMLElement;
  readonly #hint = h('span', { role: 'status' });
  #state: StatisticsState | undefined;
  #utc = true;

  /** `changed`: called with the range that the user has chosen. */
  constructor(changed: (range: Range) => void) {
    this.#choice = h(
      'select',
      {
        name: 'range',
        'aria-label': l10n.t('Time range'),
        title: l10n.t('Time range'),
        on: {
          change: () => {
            const { value } = this.#choice;
            if (value !== CUSTOM) {
              changed({ timeRange: value, from: '', until: '' });
              return;
            }
            // Begins with the dates of the range shown.
            const start = (this.#state?.series[0]?.window?.from ?? Date.now() / 1000 - 30 * 86_400) / 60;
            changed({ timeRange: '', from: new Date(Math.floor(start) * 60_000).toISOString(), until: '' });
            this.#fields[0]?.[1].focus();
          },
        },
      },
      ...[...PRESETS, [CUSTOM, l10n.t('Custom range')]].map(([value, label]) => h('option', { value }, label)),
    );
    const createField = (name: 'from' | 'until', label: string, title = label) => {
      const field = h('input', {
        type: 'datetime-local',
        name,
        'aria-label': label,
        title,
        on: {
          change: () => {
            const { from = '', until = '' } = this.#state?.controls ?? {};
            const range = { timeRange: '', from, until };
            changed({ ...range, [name]: parseInputValue(field.value, this.#utc, range[name]) });
          },
        },
      });
      return [name, field] as const;
    };
    const [from, until] = (this.#fields = [
      createField('from', l10n.t({ message: 'From', args: [], comment: 'Field: start of a time range' })),
      createField(
        'until',
        l10n.t({ message: 'To', args: [], comment: 'Field: end of a time range' }),
        l10n.t('To (leave empty for the current time)'),
      ),
    ] as const);
    this.#dates = h('span', { class: 'dates', hidden: true }, from[1], '–', until[1], this.#hint);
    this.elements = [this.#choice, this.#dates];
  }

  show(state: StatisticsState, utc: boolean): void {
    const { timeRange, from, until } = state.controls;
    this.#state = state;
    this.#utc = utc;
    const isCustom = from !== '' || until !== '';
    this.#choice.value = isCustom ? CUSTOM : timeRange;
    this.#dates.hidden = !isCustom;
    this.#hint.textContent =
      from !== '' && until !== '' && from >= until ? l10n.t('The start must be before the end.') : '';
    for (const [name, field] of this.#fields)
      if (document.activeElement !== field) field.value = formatInputValue(state.controls[name], utc);
  }
}
