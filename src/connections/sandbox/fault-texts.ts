/** The faults that users can choose, in plain words. */
import * as l10n from '@vscode/l10n';
import { pluralize } from '../../platform/text/localization.ts';
import { registry } from '../../platform/registry.ts';
import { getOperationName } from '../../platform/operation.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import type { Fault, FaultSpec } from '../../sandbox/faults/faults.ts';

export const ANY_ROUTE = '*';
const EXECUTE_ROUTE = 'POST /ebus/execute';

interface FaultRoute {
  /** as `FaultSpec.route` */
  readonly route: string;
  readonly label: string;
  readonly type: 'any' | 'execution' | 'list' | 'read';
}

/** The routes that faults can be limited to: all, executions, and the lists and reads of each kind. */
export function listRoutes(): readonly FaultRoute[] {
  const definitions: readonly ResourceDefinition[] = Object.values(registry);
  return [
    { route: EXECUTE_ROUTE, label: l10n.t('Executions'), type: 'execution' },
    { route: ANY_ROUTE, label: l10n.t('All requests'), type: 'any' },
    ...definitions.flatMap(({ label, list, read }): readonly FaultRoute[] => [
      ...(list === undefined
        ? []
        : [{ route: getOperationName(list.operation), label: l10n.t('{0}: list', label), type: 'list' as const }]),
      ...(read.by === 'path'
        ? [{ route: getOperationName(read.operation), label: l10n.t('{0}: one', label), type: 'read' as const }]
        : []),
    ]),
  ];
}

interface FaultChoice {
  readonly label: string;
  readonly spec: FaultSpec;
  /** routes for which it makes sense; absent: all */
  readonly types?: readonly FaultRoute['type'][];
}

interface FaultGroup {
  readonly label: string;
  readonly choices: readonly FaultChoice[];
}

/** All faults that users can choose, by what they affect. */
export function listFaultGroups(): readonly FaultGroup[] {
  const executions: readonly FaultRoute['type'][] = ['execution'];
  const lists: readonly FaultRoute['type'][] = ['list'];
  return [
    {
      label: l10n.t('Connection'),
      choices: [
        {
          label: l10n.t('connection lost after the platform has executed'),
          spec: { fault: 'resetBefore', phase: 'after' },
          types: executions,
        },
        { label: l10n.t('connection lost before the platform acts'), spec: { fault: 'resetBefore' } },
        { label: l10n.t('connection closed without a response'), spec: { fault: 'refuse' } },
        { label: l10n.t('response after 5 seconds'), spec: { fault: 'slowHeaders', delay: 5000 } },
        { label: l10n.t('response after 2 minutes'), spec: { fault: 'slowHeaders', delay: 120_000 } },
        { label: l10n.t('response that breaks off'), spec: { fault: 'resetBody' } },
      ],
    },
    {
      label: l10n.t('Errors'),
      choices: [
        { label: l10n.t('too many requests: wait 7 seconds (429)'), spec: { fault: 'rateLimited', retryAfter: 7 } },
        { label: l10n.t('unavailable: wait 2 seconds (503)'), spec: { fault: 'unavailable', retryAfter: 2 } },
        { label: l10n.t('internal error (500)'), spec: { fault: 'serverError' } },
        {
          label: l10n.t('gateway timeout after the platform has executed (504)'),
          spec: { fault: 'gatewayTimeout', phase: 'after' },
          types: executions,
        },
        { label: l10n.t('gateway timeout (504)'), spec: { fault: 'gatewayTimeout' } },
        { label: l10n.t('error page of a gateway (502)'), spec: { fault: 'htmlBadGateway' } },
        { label: l10n.t('credential refused (401)'), spec: { fault: 'unauthorized' } },
        { label: l10n.t('permission missing (403)'), spec: { fault: 'forbidden' } },
        { label: l10n.t('not found (404)'), spec: { fault: 'notFound' } },
        { label: l10n.t('changed meanwhile (409)'), spec: { fault: 'conflict' } },
        { label: l10n.t('request refused (422)'), spec: { fault: 'unprocessable' } },
      ],
    },
    {
      label: l10n.t('Responses'),
      choices: [
        { label: l10n.t('failed step in the response'), spec: { fault: 'failedStep' }, types: executions },
        { label: l10n.t('invalid JSON'), spec: { fault: 'truncatedJson' } },
        { label: l10n.t('web page instead of JSON'), spec: { fault: 'htmlOk' } },
        { label: l10n.t('required field missing'), spec: { fault: 'missingField' }, types: ['list', 'read'] },
        { label: l10n.t('field of another type'), spec: { fault: 'wrongType' }, types: ['list', 'read'] },
        { label: l10n.t('unknown value of a state'), spec: { fault: 'unknownEnum' }, types: ['list', 'read'] },
        { label: l10n.t('null instead of the list'), spec: { fault: 'nullList' }, types: lists },
        { label: l10n.t('invalid items in the list'), spec: { fault: 'badItem' }, types: lists },
        { label: l10n.t('the same page again and again'), spec: { fault: 'repeatedCursor' }, types: lists },
      ],
    },
  ];
}

/** The text of a fault; its technical name for one that a test or script added. */
function formatFaultName(fault: FaultSpec): string {
  const known = listFaultGroups()
    .flatMap(({ choices }) => choices)
    .find(
      ({ spec }) =>
        spec.fault === fault.fault &&
        (spec.phase ?? 'before') === (fault.phase ?? 'before') &&
        spec.retryAfter === fault.retryAfter &&
        [undefined, fault.delay ?? 1000].includes(spec.delay),
    );
  return known?.label ?? fault.fault;
}

/** `Next 3 executions`; `count`: null for all. */
export function formatFaultCount(route: string, count: number | null): string {
  if (route === EXECUTE_ROUTE)
    return count === null
      ? l10n.t('Every execution')
      : pluralize(count, l10n.t('Next {0} execution|Next {0} executions'));
  return count === null ? l10n.t('Every request') : pluralize(count, l10n.t('Next {0} request|Next {0} requests'));
}

/** `Next 3 executions: connection lost after the platform has executed`. */
export function formatFault(
  fault: Pick<Fault, 'route' | 'fault' | 'phase' | 'delay' | 'retryAfter'>,
  left: number | null,
): string {
  const { route } = fault;
  const count = formatFaultCount(route, left);
  const name = formatFaultName(fault);
  if (route === EXECUTE_ROUTE || route === ANY_ROUTE) return l10n.t('{0}: {1}', count, name);
  const label = listRoutes().find((each) => each.route === route)?.label ?? route;
  return l10n.t('{0} ({1}): {2}', count, label, name);
}
