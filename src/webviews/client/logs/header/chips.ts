import add from '@vscode/codicons/src/icons/add.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import pin from '@vscode/codicons/src/icons/pin.svg';
import pinned from '@vscode/codicons/src/icons/pinned.svg';
import { rangeLabels, type Filters, type LogsState } from '../../../protocol/logs.ts';
import { createToolButton } from '../../controls.ts';
import { h } from '../../dom.ts';
import { formatFailureGroup } from '../pages/failure-groups.ts';
import type { Brush } from '../table/rows-model.ts';
import { formatTime } from '../time.ts';
import type { HeaderActions } from './header-actions.ts';

type ChipActions = Pick<HeaderActions, 'addFilter' | 'failure' | 'filter' | 'pin' | 'unbrush'>;

/** One part of what is shown: a connection, a filter, or a range of the histogram. */
interface Chip {
  readonly label: string;
  readonly title: string;
  readonly tone?: 'missing' | 'production' | undefined;
  /** changes the state so that this part is gone */
  readonly remove: (actions: ChipActions) => void;
}

/** Renders a chip for each filter, and the button that adds one. */
export function renderChips(state: LogsState, brush: Brush | undefined, actions: ChipActions): readonly HTMLElement[] {
  const { filters, following } = state.view;
  const chips = createChips(state, brush).map(({ label, title, tone, remove }, index) => {
    const isOnlyConnection = index === 0 && filters.connections.length === 1;
    const isPinned = following !== true;
    const button = isOnlyConnection
      ? createToolButton({
          icon: isPinned ? pinned : pin,
          label: 'Pin Connection (Do Not Follow the Active Connection)',
          isPressed: isPinned,
          onClick: () => {
            actions.pin(!isPinned);
          },
        })
      : createToolButton({
          icon: close,
          label: `Remove Filter ${label}`,
          onClick: () => {
            remove(actions);
          },
        });
    return h('span', { class: 'chip', title, 'data-tone': tone }, h('span', {}, label), button);
  });
  const addButton = createToolButton({
    icon: add,
    label: 'Filter…',
    text: true,
    onClick: () => {
      actions.addFilter();
    },
  });
  return [...chips, addButton];
}

/** Formats connections and filters in words, each by itself. */
export function formatFilters(state: LogsState, brush: Brush | undefined): readonly string[] {
  return createChips(state, brush).map(({ label }) => label);
}

/** Connections first. */
function createChips(state: LogsState, brush: Brush | undefined): readonly Chip[] {
  const { view, connections, organizations, labels, tab } = state;
  const { filters, mode, failure } = view;
  const isMultiple = filters.connections.length > 1;
  const chips = filters.connections.map((name): Chip => {
    const connection = connections.find((known) => known.name === name);
    return {
      label: connection?.production === true ? `PRODUCTION · ${name}` : name,
      title: connection?.heading ?? `The connection “${name}” does not exist`,
      tone: connection === undefined ? 'missing' : connection.production ? 'production' : undefined,
      remove: ({ filter }) => {
        filter({ ...filters, connections: filters.connections.filter((other) => other !== name) });
      },
    };
  });
  for (const id of filters.organizations) {
    const owners = organizations.filter((one) => one.id === id && filters.connections.includes(one.connection));
    // An organization filters only the connections that have it.
    const of = isMultiple && owners.length > 0 ? ` · ${owners.map((one) => one.connection).join(', ')}` : '';
    chips.push({
      label: `Organization: ${owners[0]?.label ?? id}${of}`,
      title: `Organization: ${id}${of}`,
      remove: ({ filter }) => {
        filter({ ...filters, organizations: filters.organizations.filter((other) => other !== id) });
      },
    });
  }
  for (const { name, label, title } of labels)
    chips.push({
      label,
      title,
      remove: ({ filter }) => {
        filter(omit(filters, name));
      },
    });
  if (filters.actions !== undefined)
    chips.push({
      label:
        filters.actions.length === 1 ? '1 run of an action file' : `${filters.actions.length} runs of an action file`,
      title: filters.actions.join('\n'),
      remove: ({ filter }) => {
        filter(omit(filters, 'actions'));
      },
    });
  // The toolbar of a tab shows the other ranges.
  if (filters.range === 'between' || (filters.range !== 'latest' && !tab)) {
    const label = `Created: ${formatRange(filters)}`;
    chips.push({
      label,
      title: label,
      remove: ({ filter }) => {
        filter({ ...omit(filters, 'from', 'to'), range: 'latest' });
      },
    });
  }
  if (mode === 'logs' && failure !== undefined)
    chips.push({
      label: `Failure: ${formatFailureGroup(failure)}`,
      title: formatFailureGroup(failure),
      remove: (actions) => {
        actions.failure(undefined);
      },
    });
  if (brush !== undefined)
    chips.push({
      label: `Selected: ${formatTime(brush.from)} – ${formatTime(brush.to)}`,
      title: 'Time range selected in the histogram',
      remove: ({ unbrush }) => {
        unbrush();
      },
    });
  return chips;
}

function formatRange({ range, from, to }: Filters): string {
  const format = (time: number | undefined): string => (time === undefined ? '…' : formatTime(time));
  return range === 'between' ? `${format(from)} – ${format(to)}` : rangeLabels[range].toLowerCase();
}

/** Returns the filters without some of them. */
export function omit<Name extends keyof Filters>(filters: Filters, ...names: Name[]): Omit<Filters, Name> {
  const left = { ...filters };
  for (const name of names) Reflect.deleteProperty(left, name);
  return left;
}
