/** Sends each safe operation of the contract once, and records status and drift. */
import * as l10n from '@vscode/l10n';
import type { PlatformClient } from '../../platform/client.ts';
import { PlatformError } from '../../platform/errors.ts';
import { getValuesAt } from '../../platform/json/field-values.ts';
import { isObject } from '../../platform/json/json.ts';
import { getOperationName, type Operation } from '../../platform/operation.ts';
import type { Page } from '../../platform/page.ts';
import { getDefinition, kinds, registry } from '../../platform/registry.ts';
import { isUnlisted, type ResourceDefinition } from '../../platform/resource.ts';
import { statisticsSeries } from '../../platform/resources/statistics.ts';
import type { Drift } from '../../platform/schema.ts';
import { OWN_ROLE } from '../../platform/resources/roles.ts';
import { pluralize, quote } from '../../platform/text/localization.ts';

export interface OperationResult {
  readonly operation: string;
  readonly outcome: 'answers' | 'refused' | 'fails' | 'skipped';
  /** plain text; may contain server text */
  readonly detail: string;
  readonly milliseconds?: number;
  readonly error?: PlatformError;
  /** differences from the contract, without duplicates, with counts */
  readonly drift: readonly (Drift & { readonly count: number })[];
}

export interface CheckTarget {
  readonly client: PlatformClient;
  /** read after the lists, which may add organizations */
  readonly organizations: readonly { readonly id: string }[];
  /** receives the organizations discovered in lists */
  addDiscoveredOrganizations(organizationIds: Iterable<string>): void;
}

/** Items of each list that are checked for drift. */
const SAMPLE_SIZE = 10;
/** Operations with side effects; never sent. */
const OPERATIONS_WITH_EFFECTS = ['POST /wallets', 'GET /organizations/{organizationId}/invite', 'POST /ebus/execute'];

/** Checks all operations; calls `report` after each. Rejects only when `signal` is aborted. */
export async function checkContract(
  target: CheckTarget,
  signal: AbortSignal,
  report: (operation: string) => void,
): Promise<readonly OperationResult[]> {
  const { client } = target;
  const results: OperationResult[] = [];
  const organizationIds = new Set<string>();
  const ids = new Map<string, string>();
  const run = async (
    operation: Operation,
    send: () => Promise<{ readonly drift: readonly Drift[]; readonly detail: string }>,
  ): Promise<void> => {
    const name = getOperationName(operation);
    report(name);
    results.push(await runOperation(name, send));
  };
  for (const kind of kinds) {
    // The registry types each definition differently; all are `ResourceDefinition`s.
    const definition: ResourceDefinition = registry[kind];
    if (definition.list === undefined) continue;
    const unlisted = Object.entries(definition.references).filter(([, target]) => isUnlisted(getDefinition(target)));
    await run(definition.list.operation, async () => {
      // The newest items may lack the reference: the newest logs have no batch yet.
      const limit = unlisted.length > 0 ? 100 : SAMPLE_SIZE;
      const page = await client.listPageFor(definition, { limit }, { signal });
      const first = page.items.find((item) => item.id !== undefined)?.id;
      if (first !== undefined) ids.set(kind, first);
      for (const [path, target] of unlisted) {
        const id = page.items.flatMap(({ raw }) => getValuesAt(raw, path))[0];
        if (id !== undefined) ids.set(target, id);
      }
      for (const { raw } of page.items)
        if (isObject(raw) && typeof raw['org_id'] === 'string') organizationIds.add(raw['org_id']);
      return {
        drift: [...page.drift, ...page.items.slice(0, SAMPLE_SIZE).flatMap((item) => item.drift)],
        detail: formatCount(page),
      };
    });
  }
  target.addDiscoveredOrganizations(organizationIds);
  const organization = target.organizations[0]?.id;
  for (const kind of kinds) {
    const definition: ResourceDefinition = registry[kind];
    if (definition.read.by !== 'path') continue;
    const read = async (item: readonly string[]): Promise<{ drift: readonly Drift[]; detail: string }> => {
      const reading = await client.readFor(definition, item, { signal });
      return { drift: reading.item.drift, detail: '' };
    };
    const variants = Object.entries(definition.read.variants ?? {});
    for (const [last, { operation }] of variants) {
      if (organization === undefined) results.push(createSkippedResult(operation, l10n.t('No known organization')));
      else await run(operation, () => read([organization, last]));
    }
    const id = ids.get(kind);
    if (variants.length > 0) {
      const role = organization === undefined ? undefined : await readRoleId(client, organization, signal);
      if (organization === undefined || role === undefined)
        results.push(createSkippedResult(definition.read.operation, l10n.t('No known role')));
      else await run(definition.read.operation, () => read([organization, role]));
    } else if (id === undefined)
      results.push(createSkippedResult(definition.read.operation, l10n.t('No known ID of this kind')));
    else await run(definition.read.operation, () => read([id]));
  }
  const [executions, fees, creations] = statisticsSeries;
  const series = [
    [executions.operation, () => client.statistics(executions, { limit: SAMPLE_SIZE }, { signal })],
    [fees.operation, () => client.statistics(fees, { limit: SAMPLE_SIZE }, { signal })],
    [creations.operation, () => client.statistics(creations, { limit: SAMPLE_SIZE }, { signal })],
  ] as const;
  for (const [operation, send] of series) {
    await run(operation, async () => {
      const page = await send();
      return { drift: [...page.drift, ...page.items.flatMap((item) => item.drift)], detail: formatCount(page) };
    });
  }
  return [
    ...results,
    ...OPERATIONS_WITH_EFFECTS.map(
      (operation) => ({ operation, outcome: 'skipped', detail: l10n.t('Changes data'), drift: [] }) as const,
    ),
  ];
}

async function readRoleId(
  client: PlatformClient,
  organization: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await client.read('roles', [organization, OWN_ROLE], { signal })).item.id;
  } catch (error) {
    if (error instanceof PlatformError && error.code !== 'cancelled') return undefined;
    throw error;
  }
}

async function runOperation(
  operation: string,
  send: () => Promise<{ readonly drift: readonly Drift[]; readonly detail: string }>,
): Promise<OperationResult> {
  const started = performance.now();
  const getDuration = (): number => Math.round(performance.now() - started);
  try {
    const { drift, detail } = await send();
    return { operation, outcome: 'answers', detail, milliseconds: getDuration(), drift: groupDrift(drift) };
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code === 'cancelled') throw error;
    const refused = error.code === 'forbidden' || error.code === 'unauthenticated';
    const quoted = error.detail.serverMessage === undefined ? '' : ` — ${quote(error.detail.serverMessage)}`;
    return {
      operation,
      outcome: refused ? 'refused' : 'fails',
      detail: `${error.message}${quoted}`,
      milliseconds: getDuration(),
      error,
      drift: [],
    };
  }
}

function createSkippedResult(operation: Operation, detail: string): OperationResult {
  return { operation: getOperationName(operation), outcome: 'skipped', detail, drift: [] };
}

function formatCount(page: Page): string {
  return page.next === undefined
    ? pluralize(page.items.length, l10n.t('{0} item|{0} items'))
    : pluralize(page.items.length, l10n.t('{0} item, and more|{0} items, and more'));
}

/** Merges equal differences; list indexes in their paths are ignored. */
function groupDrift(drift: readonly Drift[]): OperationResult['drift'] {
  const found = new Map<string, Drift & { count: number }>();
  for (const entry of drift) {
    const path = entry.path.replace(/\[\d+\]/g, '[]');
    const key = `${path}\n${entry.message}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { ...entry, path, count: 1 });
    else known.count++;
  }
  return [...found.values()];
}
