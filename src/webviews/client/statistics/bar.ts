/** The controls above the charts: what is asked of the platform, and how it is looked at. */
import debugStop from '@vscode/codicons/src/icons/debug-stop.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import fileMedia from '@vscode/codicons/src/icons/file-media.svg';
import groupIcon from '@vscode/codicons/src/icons/group-by-ref-type.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import tableIcon from '@vscode/codicons/src/icons/table.svg';
import type { Controls, Look, StatisticsState } from '../../protocol-statistics.ts';
import { toolButton } from '../controls.ts';
import { fill, h } from '../kit.ts';
import { clock, fromInput, toInput, zoneOf } from './time.ts';

export interface BarActions {
  readonly change: (controls: Controls) => void;
  readonly look: (look: Partial<Look>) => void;
  readonly refresh: () => void;
  readonly stop: () => void;
  readonly csv: () => void;
  readonly png: () => void;
}

interface Text {
  readonly name: 'interval' | 'timeRange' | 'signer' | 'action' | 'template';
  readonly label: string;
  readonly placeholder: string;
  readonly title: string;
}

const TEXTS: readonly Text[] = [
  { name: 'interval', label: 'Interval', placeholder: 'any', title: 'Interval for grouping, in the platform’s words' },
  { name: 'timeRange', label: 'Time range', placeholder: 'any', title: 'Time range, in the platform’s words' },
  {
    name: 'signer',
    label: 'Signer name',
    placeholder: 'account name',
    title: 'Account name of the signer; action logs take an address instead',
  },
  { name: 'action', label: 'Action', placeholder: 'any', title: 'Action name, for executions and fees' },
  { name: 'template', label: 'Template', placeholder: 'any template id', title: 'Template id, for objects created' },
];

interface Tools {
  readonly refresh: HTMLButtonElement;
  readonly stop: HTMLButtonElement;
  readonly table: HTMLButtonElement;
  readonly groups: HTMLButtonElement;
  readonly zoom: HTMLButtonElement;
  readonly csv: HTMLButtonElement;
  readonly png: HTMLButtonElement;
}

/** Built once: a field that someone types into is not replaced by what comes from the host. */
export class Bar {
  readonly element: HTMLElement;
  readonly #form: HTMLFormElement;
  readonly #tools: Tools;
  readonly #zone: HTMLSelectElement;
  readonly #heading = h('span');
  readonly #status = h('span', { class: 'status' });
  readonly #inputs = new Map<string, HTMLInputElement>();
  readonly #lists = new Map<string, HTMLDataListElement>();
  readonly #suggested = new Map<string, string>();
  readonly #compare = h('input', { type: 'checkbox' });
  readonly #hint = h('span', { class: 'muted', role: 'status' });
  #look: Look | undefined;
  #known: Pick<Controls, 'from' | 'until'> = { from: '', until: '' };

