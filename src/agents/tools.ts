/** The tools that language models can call and that only read: names, inputs and results. */
import * as z from 'zod/mini';
import { parseActionFile } from '../actions/file/action-file.ts';
import { checkActionFile } from '../actions/file/check-action-file.ts';
import { ConditionError, createFilter, listConditionParameters } from '../explorer/filter/condition.ts';
import { resolveFilter } from '../explorer/filter/filter.ts';
import { getSearchParameter } from '../explorer/search/list-search.ts';
import { readHistory } from '../logs/history/read-history.ts';
import { PlatformError } from '../platform/errors.ts';
import type { AnyQuery } from '../platform/operation.ts';
import { kinds, registry, type Kind } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { statisticsSeries } from '../platform/resources/statistics.ts';
import { querySeries } from '../statistics/query-series.ts';
import { toJsonPoint } from '../statistics/read-points.ts';
import { previewRequest } from './preview-tool.ts';
import {
  actionText,
  connection,
  defineTool,
  describe,
  getSession,
  offset,
  text,
  ToolInputError,
  type Tool,
  type ToolSession,
} from './tool.ts';
import { DEFAULT_CONTROLS } from '../webviews/protocol/statistics.ts';
import { formatUntrustedData } from './untrusted-data.ts';

const MAX_ITEMS = 50;
/** The list of objects has no name filter: this many of the newest are searched. */
const MAX_SEARCHED_OBJECTS = 300;
const MAX_LOGS = 50;

const filters = z.optional(
  describe(
    z.record(text, text),
    'Query parameters of the list, for example {"template_id": "…"}. Flags are "true" or "false", dates begin with an operator, for example ">=-24h".',
  ),
);
/** Kinds that the contract reads by id; wallets are known from a registration only. */
const kind = z.enum(kinds.filter((name): name is Exclude<Kind, 'wallets'> => name !== 'wallets'));

function summarize(definition: ResourceDefinition, id: string | undefined, raw: unknown): object {
  const { title, details, state, when } = definition.summary(raw);
  return {
    kind: definition.kind,
    id,
    title,
    ...(details.length > 0 && { details }),
    ...(state && { state: state.label }),
    when,
  };
}

/** The query of filters; a date begins with an operator, as in `>=-24h`. Throws ToolInputError. */
function createQuery(definition: ResourceDefinition, filters: Readonly<Record<string, string>>): AnyQuery {
  const parameters = new Map(listConditionParameters(definition));
  const conditions = Object.entries(filters).map(([name, text]) => {
    if (parameters.get(name)?.type !== 'dates') return { name, operator: '=', value: text };
    const [operator] = /^[<>]=?/.exec(text) ?? [];
    if (operator === undefined) throw new ToolInputError(`${name} is a date: write for example {"${name}": ">=-24h"}.`);
    return { name, operator, value: text.slice(operator.length) };
  });
  try {
    return resolveFilter(createFilter(definition, conditions), Date.now());
  } catch (error) {
    throw error instanceof ConditionError ? new ToolInputError(error.message) : error;
  }
}

const listConnections = defineTool({
  name: 'smartObjects_connections',
  input: z.strictObject({}),
  run: (_input, { sessions, active }) =>
    Promise.resolve(
      formatUntrustedData(
        'settings',
        sessions().map((session) => ({
          name: session.profile.name,
          environment: session.profile.environment,
          identity: session.identityName,
          active: session === active(),
          signedIn: session.signedOutReason === undefined,
          organizations: session.organizations.map(({ id, label }) => ({ id, label })),
        })),
      ),
    ),
});

const find = defineTool({
  name: 'smartObjects_find',
  input: z.strictObject({ connection, text, offset }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const failed: string[] = [];
    const search = async (definition: ResourceDefinition): Promise<readonly object[]> => {
      const by = getSearchParameter(definition);
      if (by === undefined) return [];
      const { items } = await session.client.listPageFor(definition, { [by]: input.text, limit: 10 }, { signal });
      return items.map(({ raw, id }) => summarize(definition, id, raw));
    };
    const searches = [
      ...Object.values(registry).map((definition: ResourceDefinition) => [definition, search(definition)] as const),
    ];
    const found: object[] = [];
    for (const [definition, search] of [
      ...searches,
      [registry.objects, findObjects(session, input.text, signal)] as const,
    ])
      found.push(
        ...(await search.catch((error: unknown) => {
          if (!(error instanceof PlatformError) || signal.aborted) throw error;
          failed.push(`${definition.label}: ${error.message}`);
          return [];
        })),
      );
    return formatUntrustedData(
      session.profile.name,
      {
        found,
        ...(failed.length > 0 && { failed }),
        note: `Objects: the newest ${String(MAX_SEARCHED_OBJECTS)} were searched by name and id.`,
      },
      input.offset,
    );
  },
});

