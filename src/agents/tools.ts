/** The tools that language models can call and that only read: names, inputs and results. */
import * as z from 'zod/mini';
import { parseActionFile } from '../actions/file/action-file.ts';
import { checkActionFile } from '../actions/file/check-action-file.ts';
import { listConditionParameters } from '../explorer/filter/condition.ts';
import { getSearchParameter } from '../explorer/search/list-search.ts';
import { readHistory, stepRecord } from '../logs/history/read-history.ts';
import { areNewestFirst } from '../model/newest-first.ts';
import { formatReason } from '../model/text/error-message.ts';
import { parseDateTime } from '../model/text/time-format.ts';
import { PlatformError } from '../platform/errors.ts';
import { getAllAt } from '../platform/json/field-values.ts';
import type { Item } from '../platform/page.ts';
import { registry } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { actionLogStates } from '../platform/resources/action-logs.ts';
import { statisticsSeries } from '../platform/resources/statistics.ts';
import { parseAmount, UnitSums } from '../statistics/amounts.ts';
import { querySeries } from '../statistics/query-series.ts';
import { createPointRecord } from '../statistics/read-points.ts';
import { previewBatch } from './batch-tools.ts';
import { compare } from './compare-tool.ts';
import { failures } from './failures-tool.ts';
import { previewRequest } from './preview-tool.ts';
import {
  actionText,
  connection,
  defineTool,
  describe,
  getSession,
  kind,
  offset,
  readResource,
  text,
  ToolInputError,
  type Tool,
  type ToolSession,
} from './tool.ts';
import { DEFAULT_CONTROLS } from '../webviews/protocol/statistics.ts';
import { createListOutput, listInput, NOT_NEWEST_FIRST, period, readItems, resolvePeriod } from './read-items.ts';

const MAX_ITEMS = 50;
/** The list of objects has no name filter: this many of the newest are searched. */
const MAX_SEARCHED_OBJECTS = 300;

const summary = z.looseObject({ kind: z.string(), id: z.optional(z.string()) });

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

const listConnections = defineTool({
  name: 'smartObjects_connections',
  input: z.strictObject({}),
  output: z.array(z.looseObject({ name: z.string(), active: z.boolean(), signedIn: z.boolean() })),
  run: (_input, { sessions, active }) =>
    Promise.resolve({
      source: 'settings',
      data: sessions().map((session) => ({
        name: session.profile.name,
        environment: session.profile.environment,
        identity: session.identityName,
        active: session === active(),
        signedIn: session.signedOutReason === undefined,
        organizations: session.organizations.map(({ id, label }) => ({ id, label })),
      })),
    }),
});

const find = defineTool({
  name: 'smartObjects_find',
  input: z.strictObject({
    connection,
    text: describe(text, 'Part of the name, or the whole ID.', 'Harbour Concert Ticket'),
    offset,
  }),
  output: z.looseObject({ found: z.array(summary), note: z.string() }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const failed: string[] = [];
    /** kinds of which more are there */
    const more: string[] = [];
    const search = async (definition: ResourceDefinition): Promise<readonly object[]> => {
      const by = getSearchParameter(definition);
      if (by === undefined) return [];
      const { items, next } = await session.client.listPageFor(definition, { [by]: input.text, limit: 10 }, { signal });
      if (next !== undefined) more.push(definition.kind);
      return items.map(({ raw, id }) => summarize(definition, id, raw));
    };
    const definitions: readonly ResourceDefinition[] = Object.values(registry);
    // All settle, before one is thrown: no rejection is without a handler.
    const searches = await Promise.allSettled([
      ...definitions.map(search),
      findObjects(session, input.text, more, signal),
    ]);
    const found: object[] = [];
    for (const [index, searched] of searches.entries())
      if (searched.status === 'fulfilled') found.push(...searched.value);
      else {
        const reason: unknown = searched.reason;
        if (!(reason instanceof PlatformError) || signal.aborted) throw reason;
        failed.push(`${(definitions[index] ?? registry.objects).label}: ${formatReason(reason)}`);
      }
    return {
      source: session.profile.name,
      data: {
        found,
        ...(failed.length > 0 && { failed }),
        note: `Objects: the newest ${String(MAX_SEARCHED_OBJECTS)} were searched by name and id.`,
      },
      ...(more.length > 0 && {
        note: `Not all were searched or listed of: ${more.join(', ')}. smartObjects_list reads the others, with filters or "where".`,
      }),
    };
  },
});