  constructor(actions: BarActions) {
    const changed = (): void => {
      actions.change(this.#read());
    };
    const input = (name: string, more: Readonly<Record<string, string | number>>): HTMLInputElement => {
      const element = h('input', { name, spellcheck: 'false', autocomplete: 'off', ...more, on: { change: changed } });
      this.#inputs.set(name, element);
      return element;
    };
    const texts = TEXTS.map(({ name, label, placeholder, title }) => {
      const list = h('datalist', { id: `list-${name}` });
      this.#lists.set(name, list);
      return h(
        'label',
        { title },
        label,
        input(name, { type: 'text', placeholder, list: list.id, maxlength: 300 }),
        list,
      );
    });
    const date = (name: string, label: string): HTMLElement =>
      h('label', { title: `${label}: when_created` }, label, input(name, { type: 'datetime-local' }));
    this.#compare.addEventListener('change', changed);
    this.#form = h(
      'form',
      {
        class: 'toolbar',
        'aria-label': 'What to read',
        on: {
          submit: (event) => {
            event.preventDefault();
          },
        },
      },
      ...texts.slice(0, 2),
      date('from', 'From'),
      date('until', 'Until'),
      ...texts.slice(2),
      h(
        'label',
        { title: 'Points of one answer, 1 to 100' },
        'Limit',
        input('limit', { type: 'number', min: 1, max: 100, placeholder: '100' }),
      ),
      h('label', { title: 'Also read the period before this one' }, this.#compare, 'Compare with before'),
      this.#hint,
    );
    const { look } = actions;
    const tools: Tools = (this.#tools = {
      refresh: toolButton({ icon: refresh, label: 'Refresh', run: actions.refresh }),
      stop: toolButton({ icon: debugStop, label: 'Stop Reading', run: actions.stop }),
      table: toolButton({
        icon: tableIcon,
        label: 'Table (T)',
        pressed: false,
        run: () => {
          look({ table: this.#look?.table !== true });
        },
      }),
      groups: toolButton({
        icon: groupIcon,
        label: 'By Key',
        text: true,
        pressed: false,
        run: () => {
          look({ groups: this.#look?.groups !== true });
        },
      }),
      zoom: toolButton({
        label: 'Reset Zoom',
        run: () => {
          // The button goes.
          tools.table.focus();
          look({ zoom: null });
        },
      }),
      csv: toolButton({ icon: exportIcon, label: 'Export CSV…', text: true, run: actions.csv }),
      png: toolButton({ icon: fileMedia, label: 'Export PNG…', text: true, run: actions.png }),
    });
    this.#zone = h(
      'select',
      {
        'aria-label': 'Time zone',
        title: 'Time zone of axes, cursor, table and date fields',
        on: {
          change: () => {
            look({ utc: this.#zone.selectedIndex === 0 });
          },
        },
      },
      h('option', {}, 'UTC'),
      h('option', {}, `Local: ${zoneOf(false)}`),
    );
    this.element = h(
      'header',
      {},
      this.#form,
      h(
        'div',
        { class: 'toolbar', role: 'toolbar', 'aria-label': 'View' },
        tools.refresh,
        tools.stop,
        tools.table,
        tools.groups,
        this.#zone,
        tools.zoom,
        tools.csv,
        tools.png,
        h('span', { class: 'spring' }),
        this.#heading,
        this.#status,
      ),
    );
  }

  show(state: StatisticsState, look: Look): void {
    const { controls, suggestions } = state;
    this.#look = look;
    this.#known = controls;
    this.#set('interval', controls.interval);
    this.#set('timeRange', controls.timeRange);
    this.#set('signer', controls.signer);
    this.#set('action', controls.action);
    this.#set('template', controls.template);
    this.#set('from', toInput(controls.from, look.utc));
    this.#set('until', toInput(controls.until, look.utc));
    this.#set('limit', controls.limit === 0 ? '' : String(controls.limit));
    this.#compare.checked = controls.compare;
    this.#suggest('interval', suggestions.interval);
    this.#suggest('timeRange', suggestions.timeRange);
    this.#suggest('action', suggestions.action);
    this.#suggest(
      'template',
      suggestions.template.map(({ id }) => id),
      suggestions.template.map(({ name }) => name),
    );
    this.#hint.textContent = hintOf(controls);
    this.#showTools(state, look);
  }

  #showTools({ reading, heading, production, series }: StatisticsState, look: Look): void {
    const { refresh: again, stop, table, groups, zoom, csv, png } = this.#tools;
    const empty = series.every(({ times }) => times.length === 0);
    swap(again, stop, reading === undefined);
    table.ariaPressed = String(look.table);
    groups.ariaPressed = String(look.groups);
    zoom.hidden = look.zoom === null;
    csv.disabled = empty;
    png.disabled = empty || look.table;
    this.#zone.selectedIndex = look.utc ? 0 : 1;
    this.#heading.textContent = heading;
    this.#heading.className = production ? 'chip' : 'status';
    const read = Math.min(...series.flatMap((one) => one.read ?? []));
    this.#status.textContent =
      reading !== undefined
        ? `Reading${reading > 6 ? `, ${reading} requests` : ''}…`
        : Number.isFinite(read)
          ? `Read ${clock(read, look.utc)}`
          : '';
  }

  #set(name: string, value: string): void {
    const input = this.#inputs.get(name);
    if (input !== undefined && document.activeElement !== input) input.value = value;
  }

  #suggest(name: string, values: readonly string[], labels: readonly string[] = []): void {
    const list = this.#lists.get(name);
    const now = JSON.stringify([values, labels]);
    if (list === undefined || this.#suggested.get(name) === now) return;
    this.#suggested.set(name, now);
    fill(list, ...values.map((value, index) => h('option', { value, label: labels[index] })));
  }

  #read(): Controls {
    const text = (name: string): string => this.#inputs.get(name)?.value.trim() ?? '';
    const limit = Math.round(Number(text('limit')));
    const utc = this.#look?.utc ?? true;
    return {
      interval: text('interval'),
      timeRange: text('timeRange'),
      from: fromInput(text('from'), utc, this.#known.from),
      until: fromInput(text('until'), utc, this.#known.until),
      signer: text('signer'),
      action: text('action'),
      template: text('template'),
      limit: Number.isFinite(limit) ? Math.min(Math.max(limit, 0), 100) : 0,
      compare: this.#compare.checked,
    };
  }
}

/** What is asked for, but not as someone may think. */
function hintOf({ signer, from, until, timeRange }: Controls): string {
  if (/^0x[\da-f]{8,}$|^[\da-z]{32,}$/i.test(signer))
    return 'The signer looks like an address; statistics take an account name.';
  if (from !== '' && until !== '' && from >= until) return 'From is not before Until.';
  return from !== '' && timeRange !== '' ? 'From goes before the time range.' : '';
}

/** One of two buttons at one place; the keyboard stays there. */
function swap(one: HTMLButtonElement, other: HTMLButtonElement, first: boolean): void {
  const focused = [one, other].some((button) => button === document.activeElement);
  one.hidden = !first;
  other.hidden = first;
  if (focused) (first ? one : other).focus();
}
