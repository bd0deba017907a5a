import debugStop from '@vscode/codicons/src/icons/debug-stop.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import fileMedia from '@vscode/codicons/src/icons/file-media.svg';
import groupIcon from '@vscode/codicons/src/icons/group-by-ref-type.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import tableIcon from '@vscode/codicons/src/icons/table.svg';
import type { Controls, ViewOptions, StatisticsState } from '../../protocol/statistics.ts';
import { createToolButton } from '../controls.ts';
import { replaceChildren, h } from '../dom.ts';
import { formatClock, parseInputValue, formatInputValue, getZoneName } from './time.ts';

export interface ToolbarActions {
  readonly change: (controls: Controls) => void;
  readonly setViewOptions: (change: Partial<ViewOptions>) => void;
  readonly refresh: () => void;
  readonly stop: () => void;
  readonly csv: () => void;
  readonly png: () => void;
}

interface TextField {
  readonly name: 'interval' | 'timeRange' | 'signer' | 'action' | 'template';
  readonly label: string;
  readonly placeholder: string;
  readonly title: string;
}

const TEXT_FIELDS: readonly TextField[] = [
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

/** The controls above the charts. Built once: a state from the host does not replace a focused field. */
export class Toolbar {
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
  #viewOptions: ViewOptions | undefined;
  #shownDates: Pick<Controls, 'from' | 'until'> = { from: '', until: '' };

  constructor(actions: ToolbarActions) {
    const changed = (): void => {
      actions.change(this.#read());
    };
    const input = (name: string, more: Readonly<Record<string, string | number>>): HTMLInputElement => {
      const element = h('input', { name, spellcheck: 'false', autocomplete: 'off', ...more, on: { change: changed } });
      this.#inputs.set(name, element);
      return element;
    };
    const texts = TEXT_FIELDS.map(({ name, label, placeholder, title }) => {
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
    const { setViewOptions } = actions;
    const tools: Tools = (this.#tools = {
      refresh: createToolButton({ icon: refresh, label: 'Refresh', onClick: actions.refresh }),
      stop: createToolButton({ icon: debugStop, label: 'Stop Reading', onClick: actions.stop }),
      table: createToolButton({
        icon: tableIcon,
        label: 'Table (T)',
        isPressed: false,
        onClick: () => {
          setViewOptions({ table: this.#viewOptions?.table !== true });
        },
      }),
      groups: createToolButton({
        icon: groupIcon,
        label: 'By Key',
        text: true,
        isPressed: false,
        onClick: () => {
          setViewOptions({ groups: this.#viewOptions?.groups !== true });
        },
      }),
      zoom: createToolButton({
        label: 'Reset Zoom',
        onClick: () => {
          // This button is about to be hidden.
          tools.table.focus();
          setViewOptions({ zoom: null });
        },
      }),
      csv: createToolButton({ icon: exportIcon, label: 'Export CSV…', text: true, onClick: actions.csv }),
      png: createToolButton({ icon: fileMedia, label: 'Export PNG…', text: true, onClick: actions.png }),
    });
    this.#zone = h(
      'select',
      {
        'aria-label': 'Time zone',
        title: 'Time zone of axes, cursor, table and date fields',
        on: {
          change: () => {
            setViewOptions({ utc: this.#zone.selectedIndex === 0 });
          },
        },
      },
      h('option', {}, 'UTC'),
      h('option', {}, `Local: ${getZoneName(false)}`),
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

  show(state: StatisticsState, viewOptions: ViewOptions): void {
    const { controls, suggestions } = state;
    this.#viewOptions = viewOptions;
    this.#shownDates = controls;
    this.#setInput('interval', controls.interval);
    this.#setInput('timeRange', controls.timeRange);
    this.#setInput('signer', controls.signer);
    this.#setInput('action', controls.action);
    this.#setInput('template', controls.template);
    this.#setInput('from', formatInputValue(controls.from, viewOptions.utc));
    this.#setInput('until', formatInputValue(controls.until, viewOptions.utc));
    this.#setInput('limit', controls.limit === 0 ? '' : String(controls.limit));
    this.#compare.checked = controls.compare;
    this.#setSuggestions('interval', suggestions.interval);
    this.#setSuggestions('timeRange', suggestions.timeRange);
    this.#setSuggestions('action', suggestions.action);
    this.#setSuggestions(
      'template',
      suggestions.template.map(({ id }) => id),
      suggestions.template.map(({ name }) => name),
    );
    this.#hint.textContent = getHint(controls);
    this.#showTools(state, viewOptions);
  }

  #showTools({ requestCount: reading, heading, production, series }: StatisticsState, viewOptions: ViewOptions): void {
    const { refresh: again, stop, table, groups, zoom, csv, png } = this.#tools;
    const empty = series.every(({ times }) => times.length === 0);
    showEither(again, stop, reading === undefined);
    table.ariaPressed = String(viewOptions.table);
    groups.ariaPressed = String(viewOptions.groups);
    zoom.hidden = viewOptions.zoom === null;
    csv.disabled = empty;
    png.disabled = empty || viewOptions.table;
    this.#zone.selectedIndex = viewOptions.utc ? 0 : 1;
    this.#heading.textContent = heading;
    this.#heading.className = production ? 'chip' : 'status';
    const read = Math.min(...series.flatMap((one) => one.readAt ?? []));
    this.#status.textContent =
      reading !== undefined
        ? `Reading${reading > 6 ? `, ${reading} requests` : ''}…`
        : Number.isFinite(read)
          ? `Read ${formatClock(read, viewOptions.utc)}`
          : '';
  }

  #setInput(name: string, value: string): void {
    const input = this.#inputs.get(name);
    if (input !== undefined && document.activeElement !== input) input.value = value;
  }

  #setSuggestions(name: string, values: readonly string[], labels: readonly string[] = []): void {
    const list = this.#lists.get(name);
    const now = JSON.stringify([values, labels]);
    if (list === undefined || this.#suggested.get(name) === now) return;
    this.#suggested.set(name, now);
    replaceChildren(list, ...values.map((value, index) => h('option', { value, label: labels[index] })));
  }

  #read(): Controls {
    const text = (name: string): string => this.#inputs.get(name)?.value.trim() ?? '';
    const limit = Math.round(Number(text('limit')));
    const utc = this.#viewOptions?.utc ?? true;
    return {
      interval: text('interval'),
      timeRange: text('timeRange'),
      from: parseInputValue(text('from'), utc, this.#shownDates.from),
      until: parseInputValue(text('until'), utc, this.#shownDates.until),
      signer: text('signer'),
      action: text('action'),
      template: text('template'),
      limit: Number.isFinite(limit) ? Math.min(Math.max(limit, 0), 100) : 0,
      compare: this.#compare.checked,
    };
  }
}

/** Warns of controls that are valid but likely a mistake. */
function getHint({ signer, from, until, timeRange }: Controls): string {
  if (/^0x[\da-f]{8,}$|^[\da-z]{32,}$/i.test(signer))
    return 'The signer looks like an address; statistics take an account name.';
  if (from !== '' && until !== '' && from >= until) return 'From is not before Until.';
  return from !== '' && timeRange !== '' ? 'From goes before the time range.' : '';
}

/** Shows one of two buttons, and keeps the focus. */
function showEither(one: HTMLButtonElement, other: HTMLButtonElement, first: boolean): void {
  const focused = [one, other].some((button) => button === document.activeElement);
  one.hidden = !first;
  other.hidden = first;
  if (focused) (first ? one : other).focus();
}