/** Adds to `more` if not all objects were searched. */
async function findObjects(
  session: ToolSession,
  term: string,
  more: string[],
  signal: AbortSignal,
): Promise<readonly object[]> {
  const found: object[] = [];
  let count = 0;
  const query = { limit: 100, order: 'descending', sortBy: 'when_created' };
  for await (const { items, next } of session.client.listPagesFor(registry.objects, query, {
    signal,
    distinct: true,
  })) {
    for (const { raw, id } of items) {
      const { title } = registry.objects.summary(raw);
      if (id === term || title.toLowerCase().includes(term.toLowerCase()))
        found.push(summarize(registry.objects, id, raw));
    }
    count += items.length;
    if (count < MAX_SEARCHED_OBJECTS && found.length < MAX_ITEMS) continue;
    if (next !== undefined || found.length > MAX_ITEMS) more.push('objects');
    break;
  }
  return found.slice(0, MAX_ITEMS);
}

const list = defineTool({
  name: 'smartObjects_list',
  input: z.strictObject({ connection, kind, ...listInput, offset }),
  output: createListOutput('items'),
  async run({ kind, ...input }, context, signal) {
    const session = getSession(context, input.connection);
    const definition: ResourceDefinition = registry[kind];
    const present = ({ raw, id }: Item): object => summarize(definition, id, raw);
    const read = await readItems(session, definition, input, present, signal);
    const filters = listConditionParameters(definition).map(([name]) => name);
    return { source: session.profile.name, data: { ...read, filters } };
  },
});

const get = defineTool({
  name: 'smartObjects_get',
  input: z.strictObject({
    connection,
    kind,
    id: describe(text, 'ID of the resource.', 'obj_117de336dd9acbf8c65f61d1'),
    organization: z.optional(describe(text, 'For roles: ID of the organization.', 'org_53d67015e05c671e7823356d')),
    path: z.optional(
      describe(text, 'Read one field only; a long text is returned in parts, see offset.', 'metadata.description'),
    ),
    offset,
  }),
  output: z.unknown(),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const isRole = input.kind === 'roles' && input.organization !== undefined;
    const id = isRole ? `${input.organization ?? ''}/${input.id}` : input.id;
    const raw = await readResource(session, input.kind, id, signal);
    const data: unknown = input.path === undefined ? raw : getAllAt(raw, input.path)[0];
    if (data === undefined) throw new ToolInputError('The resource has no field at this path.');
    return { source: session.profile.name, data };
  },
});

const logs = defineTool({
  name: 'smartObjects_logs',
  input: z.strictObject({
    connection,
    status: z.optional(describe(z.enum(actionLogStates), 'Only logs with this status.', 'failed')),
    object: z.optional(describe(text, 'Only logs of this object: its ID.', 'obj_117de336dd9acbf8c65f61d1')),
    ...listInput,
    offset,
  }),
  output: createListOutput('logs'),
  async run({ status, object, ...input }, context, signal) {
    const session = getSession(context, input.connection);
    const filters = {
      order: 'descending',
      sortBy: 'when_created',
      ...input.filters,
      ...(status !== undefined && { status }),
      ...(object !== undefined && { object_id: object }),
    };
    const { items, ...rest } = await readItems(
      session,
      registry['action-logs'],
      { ...input, filters },
      ({ raw }) => raw,
      signal,
    );
    const { order, sortBy } = filters;
    const isDefault = order === 'descending' && sortBy === 'when_created';
    const times = (items ?? []).flatMap((item) => {
      const when: unknown = Reflect.get(item, 'when_created');
      return typeof when === 'string' ? (parseDateTime(when) ?? []) : [];
    });
    return {
      source: session.profile.name,
      data: { logs: items, ...rest },
      ...(rest.next !== undefined && isDefault && !areNewestFirst(times) && { note: `${NOT_NEWEST_FIRST}.` }),
    };
  },
});

