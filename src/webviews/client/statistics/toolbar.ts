import * as l10n from '@vscode/l10n';
import { formatList, formatNumber, pluralize } from '../../../platform/text/localization.ts';
import debugStop from '@vscode/codicons/src/icons/debug-stop.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import fileMedia from '@vscode/codicons/src/icons/file-media.svg';
import groupIcon from '@vscode/codicons/src/icons/group-by-ref-type.svg';
import historyIcon from '@vscode/codicons/src/icons/history.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import settings from '@vscode/codicons/src/icons/settings.svg';
import tableIcon from '@vscode/codicons/src/icons/table.svg';
import zoomOut from '@vscode/codicons/src/icons/zoom-out.svg';
import type { Controls, ViewOptions, StatisticsState } from '../../protocol/statistics.ts';
import { createToolButton } from '../controls.ts';
import { getFocusedElement, h } from '../dom.ts';
import { AdvancedForm, countAdvanced } from './advanced-form.ts';
import { TimePicker } from './time-picker.ts';
import { formatClock, getZoneName } from './time.ts';

export interface ToolbarActions {
  readonly change: (controls: Controls) => void;
  readonly setViewOptions: (change: Partial<ViewOptions>) => void;
  readonly resetZoom: () => void;
  readonly refresh: () => void;
  readonly stop: () => void;
  readonly csv: () => void;
  readonly png: () => void;
}

interface Tools {
  readonly refresh: HTMLButtonElement;
  readonly stop: HTMLButtonElement;
  readonly table: HTMLButtonElement;
  readonly groups: HTMLButtonElement;
  readonly compare: HTMLButtonElement;
  readonly zoom: HTMLButtonElement;
  readonly advanced: HTMLButtonElement;
  readonly csv: HTMLButtonElement;
  readonly png: HTMLButtonElement;
}

/** The controls above the charts. Built once: a state from the host does not replace a focused field. */
export class Toolbar {
  readonly element: HTMLElement;
  readonly #picker: TimePicker;
  readonly #form: AdvancedForm;
  readonly #tools: Tools;
  readonly #zone: HTMLSelectElement;
  readonly #interval = h('span', { class: 'status' });
  readonly #heading = h('span', { class: 'chip' });
  readonly #status = h('span', { class: 'status', role: 'status' });
  #controls: Controls | undefined;
  #viewOptions: ViewOptions | undefined;