async function findObjects(session: ToolSession, term: string, signal: AbortSignal): Promise<readonly object[]> {
  const found: object[] = [];
  let count = 0;
  const query = { limit: 100, order: 'descending', sortBy: 'when_created' };
  for await (const { items } of session.client.listPagesFor(registry.objects, query, { signal })) {
    for (const { raw, id } of items) {
      const { title } = registry.objects.summary(raw);
      if (id === term || title.toLowerCase().includes(term.toLowerCase()))
        found.push(summarize(registry.objects, id, raw));
    }
    count += items.length;
    if (count >= MAX_SEARCHED_OBJECTS || found.length >= MAX_ITEMS) break;
  }
  return found.slice(0, MAX_ITEMS);
}

const list = defineTool({
  name: 'smartObjects_list',
  input: z.strictObject({
    connection,
    kind,
    filters,
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_ITEMS))),
    next: z.optional(describe(text, '`next` of the result before, for its following page.')),
    offset,
  }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const definition: ResourceDefinition = registry[input.kind];
    const query: AnyQuery = {
      ...createQuery(definition, input.filters ?? {}),
      limit: input.limit ?? 20,
      ...(input.next !== undefined && { next: input.next }),
    };
    const page = await session.client.listPageFor(definition, query, { signal });
    return formatUntrustedData(
      session.profile.name,
      {
        items: page.items.map(({ raw, id }) => summarize(definition, id, raw)),
        next: page.next,
        filters: listConditionParameters(definition).map(([name]) => name),
      },
      input.offset,
    );
  },
});

const get = defineTool({
  name: 'smartObjects_get',
  input: z.strictObject({
    connection,
    kind,
    id: text,
    organization: z.optional(describe(text, 'For roles: id of the organization.')),
    offset,
  }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const definition: ResourceDefinition = registry[input.kind];
    if (input.kind === 'roles' && input.organization === undefined)
      throw new ToolInputError('A role is read with its organization.');
    const id = input.organization !== undefined && input.kind === 'roles' ? [input.organization, input.id] : [input.id];
    const { item } = await session.client.readFor(definition, id, { signal });
    return formatUntrustedData(session.profile.name, item.raw, input.offset);
  },
});

const logs = defineTool({
  name: 'smartObjects_logs',
  input: z.strictObject({
    connection,
    status: z.optional(z.enum(['pending', 'completed', 'failed'])),
    filters,
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_LOGS))),
    offset,
  }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const definition: ResourceDefinition = registry['action-logs'];
    const filters = { ...input.filters, ...(input.status !== undefined && { status: input.status }) };
    const query = { ...createQuery(definition, filters), order: 'descending', limit: input.limit ?? 20 };
    const { items } = await session.client.listPageFor(definition, query, { signal });
    return formatUntrustedData(
      session.profile.name,
      items.map(({ raw }) => raw),
      input.offset,
    );
  },
});

const history = defineTool({
  name: 'smartObjects_history',
  input: z.strictObject({ connection, object: text, offset }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const { history } = await readHistory(
      session,
      input.object,
      (root) => session.objectStates.get(input.object, root),
      signal,
    );
    const { verdict, problem, steps } = history;
    return formatUntrustedData(session.profile.name, { verdict, problem, steps }, input.offset);
  },
});

const statistics = defineTool({
  name: 'smartObjects_statistics',
  input: z.strictObject({
    connection,
    series: z.enum(['executions', 'fees', 'creations']),
    period: z.optional(z.enum(['24h', '7d', '30d', '90d', '1y'])),
    interval: z.optional(z.enum(['hour', 'day', 'week', 'month'])),
    offset,
  }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const series = statisticsSeries.find(({ id }) => id === input.series);
    if (series === undefined) throw new ToolInputError('There is no such series.');
    const { now } = await querySeries({
      client: session.client,
      series,
      controls: {
        ...DEFAULT_CONTROLS,
        timeRange: input.period ?? '7d',
        interval: input.interval ?? 'day',
        compare: false,
      },
      now: Date.now(),
      signal,
      onRequest: () => undefined,
    });
    const points = now.points.map((point) => toJsonPoint(point, series.value));
    const result = formatUntrustedData(session.profile.name, points, input.offset);
    return now.truncated === undefined ? result : `${result}\nPoints may be missing: ${now.truncated}.`;
  },
});

const checkAction = defineTool({
  name: 'smartObjects_checkAction',
  input: z.strictObject({ text: actionText }),
  run: (input, { secrets }) => {
    const findings = checkActionFile(parseActionFile(input.text), secrets());
    const line = (offset: number): number => input.text.slice(0, offset).split('\n').length;
    return Promise.resolve(
      formatUntrustedData('action file', {
        problems: findings.map(({ severity, message, offset }) => ({ severity, message, line: line(offset) })),
      }),
    );
  },
});

/** The tools that only read, in the order of the manifest. */
export const tools: readonly Tool[] = [
  listConnections,
  find,
  list,
  get,
  logs,
  history,
  statistics,
  checkAction,
  previewRequest,
];
