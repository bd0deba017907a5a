/** The controls above the charts: what is asked of the platform, and how it is looked at. */
import debugStop from '@vscode/codicons/src/icons/debug-stop.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import fileMedia from '@vscode/codicons/src/icons/file-media.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import tableIcon from '@vscode/codicons/src/icons/table.svg';
import type { Controls, Look, StatisticsState } from '../../protocol-statistics.ts';
import { toolButton } from '../controls.ts';
import { fill, h } from '../kit.ts';
import { fromInput, toInput, zoneOf } from './time.ts';

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
    label: 'Signer',
    placeholder: 'account name',
    title: 'Account name of the signer; action logs take an address instead',
  },
  { name: 'action', label: 'Action', placeholder: 'any', title: 'Action name, for executions and fees' },
  { name: 'template', label: 'Template', placeholder: 'any template id', title: 'Template id, for objects created' },
];

/** Built once: a field that someone types into is not replaced by what comes from the host. */
export class Bar {
  readonly element: HTMLElement;
  readonly #form: HTMLFormElement;
  readonly #tools = h('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'View' });
  readonly #inputs = new Map<string, HTMLInputElement>();
  readonly #lists = new Map<string, HTMLDataListElement>();
  readonly #compare = h('input', { type: 'checkbox' });
  readonly #hint = h('span', { class: 'muted', role: 'status' });
  readonly #actions: BarActions;
  #utc = true;

  constructor(actions: BarActions) {
    this.#actions = actions;
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
    this.element = h('header', {}, this.#form, this.#tools);
  }

  show(state: StatisticsState, look: Look): void {
    const { controls, suggestions } = state;
    this.#utc = look.utc;
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
    this.#hint.textContent = /^0x[\da-f]+$/i.test(controls.signer)
      ? 'The signer looks like an address; statistics take an account name.'
      : '';
    this.#showTools(state, look);
  }

  #showTools({ reading, heading, production, series }: StatisticsState, look: Look): void {
    const { look: change, refresh: again, stop, csv, png } = this.#actions;
    const empty = series.every(({ times }) => times.length === 0);
    const read = Math.min(...series.flatMap((one) => one.read ?? []));
    const zone = h(
      'select',
      {
        'aria-label': 'Time zone',
        title: 'Time zone of axes, cursor, table and date fields',
        on: {
          change: () => {
            change({ utc: zone.selectedIndex === 0 });
          },
        },
      },
      h('option', { selected: look.utc }, 'UTC'),
      h('option', { selected: !look.utc }, `Local: ${zoneOf(false)}`),
    );
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.title : '';
    fill(
      this.#tools,
      reading === undefined
        ? toolButton({ icon: refresh, label: 'Refresh', run: again })
        : toolButton({ icon: debugStop, label: 'Stop Reading', run: stop }),
      toolButton({
        icon: tableIcon,
        label: 'Table (T)',
        pressed: look.table,
        run: () => {
          change({ table: !look.table });
        },
      }),
      toolButton({
        label: 'By Key',
        pressed: look.groups,
        run: () => {
          change({ groups: !look.groups });
        },
      }),
      zone,
      look.zoom !== null &&
        toolButton({
          label: 'Reset Zoom',
          run: () => {
            change({ zoom: null });
          },
        }),
      toolButton({ icon: exportIcon, label: 'Export CSV…', text: true, disabled: empty, run: csv }),
      toolButton({ icon: fileMedia, label: 'Export PNG…', text: true, disabled: empty || look.table, run: png }),
      h('span', { class: 'spring' }),
      h('span', { class: production ? 'chip' : 'status' }, heading),
      h('span', { class: 'status', role: 'status' }, statusOf(reading, read)),
    );
    // The buttons are new; who pressed one goes on from there.
    if (focused !== '' && !document.activeElement?.isConnected) this.#refocus(focused);
    else if (focused !== '' && document.activeElement === document.body) this.#refocus(focused);
  }

  #refocus(title: string): void {
    for (const element of this.#tools.children)
      if (element instanceof HTMLElement && element.title === title) element.focus();
  }

  #set(name: string, value: string): void {
    const input = this.#inputs.get(name);
    if (input !== undefined && document.activeElement !== input) input.value = value;
  }

  #suggest(name: string, values: readonly string[], labels: readonly string[] = []): void {
    const list = this.#lists.get(name);
    if (list === undefined || list.childElementCount === values.length) return;
    fill(list, ...values.map((value, index) => h('option', { value, label: labels[index] })));
  }

  #read(): Controls {
    const text = (name: string): string => this.#inputs.get(name)?.value.trim() ?? '';
    const limit = Math.round(Number(text('limit')));
    return {
      interval: text('interval'),
      timeRange: text('timeRange'),
      from: fromInput(text('from'), this.#utc),
      until: fromInput(text('until'), this.#utc),
      signer: text('signer'),
      action: text('action'),
      template: text('template'),
      limit: Number.isFinite(limit) ? Math.min(Math.max(limit, 0), 100) : 0,
      compare: this.#compare.checked,
    };
  }
}

function statusOf(reading: number | undefined, read: number): string {
  if (reading !== undefined) return reading > 6 ? `Reading, ${reading} requests…` : 'Reading…';
  return Number.isFinite(read) ? `Read ${new Date(read).toLocaleTimeString('en-GB')}` : '';
}
