/** Scenarios, `NAME.scenario.json`: a suite with a sandbox of its own, and faults. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { getOperationName, type Operation } from '../../platform/operation.ts';
import { registry } from '../../platform/registry.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { executeAction } from '../../platform/resources/actions.ts';
import { confirmInvite } from '../../platform/resources/invites.ts';
import { getDefaultRole, getMyRole, getRole } from '../../platform/resources/roles.ts';
import { statisticsSeries } from '../../platform/resources/statistics.ts';
import { registerWallet } from '../../platform/resources/wallets.ts';
import { formatList } from '../../platform/text/localization.ts';
import { faultSchema, type FaultSpec } from '../../sandbox/faults/faults.ts';
import { parseState, type SandboxState } from '../../sandbox/state.ts';
import { parseScenario } from './expectation.ts';

/** Milliseconds until logs and ledger batches settle, so that scenarios are quick. */
const DELAYS = { indexDelay: 50, settleDelay: 150, batchDelay: 150 };

const scenarioSchema = z.object({
  sandbox: z._default(
    z.strictObject({
      seed: z._default(z.int().check(z.gte(0)), 1),
      objects: z._default(z.int().check(z.gte(0)), 500),
      /** file of a saved state, relative to the scenario */
      state: z.optional(z.string()),
    }),
    { seed: 1, objects: 500 },
  ),
  faults: z._default(z.array(faultSchema), []),
});

/** What a scenario is run in. */
export interface Scenario {
  /** options of its sandbox, or the state from which that continues */
  readonly from: (SandboxState | { readonly seed: number; readonly objects: number }) & typeof DELAYS;
  readonly faults: readonly FaultSpec[];
}

/**
 * Reads the sandbox and the faults of a scenario. `readState`: reads a file, relative to the scenario. Rejects with
 * TestFileError for invalid JSON, and with Error for other problems.
 */
export async function readScenario(
  text: string,
  readState: (relative: string) => Promise<string | undefined>,
): Promise<Scenario> {
  const { data, error } = z.safeParse(scenarioSchema, parseScenario(text));
  if (error !== undefined) throw new Error(error.issues.map(formatIssue).join('; '));
  const routes = listRoutes();
  const unknown = data.faults.find(({ route }) => !routes.has(route));
  if (unknown !== undefined)
    throw new Error(
      l10n.t('{0} is not a request of the API, such as {1}', unknown.route, getOperationName(executeAction)),
    );
  const { state: file, ...options } = data.sandbox;
  if (file === undefined) return { from: { ...options, ...DELAYS }, faults: data.faults };
  const state = parseState((await readState(file)) ?? '');
  if (state === undefined) throw new Error(l10n.t('{0} is not the state of a sandbox', file));
  // Nothing settles while a clock is paused.
  return { from: { ...state, pausedAt: undefined, ...DELAYS }, faults: data.faults };
}

/** The routes that a fault can have: with another one it would never happen, and its scenario would prove nothing. */
function listRoutes(): ReadonlySet<string> {
  const definitions: readonly ResourceDefinition[] = Object.values(registry);
  const operations: readonly Operation[] = [
    ...[executeAction, registerWallet, confirmInvite, getDefaultRole, getMyRole, getRole],
    ...statisticsSeries.map(({ operation }) => operation),
    ...definitions.flatMap(({ list, read }) => [
      ...(list === undefined ? [] : [list.operation]),
      ...(read.by === 'path' ? [read.operation] : []),
    ]),
  ];
  return new Set(['*', 'POST /auth/refresh', ...operations.map(getOperationName)]);
}

/** What is wrong, with its path: the names of unknown properties, or the values that are allowed. */
function formatIssue(issue: z.core.$ZodIssue): string {
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? [issue.keys.join()] : [])].join('.');
  return issue.code === 'invalid_value'
    ? l10n.t('{0} must be one of {1}', path, formatList(issue.values.map(String), 'unit'))
    : `${path}: ${issue.message}`;
}