  constructor(actions: ToolbarActions) {
    const change = (part: Partial<Controls>): void => {
      if (this.#controls !== undefined) actions.change({ ...this.#controls, ...part });
    };
    this.#picker = new TimePicker(change);
    this.#form = new AdvancedForm(change);
    const { setViewOptions } = actions;
    const tools: Tools = (this.#tools = {
      refresh: createToolButton({ icon: refresh, label: l10n.t('Refresh'), onClick: actions.refresh }),
      stop: createToolButton({ icon: debugStop, label: l10n.t('Cancel'), onClick: actions.stop }),
      table: createToolButton({
        icon: tableIcon,
        label: l10n.t('Show Tables (T)'),
        isPressed: false,
        onClick: () => {
          setViewOptions({ table: this.#viewOptions?.table !== true });
        },
      }),
      groups: createToolButton({
        icon: groupIcon,
        label: l10n.t('Group by Key'),
        text: true,
        isPressed: false,
        onClick: () => {
          setViewOptions({ groups: this.#viewOptions?.groups !== true });
        },
      }),
      compare: createToolButton({
        icon: historyIcon,
        label: l10n.t('Compare with Previous Period'),
        isPressed: false,
        onClick: () => {
          change({ compare: this.#controls?.compare !== true });
        },
      }),
      zoom: createToolButton({
        icon: zoomOut,
        label: l10n.t('Reset Zoom'),
        text: true,
        onClick: () => {
          // This button is about to be hidden.
          tools.table.focus();
          actions.resetZoom();
        },
      }),
      advanced: createToolButton({
        icon: settings,
        label: l10n.t('Advanced'),
        text: true,
        onClick: () => {
          setViewOptions({ advanced: this.#viewOptions?.advanced !== true });
        },
      }),
      csv: createToolButton({ icon: exportIcon, label: l10n.t('Export CSV…'), onClick: actions.csv }),
      png: createToolButton({ icon: fileMedia, label: l10n.t('Export PNG…'), onClick: actions.png }),
    });
    tools.advanced.setAttribute('aria-controls', this.#form.element.id);
    this.#zone = h(
      'select',
      {
        'aria-label': l10n.t('Time zone'),
        title: l10n.t('Time zone'),
        on: {
          change: () => {
            setViewOptions({ utc: this.#zone.selectedIndex === 0 });
          },
        },
      },
      h('option', {}, 'UTC'),
      h('option', {}, l10n.t('Local: {0}', getZoneName(false))),
    );
    this.element = h(
      'header',
      {},
      h(
        'div',
        { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('View options') },
        ...this.#picker.elements,
        this.#interval,
        tools.zoom,
        tools.groups,
        tools.compare,
        tools.table,
        tools.advanced,
        this.#zone,
        tools.refresh,
        tools.stop,
        tools.csv,
        tools.png,
        h('span', { class: 'spring' }),
        this.#heading,
        this.#status,
      ),
      this.#form.element,
    );
  }

  show(state: StatisticsState, viewOptions: ViewOptions): void {
    this.#controls = state.controls;
    this.#viewOptions = viewOptions;
    this.#picker.show(state, viewOptions.utc);
    this.#form.show(state);
    this.#form.element.hidden = !viewOptions.advanced;
    this.#showTools(state, viewOptions);
  }

  #showTools(state: StatisticsState, viewOptions: ViewOptions): void {
    const { requestCount: reading, heading, production, series, controls } = state;
    const { refresh: again, stop, table, groups, compare, zoom, advanced, csv, png } = this.#tools;
    const empty = series.every(({ times }) => times.length === 0);
    showEither(again, stop, reading === undefined);
    table.ariaPressed = String(viewOptions.table);
    groups.ariaPressed = String(viewOptions.groups);
    compare.ariaPressed = String(controls.compare);
    zoom.hidden = viewOptions.beforeZoom === null;
    advanced.ariaExpanded = String(viewOptions.advanced);
    const count = countAdvanced(controls);
    advanced.lastChild?.replaceWith(count === 0 ? l10n.t('Advanced') : l10n.t('Advanced ({0})', formatNumber(count)));
    csv.disabled = empty;
    png.disabled = empty || viewOptions.table;
    this.#zone.selectedIndex = viewOptions.utc ? 0 : 1;
    this.#interval.textContent = formatInterval(series);
    // The tab has the heading, too: a second one only if it warns.
    this.#heading.textContent = heading;
    this.#heading.hidden = !production;
    const read = Math.min(...series.flatMap((one) => one.readAt ?? []));
    this.#status.textContent =
      reading !== undefined
        ? reading > 6
          ? pluralize(reading, l10n.t('Loading ({0} request)…|Loading ({0} requests)…'))
          : l10n.t('Loading…')
        : Number.isFinite(read)
          ? l10n.t('Updated {0}', formatClock(read, viewOptions.utc))
          : '';
  }
}

/** Formats the intervals of series as `Interval: day`. Empty if none is known. */
export function formatInterval(series: StatisticsState['series']): string {
  const intervals = [...new Set(series.filter(({ interval }) => interval !== '').map(({ interval }) => interval))];
  return intervals.length === 0 ? '' : l10n.t('Interval: {0}', formatList(intervals.map(formatIntervalName), 'unit'));
}

/** The name of an interval that the platform is asked for; other words are its own. */
function formatIntervalName(interval: string): string {
  switch (interval) {
    case 'minute':
      return l10n.t('minute');
    case 'hour':
      return l10n.t('hour');
    case 'day':
      return l10n.t('day');
    case 'week':
      return l10n.t('week');
    case 'month':
      return l10n.t('month');
    default:
      return interval;
  }
}

/** Shows one of two buttons, and keeps the focus. */
function showEither(one: HTMLButtonElement, other: HTMLButtonElement, first: boolean): void {
  const focused = [one, other].some((button) => button === getFocusedElement());
  one.hidden = !first;
  other.hidden = first;
  if (focused) (first ? one : other).focus();
}
