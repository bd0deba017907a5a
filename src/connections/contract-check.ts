/** Asks each harmless operation of the contract once, and notes how it answers and where it drifts (pure). */
import type { PlatformClient } from '../platform/client.ts';
import { PlatformError } from '../platform/errors.ts';
import { isObject } from '../platform/json.ts';
import { nameOf, type Operation } from '../platform/operation.ts';
import type { Page } from '../platform/page.ts';
import { kinds, registry, type Kind } from '../platform/registry.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { statistics } from '../platform/resources/statistics.ts';
import type { Drift } from '../platform/schema.ts';

export interface OperationResult {
  readonly operation: string;
  readonly outcome: 'answers' | 'refused' | 'fails' | 'not asked';
  /** plain text; may hold a server's words */
  readonly detail: string;
  readonly milliseconds?: number;
  readonly error?: PlatformError;
  /** differences met, each once, with how often */
  readonly drift: readonly (Drift & { readonly count: number })[];
}

export interface CheckTarget {
  readonly client: PlatformClient;
  /** read after the lists, which may add to it */
  readonly organizations: readonly { readonly id: string }[];
  /** hears of the organizations met in the lists */
  discover(organizationIds: Iterable<string>): void;
}

/** Items whose drift is looked at, of each list. */
const SAMPLE = 10;
/** Never asked: they have an effect. */
const EFFECTS = ['POST /wallets', 'GET /organizations/{organizationId}/invite', 'POST /ebus/execute'];

/** `report` hears of each operation as it is done. */
export async function checkContract(
  target: CheckTarget,
  signal: AbortSignal,
  report: (operation: string) => void,
): Promise<readonly OperationResult[]> {
  const { client } = target;
  const results: OperationResult[] = [];
  const met = new Set<string>();
  const ids = new Map<Kind, string>();
  const run = async (
    operation: Operation,
    send: () => Promise<{ readonly drift: readonly Drift[]; readonly detail: string }>,
  ): Promise<void> => {
    const name = nameOf(operation);
    report(name);
    results.push(await measured(name, send));
  };
  for (const kind of kinds) {
    // The rows differ in type, and all are rows.
    const row: ResourceRow = registry[kind];
    if (row.list === undefined) continue;
    await run(row.list.operation, async () => {
      // The newest logs are in no batch yet.
      const page = await client.pageOf(row, { limit: kind === 'action-logs' ? 100 : SAMPLE }, { signal });
      const first = page.items.find((item) => item.id !== undefined)?.id;
      if (first !== undefined) ids.set(kind, first);
      if (kind === 'action-logs') noteBatch(page, ids);
      for (const { raw } of page.items) if (isObject(raw) && typeof raw['org_id'] === 'string') met.add(raw['org_id']);
      return {
        drift: [...page.drift, ...page.items.slice(0, SAMPLE).flatMap((item) => item.drift)],
        detail: countOf(page),
      };
    });
  }
  target.discover(met);
  const organization = target.organizations[0]?.id;
  for (const kind of kinds) {
    const row: ResourceRow = registry[kind];
    if (row.read.by !== 'path') continue;
    const read = async (item: readonly string[]): Promise<{ drift: readonly Drift[]; detail: string }> => {
      const reading = await client.readOf(row, item, { signal });
      return { drift: reading.item.drift, detail: '' };
    };
    const variants = Object.entries(row.read.variants ?? {});
    for (const [last, operation] of variants) {
      if (organization === undefined) results.push(notAsked(operation, 'no organization is known'));
      else await run(operation, () => read([organization, last]));
    }
    const id = ids.get(kind);
    if (variants.length > 0) {
      const role = organization === undefined ? undefined : await roleId(client, organization, signal);
      if (organization === undefined || role === undefined)
        results.push(notAsked(row.read.operation, 'no role is known'));
      else await run(row.read.operation, () => read([organization, role]));
    } else if (id === undefined) results.push(notAsked(row.read.operation, `no ${row.singular} is known`));
    else await run(row.read.operation, () => read([id]));
  }
  const [executions, fees, creations] = statistics;
  const series = [
    [executions.operation, () => client.statistics(executions, { limit: SAMPLE }, { signal })],
    [fees.operation, () => client.statistics(fees, { limit: SAMPLE }, { signal })],
    [creations.operation, () => client.statistics(creations, { limit: SAMPLE }, { signal })],
  ] as const;
  for (const [operation, send] of series) {
    await run(operation, async () => {
      const page = await send();
      return { drift: [...page.drift, ...page.items.flatMap((item) => item.drift)], detail: countOf(page) };
    });
  }
  return [
    ...results,
    ...EFFECTS.map(
      (operation) => ({ operation, outcome: 'not asked', detail: 'it has an effect', drift: [] }) as const,
    ),
  ];
}

/** Batches have no list: one is known from an action log. */
function noteBatch(page: Page, ids: Map<Kind, string>): void {
  for (const { raw } of page.items) {
    const id: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'batch_id') : undefined;
    if (typeof id === 'string' && id !== '') {
      ids.set('batches', id);
      return;
    }
  }
}

async function roleId(client: PlatformClient, organization: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await client.read('roles', [organization, 'myrole'], { signal })).item.id;
  } catch (error) {
    if (error instanceof PlatformError && error.code !== 'cancelled') return undefined;
    throw error;
  }
}

async function measured(
  operation: string,
  send: () => Promise<{ readonly drift: readonly Drift[]; readonly detail: string }>,
): Promise<OperationResult> {
  const started = performance.now();
  const took = (): number => Math.round(performance.now() - started);
  try {
    const { drift, detail } = await send();
    return { operation, outcome: 'answers', detail, milliseconds: took(), drift: counted(drift) };
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code === 'cancelled') throw error;
    const refused = error.code === 'forbidden' || error.code === 'unauthenticated';
    const words = error.detail.serverMessage === undefined ? '' : ` — “${error.detail.serverMessage}”`;
    return {
      operation,
      outcome: refused ? 'refused' : 'fails',
      detail: `${error.message}${words}`,
      milliseconds: took(),
      error,
      drift: [],
    };
  }
}

function notAsked(operation: Operation, detail: string): OperationResult {
  return { operation: nameOf(operation), outcome: 'not asked', detail, drift: [] };
}

function countOf(page: Page): string {
  return `${String(page.items.length)} item${page.items.length === 1 ? '' : 's'}${page.next === undefined ? '' : ', and more'}`;
}

/** Equal differences once, list positions taken out of their paths. */
function counted(drift: readonly Drift[]): OperationResult['drift'] {
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
