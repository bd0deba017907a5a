import * as l10n from '@vscode/l10n';
import { formatList, pluralize } from '../../../platform/text/localization.ts';
import debugStop from '@vscode/codicons/src/icons/debug-stop.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import fileMedia from '@vscode/codicons/src/icons/file-media.svg';
import groupIcon from '@vscode/codicons/src/icons/group-by-ref-type.svg';
import historyIcon from '@vscode/codicons/src/icons/history.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import tableIcon from '@vscode/codicons/src/icons/table.svg';
import zoomOut from '@vscode/codicons/src/icons/zoom-out.svg';
import type { Controls, ViewOptions, StatisticsState, statisticsProtocol } from '../../protocol/statistics.ts';
import { createSelect, createToolButton } from '../controls.ts';
import { getFocusedElement, h } from '../dom.ts';
import type { Post } from '../host-connection.ts';
import { Filters } from './filters.ts';
import { TimePicker } from './time-picker.ts';
import { formatClock, getZoneName } from './time.ts';

interface ToolbarActions {
  readonly change: (controls: Partial<Controls>) => void;
  readonly setViewOptions: (change: Partial<ViewOptions>) => void;
  readonly resetZoom: () => void;
  readonly png: () => void;
  readonly post: Post<typeof statisticsProtocol>;
}

/** The names of the intervals that can be chosen. */
const INTERVALS: Readonly<Record<string, string>> = {
  minute: l10n.t('minute'),
  hour: l10n.t('hour'),
  day: l10n.t('day'),
  week: l10n.t('week'),
  month: l10n.t('month'),
};

/** The controls above the charts. Built once: a state from the host does not replace a focused field. */
export class Toolbar {
  readonly element: HTMLElement;
  readonly #picker: TimePicker;
  readonly #filters: Filters;
  readonly #tools;
  readonly #interval: HTMLSelectElement;
  readonly #zone: HTMLSelectElement;
  readonly #heading = h('span', { class: 'chip' });
  readonly #status = h('span', { class: 'status', role: 'status' });

  constructor(actions: ToolbarActions) {
    const { change, setViewOptions, post } = actions;
    this.#picker = new TimePicker(change);
    this.#filters = new Filters(change);
    /** A button that is pressed or not; `set` is called with the new state. */
    const createToggle = (icon: string, label: string, set: (isOn: boolean) => void, text = false) => {
      const onClick = (): void => set(button.ariaPressed !== 'true');
      const button: HTMLButtonElement = createToolButton({ icon, label, text, isPressed: false, onClick });
      return button;
    };
    const tools = (this.#tools = {
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
      groups: createToggle(groupIcon, l10n.t('Group by Key'), (groups) => setViewOptions({ groups }), true),
      compare: createToggle(historyIcon, l10n.t('Compare with Previous Period'), (compare) => change({ compare })),
      table: createToggle(tableIcon, l10n.t('Show Tables (T)'), (table) => setViewOptions({ table })),
      refresh: createToolButton({ icon: refresh, label: l10n.t('Refresh'), onClick: () => post('refresh', {}) }),
      stop: createToolButton({ icon: debugStop, label: l10n.t('Cancel'), onClick: () => post('stop', {}) }),
      csv: createToolButton({ icon: exportIcon, label: l10n.t('Export CSV…'), onClick: () => post('csv', {}) }),
      png: createToolButton({ icon: fileMedia, label: l10n.t('Export PNG…'), onClick: actions.png }),
    });
    this.#interval = createSelect({
      label: l10n.t('Interval'),
      choices: ['', ...Object.keys(INTERVALS)].map((value) => ({ value, label: formatInterval([value]) })),
      value: '',
      onSelect: (interval) => change({ interval }),
    });
    this.#zone = createSelect({
      label: l10n.t('Time zone'),
      choices: [
        { value: 'utc', label: 'UTC' },
        { value: 'local', label: l10n.t('Local: {0}', getZoneName(false)) },
      ],
      value: 'utc',
      onSelect: (zone) => setViewOptions({ utc: zone === 'utc' }),
    });
    const { zoom, groups, compare, table, ...others } = tools;
    this.element = h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('View options') },
      ...this.#picker.elements,
      this.#interval,
      ...[zoom, groups, compare, table],
      this.#zone,
      ...Object.values(others),
      this.#filters.element,
      h('span', { class: 'spring' }),
      this.#heading,
      this.#status,
    );
  }

  show(state: StatisticsState, { table, groups, utc, beforeZoom }: ViewOptions): void {
    const { requestCount: reading, heading, production, series, controls } = state;
    const tools = this.#tools;
    this.#picker.show(state, utc);
    this.#filters.show(state);
    const empty = series.every(({ times }) => times.length === 0);
    showEither(tools.refresh, tools.stop, reading === undefined);
    tools.table.ariaPressed = String(table);
    tools.groups.ariaPressed = String(groups);
    tools.compare.ariaPressed = String(controls.compare);
    tools.zoom.hidden = beforeZoom === null;
    tools.csv.disabled = empty;
    tools.png.disabled = empty || table;
    this.#zone.value = utc ? 'utc' : 'local';
    const [automatic] = this.#interval.options;
    if (automatic !== undefined)
      automatic.text = l10n.t('Interval: {0} (automatic)', formatIntervals(series.map(({ interval }) => interval)));
    this.#interval.value = controls.interval;
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
          ? l10n.t('Updated {0}', formatClock(read, utc))
          : '';
  }
}

/** Formats intervals as `Interval: day`. Empty if none is known. */
export function formatInterval(intervals: readonly string[]): string {
  const names = formatIntervals(intervals);
  return names === '' ? '' : l10n.t('Interval: {0}', names);
}

function formatIntervals(intervals: readonly string[]): string {
  const known = new Set(intervals.filter((interval) => interval !== ''));
  return formatList(
    [...known].map((interval) => INTERVALS[interval] ?? interval),
    'unit',
  );
}

/** Shows one of two buttons, and keeps the focus. */
function showEither(one: HTMLButtonElement, other: HTMLButtonElement, first: boolean): void {
  const focused = [one, other].some((button) => button === getFocusedElement());
  one.hidden = !first;
  other.hidden = first;
  if (focused) (first ? one : other).focus();
}
