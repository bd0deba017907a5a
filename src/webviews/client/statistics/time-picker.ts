import * as l10n from '@vscode/l10n';
import type { Controls, StatisticsState } from '../../protocol/statistics.ts';
import { h, replaceChildren } from '../dom.ts';
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

/** Formats the time range of the controls: `Last 30 days`, `Oct 7 – 14, 2026`. Empty if there is none. */
export function formatControlRange({ timeRange, from, until }: Range, utc: boolean): string {
  const [start, end] = [from, until].map((iso) => Date.parse(iso) / 1000);
  if (start === undefined || end === undefined || (from === '' && until === ''))
    return PRESETS.find(([value]) => value === timeRange)?.[1] ?? timeRange;
  if (until === '') return l10n.t('From {0}', formatTime(start, utc));
  return from === '' ? l10n.t('Until {0}', formatTime(end, utc)) : formatRange(start, end, utc);
}

/** A list of time ranges, and two date fields for a custom one. */
export class TimePicker {
  readonly elements: readonly HTMLElement[];
  readonly #choice: HTMLSelectElement;
  readonly #from: HTMLInputElement;
  readonly #until: HTMLInputElement;
  readonly #dates: HTMLElement;
  readonly #hint = h('span', { role: 'status' });
  #range: Range = { timeRange: '', from: '', until: '' };
  #window: { readonly from: number; readonly until: number } | undefined;
  #utc = true;

  /** `changed`: called with the range that the user has chosen. */
  constructor(changed: (range: Range) => void) {
    this.#choice = h('select', {
      name: 'range',
      'aria-label': l10n.t('Time range'),
      title: l10n.t('Time range'),
      on: {
        change: () => {
          const { value } = this.#choice;
          if (value !== CUSTOM) changed({ timeRange: value, from: '', until: '' });
          else {
            // Begins with the dates of the range shown.
            const start = this.#window === undefined ? Date.now() - 30 * 86_400_000 : this.#window.from * 1000;
            changed({ timeRange: '', from: new Date(Math.floor(start / 60_000) * 60_000).toISOString(), until: '' });
            this.#from.focus();
          }
        },
      },
    });
    const createField = (name: 'from' | 'until', label: string): HTMLInputElement => {
      const field = h('input', {
        type: 'datetime-local',
        name,
        'aria-label': label,
        title: name === 'until' ? l10n.t('To (leave empty for the current time)') : label,
        on: {
          change: () => {
            changed({
              ...this.#range,
              timeRange: '',
              [name]: parseInputValue(field.value, this.#utc, this.#range[name]),
            });
          },
        },
      });
      return field;
    };
    this.#from = createField('from', l10n.t({ message: 'From', args: [], comment: 'Field: start of a time range' }));
    this.#until = createField('until', l10n.t({ message: 'To', args: [], comment: 'Field: end of a time range' }));
    this.#dates = h('span', { class: 'dates', hidden: true }, this.#from, '–', this.#until, this.#hint);
    this.elements = [this.#choice, this.#dates];
  }

  show({ controls, series }: StatisticsState, utc: boolean): void {
    const { timeRange, from, until } = controls;
    this.#range = { timeRange, from, until };
    this.#window = series[0]?.window;
    this.#utc = utc;
    const isCustom = from !== '' || until !== '';
    const isPreset = PRESETS.some(([value]) => value === timeRange);
    // A word of the platform, typed in the advanced fields.
    const other = isCustom || isPreset ? [] : [[timeRange, timeRange === '' ? l10n.t('Any time') : timeRange] as const];
    const options = [...PRESETS, ...other, [CUSTOM, l10n.t('Custom range')] as const];
    if (options.length !== this.#choice.options.length || other.length > 0)
      replaceChildren(this.#choice, ...options.map(([value, label]) => h('option', { value }, label)));
    this.#choice.value = isCustom ? CUSTOM : timeRange;
    this.#dates.hidden = !isCustom;
    this.#hint.textContent =
      from !== '' && until !== '' && from >= until ? l10n.t('The start must be before the end.') : '';
    for (const [field, iso] of [
      [this.#from, from],
      [this.#until, until],
    ] as const)
      if (document.activeElement !== field) field.value = formatInputValue(iso, utc);
  }
}
