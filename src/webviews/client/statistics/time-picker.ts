import type { Controls, StatisticsState } from '../../protocol/statistics.ts';
import { h, replaceChildren } from '../dom.ts';
import { formatInputValue, parseInputValue } from './time.ts';

type Range = Pick<Controls, 'timeRange' | 'from' | 'until'>;

const PRESETS = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
  ['1y', 'Last year'],
] as const;
const CUSTOM = 'custom';

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
      'aria-label': 'Time range',
      title: 'Time range',
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
        title: name === 'until' ? 'To (leave empty for now)' : label,
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
    this.#from = createField('from', 'From');
    this.#until = createField('until', 'To');
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
    const other = isCustom || isPreset ? [] : [[timeRange, timeRange === '' ? 'Any time' : timeRange] as const];
    const options = [...PRESETS, ...other, [CUSTOM, 'Custom range'] as const];
    if (options.length !== this.#choice.options.length || other.length > 0)
      replaceChildren(this.#choice, ...options.map(([value, label]) => h('option', { value }, label)));
    this.#choice.value = isCustom ? CUSTOM : timeRange;
    this.#dates.hidden = !isCustom;
    this.#hint.textContent = from !== '' && until !== '' && from >= until ? 'The start must be before the end.' : '';
    for (const [field, iso] of [
      [this.#from, from],
      [this.#until, until],
    ] as const)
      if (document.activeElement !== field) field.value = formatInputValue(iso, utc);
  }
}
