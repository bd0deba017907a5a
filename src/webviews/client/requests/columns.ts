import * as l10n from '@vscode/l10n';
import { formatBytes, formatUnit } from '../../../platform/text/localization.ts';
import type { RequestRow } from '../../protocol/requests.ts';
import { h } from '../dom.ts';
import type { GridColumn } from '../grid.ts';
import { getDuration, type Bar, type TimingPart } from './waterfall.ts';

export const PART_LABELS: Readonly<Record<TimingPart, string>> = {
  queue: l10n.t('Queue'),
  connect: l10n.t('Connection'),
  wait: l10n.t('First byte'),
  receive: l10n.t('Body'),
};

const timeFormat = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

/** Formats milliseconds, from a second on in seconds. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000
    ? formatUnit(Math.round(milliseconds), 'millisecond')
    : formatUnit(milliseconds / 1000, 'second', { digits: 2 });
}

/** The status, or how the request failed without one. */
export function formatOutcome({ status }: RequestRow): string {
  return status === undefined ? l10n.t('No response') : String(status);
}

/** True for a request that failed. */
export function isFailed({ status, error }: RequestRow): boolean {
  return error !== undefined || status === undefined || status >= 400;
}

/** The parts of the duration, one a line. */
export function listTimings({ timings }: RequestRow): readonly (readonly [TimingPart, number])[] {
  const { queue, connect, wait, receive } = timings;
  const parts = [['queue', queue] as const, ['connect', connect] as const, ['wait', wait] as const];
  return [...parts, ['receive', receive] as const].flatMap(([part, time]) =>
    time === undefined ? [] : [[part, time]],
  );
}

/** Returns the columns. `getBar`: where the bar of a request is. */
export function listColumns(getBar: (row: RequestRow) => Bar | undefined): readonly GridColumn<RequestRow>[] {
  return [
    { label: l10n.t('Time'), width: '90px', getText: ({ startedAt }) => timeFormat.format(startedAt) },
    {
      label: l10n.t({ message: 'Request', args: [], comment: 'Column: method and address of a request' }),
      width: '240px',
      grows: 2,
      getText: ({ operation, path }) => `${operation.split(' ')[0] ?? ''} ${path}`,
    },
    {
      label: l10n.t('Status'),
      width: 'max(60px, 12ch)',
      class: 'status',
      getText: formatOutcome,
      getTitle: (row) => row.error ?? formatOutcome(row),
    },
    { label: l10n.t('Duration'), width: '72px', class: 'number', getText: (row) => formatDuration(getDuration(row)) },
    {
      label: l10n.t('Waterfall'),
      width: '160px',
      grows: 1,
      class: 'waterfall',
      getText: () => '',
      getTitle: (row) =>
        listTimings(row)
          .map(([part, time]) => `${PART_LABELS[part]}: ${formatDuration(time)}`)
          .join('\n'),
      render: (row) => {
        const bar = getBar(row);
        return bar === undefined ? [] : [renderBar(bar)];
      },
    },
    {
      label: l10n.t('Size'),
      width: '72px',
      class: 'number',
      getText: ({ size }) => (size === undefined ? '' : formatBytes(size)),
    },
    {
      label: l10n.t('Attempt'),
      width: '64px',
      class: 'number',
      getText: ({ attempt }) => (attempt > 1 ? String(attempt) : ''),
    },
    { label: l10n.t('Rate Limit'), width: '160px', getText: ({ rateLimit = '' }) => rateLimit },
    { label: l10n.t('Request ID'), width: '140px', getText: ({ requestId = '' }) => requestId },
  ];
}

function renderBar({ left, parts }: Bar): HTMLElement {
  return h(
    'span',
    { class: 'bar', style: { left: `${String(left)}%` } },
    ...parts.map(({ part, width }) => width > 0 && h('span', { class: part, style: { width: `${String(width)}%` } })),
  );
}