const history = defineTool({
  name: 'smartObjects_history',
  input: z.strictObject({
    connection,
    object: describe(text, 'ID of the object.', 'obj_117de336dd9acbf8c65f61d1'),
    offset,
  }),
  output: z.looseObject({
    verdict: z.string(),
    problem: z.optional(z.string()),
    steps: z.array(z.looseObject({ log: z.string(), time: z.optional(z.string()) })),
  }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const { history } = await readHistory(
      session,
      input.object,
      (root) => session.objectStates.get(input.object, root),
      signal,
    );
    const { verdict, problem, steps } = history;
    return { source: session.profile.name, data: { verdict, problem, steps: steps.map(stepRecord.toJson) } };
  },
});

const statistics = defineTool({
  name: 'smartObjects_statistics',
  input: z.strictObject({
    connection,
    series: describe(z.enum(['executions', 'fees', 'creations']), 'What is counted or added up.', 'fees'),
    period: z.optional(
      describe(z.enum(['24h', '7d', '30d', '90d', '1y']), 'Length of time up to now. Default: 7d.', '30d'),
    ),
    ...period,
    interval: z.optional(describe(z.enum(['hour', 'day', 'week', 'month']), 'Time of a point. Default: day.', 'day')),
    action: z.optional(describe(text, 'Only this action; for executions and fees.', 'mint')),
    template: z.optional(describe(text, 'Only this template; for creations.', 'tpl_a988a8ed2db28a1f66a20b18')),
    signer: z.optional(describe(text, 'Only this signer.', '0x6ff2e74aa9e6a3c9dcdf32fd542c435fcbd67775')),
    offset,
  }),
  output: z.looseObject({ total: z.string(), points: z.array(z.looseObject({ when: z.optional(z.string()) })) }),
  async run({ action = '', template = '', signer = '', ...input }, context, signal) {
    const session = getSession(context, input.connection);
    const series = statisticsSeries.find(({ id }) => id === input.series);
    if (series === undefined) throw new ToolInputError('There is no such series.');
    if (series.id === 'creations' && action !== '') throw new ToolInputError('action is for executions and fees.');
    if (series.id !== 'creations' && template !== '') throw new ToolInputError('template is for creations.');
    const { from = '', until = '' } = resolvePeriod(input);
    if (from !== '' && input.period !== undefined) throw new ToolInputError('from and period exclude each other.');
    const { now } = await querySeries({
      client: session.client,
      series,
      controls: {
        ...DEFAULT_CONTROLS,
        timeRange: input.period ?? '7d',
        interval: input.interval ?? 'day',
        from,
        until,
        action,
        template,
        signer,
        compare: false,
      },
      now: Date.now(),
      signal,
      onRequest: () => undefined,
    });
    const sums = new UnitSums();
    for (const { value } of now.points) {
      const amount = parseAmount(value);
      if (amount !== undefined) sums.add(amount);
    }
    const points = now.points.map(createPointRecord(series.value).toJson);
    return {
      source: session.profile.name,
      data: { total: sums.units.map((unit) => `${sums.format(unit) ?? ''} ${unit}`.trim()).join(' + '), points },
      ...(now.truncated !== undefined && { note: `Points may be missing: ${now.truncated}.` }),
    };
  },
});

const checkAction = defineTool({
  name: 'smartObjects_checkAction',
  input: z.strictObject({ text: actionText }),
  output: z.object({ problems: z.array(z.looseObject({ severity: z.string(), message: z.string() })) }),
  run: (input, { secrets }) => {
    const findings = checkActionFile(parseActionFile(input.text), secrets());
    const line = (offset: number): number => input.text.slice(0, offset).split('\n').length;
    const problems = findings.map(({ severity, message, offset }) => ({ severity, message, line: line(offset) }));
    return Promise.resolve({ source: 'action file', data: { problems } });
  },
});

/** The tools that only read, in the order of the manifest. */
export const tools: readonly Tool[] = [
  listConnections,
  find,
  list,
  get,
  logs,
  failures,
  history,
  statistics,
  compare,
  checkAction,
  previewRequest,
  previewBatch,
];
