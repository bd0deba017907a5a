/** The routes of the contract: lists and reads from the registry's rows, the rest by name. */
import { nameOf, type Operation, type Verb } from '../platform/operation.ts';
import { executeAction } from '../platform/resources/actions.ts';
import { confirmInvite } from '../platform/resources/invites.ts';
import type { ResourceName } from '../platform/resources/permission.ts';
import { getDefaultRole, getMyRole, getRole } from '../platform/resources/roles.ts';
import { statistics } from '../platform/resources/statistics.ts';
import { registerWallet } from '../platform/resources/wallets.ts';
import type { ListRow, ResourceRow } from '../platform/resource.ts';
import type * as z from 'zod/mini';
import type { Principal } from './credentials.ts';
import { publicTemplate } from './data/templates.ts';
import { matches } from './filters.ts';
import { badRequest, matchPath, notFound, ok, unauthenticated, type Answer, type Call } from './http.ts';
import { takePage } from './page.ts';
import { readFlag, readListQuery } from './query.ts';
import { sidecars } from './sidecars.ts';
import type { World } from './world.ts';

export interface Route {
  /** `GET /objects/{objectId}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** answered without a credential */
  readonly open: boolean;
  readonly permission?: { readonly resource: ResourceName; readonly verb: Verb };
  /** name of the array in a list's answer */
  readonly listKey?: string;
  /** of an item, for faults that need to know its fields */
  readonly schema?: z.core.SomeType;
  handle(call: Call): Answer | Promise<Answer>;
}

export interface Handlers {
  execute(call: Call): Answer;
  registerWallet(call: Call): Answer;
  confirmInvite(call: Call): Answer;
  statistics(series: (typeof statistics)[number]['id'], operation: Operation, call: Call): Answer;
}

/** The caller of a route that is not open; such a route is never reached without one. */
export function caller(call: Call): Principal {
  if (call.principal === undefined) throw unauthenticated('a credential is required');
  return call.principal;
}

/** The contract has 404 for these reads alone; elsewhere what is unknown is a bad request. */
const NOT_FOUND = new Set([
  'GET /objects/{objectId}',
  'GET /templates/{templateId}',
  'GET /organizations/{organizationId}/myrole',
]);

function route(operation: Operation, rest: Pick<Route, 'open' | 'handle' | 'listKey' | 'schema'>): Route {
  const { method, path, permission } = operation;
  return { name: nameOf(operation), method, path, ...(permission !== undefined && { permission }), ...rest };
}

function listRoute(world: World, kind: string, row: ResourceRow, list: ListRow): Route {
  const collection = world.collection(kind);
  const schema = list.schema ?? row.schema;
  return route(list.operation, {
    open: false,
    listKey: list.key,
    schema,
    async handle(call) {
      const query = readListQuery(list.operation, call.query, schema);
      const page = await takePage(collection, {
        operation: list.operation,
        query,
        matches: (filter, entry) => matches(kind, filter, entry, world),
        organizations: row.section === 'organization' ? caller(call).organizations : undefined,
      });
      const items = kind === 'templates' ? page.items.map(publicTemplate) : page.items;
      const beside =
        kind === 'objects'
          ? sidecars(world, items, readFlag(call.query, 'faces'), readFlag(call.query, 'actions'))
          : {};
      return ok({ [list.key]: items, ...beside, ...(page.next !== undefined && { next: page.next }) });
    },
  });
}

function readRoute(world: World, kind: string, row: ResourceRow, operation: Operation, parameter: string): Route {
  const collection = world.collection(kind);
  const fail = NOT_FOUND.has(nameOf(operation)) ? notFound : badRequest;
  return route(operation, {
    open: false,
    schema: row.schema,
    handle(call) {
      const id = call.params[parameter] ?? '';
      const entry = collection.find(id);
      const { organizations } = caller(call);
      const hidden =
        row.section === 'organization' &&
        organizations !== undefined &&
        entry?.organization !== undefined &&
        !organizations.has(entry.organization);
      if (entry === undefined || hidden) throw fail(`unknown ${row.singular}`);
      return ok(entry.item());
    },
  });
}

function roleRoutes(world: World): Route[] {
  const organizationOf = (call: Call) => {
    const found = world.organizations.find(({ id }) => id === call.params['organizationId']);
    if (found === undefined) throw badRequest('unknown organization');
    return found;
  };
  const { schema } = world.rows['roles'] ?? {};
  const shape = schema === undefined ? {} : { schema };
  return [
    route(getDefaultRole, { open: false, ...shape, handle: (call) => ok(organizationOf(call).defaultRole.item) }),
    route(getRole, {
      open: false,
      ...shape,
      handle(call) {
        const role = organizationOf(call).roles.find(({ id }) => id === call.params['roleId']);
        if (role === undefined) throw badRequest('unknown role');
        return ok(role.item);
      },
    }),
    route(getMyRole, {
      open: false,
      ...shape,
      handle(call) {
        const role = caller(call).roleIn(call.params['organizationId'] ?? '');
        if (role === undefined) throw notFound('the caller has no role in this organization');
        return ok(role.item);
      },
    }),
  ];
}

export function makeRoutes(world: World, handlers: Handlers): Route[] {
  const open = !world.settings.walletCredential;
  const routes: Route[] = [
    ...roleRoutes(world),
    route(registerWallet, { open, handle: (call) => handlers.registerWallet(call) }),
    route(confirmInvite, { open, handle: (call) => handlers.confirmInvite(call) }),
    // Which organization's permission counts is known only when the action has been read.
    { ...route(executeAction, { open: false, handle: (call) => handlers.execute(call) }) },
    ...statistics.map(({ id, operation }) =>
      route(operation, { open: false, listKey: 'data', handle: (call) => handlers.statistics(id, operation, call) }),
    ),
  ];
  for (const [kind, row] of Object.entries(world.rows)) {
    if (row.list !== undefined) routes.push(listRoute(world, kind, row, row.list));
    if (row.read.by !== 'path' || kind === 'roles') continue;
    const { operation, parameters } = row.read;
    routes.push(readRoute(world, kind, row, operation, parameters.at(-1) ?? 'id'));
  }
  return routes;
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The route of a request; `otherMethod` where only the method is wrong. Literal paths stand before patterns. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  segments: readonly string[],
): Match | 'otherMethod' | undefined {
  let otherMethod = false;
  for (const candidate of routes) {
    const params = matchPath(candidate.path, segments);
    if (params === undefined) continue;
    if (candidate.method === method) return { route: candidate, params };
    otherMethod = true;
  }
  return otherMethod ? 'otherMethod' : undefined;
}
