/** What the tree shows of a running sandbox. */
import * as l10n from '@vscode/l10n';
import { formatNumber, pluralize } from '../../platform/text/localization.ts';
import { formatTimestamp } from '../../model/text/time-format.ts';
import { formatFault } from './fault-texts.ts';
import { getSandbox } from './running.ts';

/** `500 objects · 12 requests · clock paused at 10:31:02`; empty if the connection has no sandbox. */
export function formatSandboxStatus(connection: string): string {
  const status = getSandbox(connection)?.status;
  if (status === undefined) return '';
  const { objects, requests, faults } = status;
  return [
    pluralize(objects, l10n.t('{0} object|{0} objects')),
    pluralize(requests, l10n.t('{0} request|{0} requests')),
    ...(faults.length === 0 ? [] : [pluralize(faults.length, l10n.t('{0} fault|{0} faults'))]),
    formatClock(connection),
  ].join(' · ');
}

/** The lines of the tooltip: label and value. */
export function listSandboxDetails(connection: string): readonly (readonly [label: string, value: string])[] {
  const sandbox = getSandbox(connection);
  if (sandbox === undefined) return [];
  const { status, state, profile } = sandbox;
  return [
    [l10n.t('Base URL'), profile.baseUrl],
    [l10n.t('Seed'), String(state.seed)],
    [l10n.t('Objects'), formatNumber(status.objects)],
    [l10n.t('Requests'), formatNumber(status.requests)],
    [l10n.t('Clock'), formatClock(connection)],
    ...status.faults.map((fault) => [l10n.t('Fault'), formatFault(fault, fault.left)] as const),
  ];
}

/** A running clock has no time here: the row is rendered again with the next request only. */
function formatClock(connection: string): string {
  const status = getSandbox(connection)?.status;
  if (status?.paused !== true) return l10n.t('clock running');
  return l10n.t('clock paused at {0}', formatTimestamp(status.now));
}
