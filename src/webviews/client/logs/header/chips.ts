import * as l10n from '@vscode/l10n';
import { formatList, pluralize } from '../../../../platform/text/localization.ts';
import add from '@vscode/codicons/src/icons/add.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import pin from '@vscode/codicons/src/icons/pin.svg';
import pinned from '@vscode/codicons/src/icons/pinned.svg';
import type { Filters, LogsState } from '../../../protocol/logs.ts';
import { createToolButton } from '../../controls.ts';
import { h } from '../../dom.ts';
import { formatFailureGroup } from '../../../protocol/failure-groups.ts';
import type { Brush } from '../table/rows-model.ts';
import { formatTime } from '../time.ts';
import type { HeaderActions } from './header-actions.ts';

type ChipActions = Pick<HeaderActions, 'post' | 'addFilter' | 'unbrush'>;

/** One part of what is shown: a connection, a filter, or a range of the histogram. */
interface Chip {
  readonly label: string;
  readonly title: string;
  readonly tone?: 'missing' | 'production' | undefined;
  /** removes this filter from the state */
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
          label: l10n.t('Pin Connection (Do Not Follow the Active Connection)'),
          isPressed: isPinned,
          onClick: () => actions.post('pin', { pinned: !isPinned }),
        })
      : createToolButton({ icon: close, label: l10n.t('Remove Filter {0}', label), onClick: () => remove(actions) });
    return h('span', { class: 'chip', title, 'data-tone': tone }, h('span', {}, label), button);
  });
  const addButton = createToolButton({
    icon: add,
    label: l10n.t('Filter…'),
    text: true,
    onClick: () => actions.addFilter(),
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
      label: connection?.production === true ? `${l10n.t('PRODUCTION')} · ${name}` : name,
      title: connection?.heading ?? l10n.t('The connection “{0}” does not exist', name),
      tone: connection === undefined ? 'missing' : connection.production ? 'production' : undefined,
      remove: ({ post }) =>
        post('filter', { ...filters, connections: filters.connections.filter((other) => other !== name) }),
    };
  });
  for (const id of filters.organizations) {
    const owners = organizations.filter((one) => one.id === id && filters.connections.includes(one.connection));
    // An organization filters only the connections that have it.
    const of =
      isMultiple && owners.length > 0
        ? ` · ${formatList(
            owners.map((one) => one.connection),
            'unit',
          )}`
        : '';
    chips.push({
      label: l10n.t('Organization: {0}', `${owners[0]?.label ?? id}${of}`),
      title: l10n.t('Organization: {0}', `${id}${of}`),
      remove: ({ post }) =>
        post('filter', { ...filters, organizations: filters.organizations.filter((other) => other !== id) }),
    });
  }
  for (const { name, label, title } of labels)
    chips.push({ label, title, remove: ({ post }) => post('filter', omit(filters, name)) });
  if (filters.actions !== undefined)
    chips.push({
      label: pluralize(filters.actions.length, l10n.t('{0} run of an action file|{0} runs of an action file')),
      title: filters.actions.join('\n'),
      remove: ({ post }) => post('filter', omit(filters, 'actions')),
    });
  // The toolbar of a tab shows the other ranges.
  if (filters.range === 'between' || (filters.range !== 'latest' && !tab)) {
    const label = formatCreated(filters);
    chips.push({
      label,
      title: label,
      remove: ({ post }) => post('filter', { ...omit(filters, 'from', 'to'), range: 'latest' }),
    });
  }
  if (mode === 'logs' && failure !== undefined)
    chips.push({
      label: l10n.t('Failure: {0}', formatFailureGroup(failure)),
      title: formatFailureGroup(failure),
      remove: ({ post }) => post('failure', {}),
    });
  if (brush !== undefined)
    chips.push({
      label: l10n.t('Selected: {0} – {1}', formatTime(brush.from), formatTime(brush.to)),
      title: l10n.t('Time range selected in the histogram'),
      remove: ({ unbrush }) => unbrush(),
    });
  return chips;
}

function formatCreated({ range, from, to }: Filters): string {
  const format = (time: number | undefined): string => (time === undefined ? '…' : formatTime(time));
  switch (range) {
    case 'latest':
      return l10n.t('Created: any time');
    case 'hour':
      return l10n.t('Created: last hour');
    case 'today':
      return l10n.t('Created: today');
    case 'session':
      return l10n.t('Created: this session');
    case 'between':
      return l10n.t('Created: {0} – {1}', format(from), format(to));
  }
}

/** Returns the filters without some of them. */
export function omit<Name extends keyof Filters>(filters: Filters, ...names: Name[]): Omit<Filters, Name> {
  const left = { ...filters };
  for (const name of names) Reflect.deleteProperty(left, name);
  return left;
}
