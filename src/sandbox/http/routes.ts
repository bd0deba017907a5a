/** The routes of the contract: lists and reads from the registry, the others by operation. */
import { getOperationName, type Operation, type Verb } from '../../platform/operation.ts';
import { executeAction } from '../../platform/resources/actions.ts';
import { confirmInvite } from '../../platform/resources/invites.ts';
import type { ResourceName } from '../../platform/resources/permission.ts';
import { getDefaultRole, getMyRole, getRole } from '../../platform/resources/roles.ts';
import { statisticsSeries } from '../../platform/resources/statistics.ts';
import { registerWallet } from '../../platform/resources/wallets.ts';
import type { ListDefinition, ResourceDefinition } from '../../platform/resource.ts';
import type * as z from 'zod/mini';
import type { Principal } from '../auth/principal.ts';
import { toPublicTemplate } from '../data/templates.ts';
import { createEntryTest } from '../lists/filters.ts';
import { badRequest, notFound, unauthenticated } from './errors.ts';
import { ok, type RouteResponse, type RouteRequest } from './responses.ts';
import { readListPage } from '../lists/list-page.ts';
import { readFlag, readListQuery } from '../lists/list-query.ts';
import { createListExtras } from '../lists/list-extras.ts';
import type { World } from '../world.ts';

export interface Route {
  /** `GET /objects/{objectId}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** requires no credential */
  readonly open: boolean;
  readonly permission?: { readonly resource: ResourceName; readonly verb: Verb };
  /** name of the array in a list's response */
  readonly listKey?: string;
  /** schema of an item, for faults that change its fields */
  readonly schema?: z.core.SomeType;
  handle(call: RouteRequest): RouteResponse | Promise<RouteResponse>;
}

interface Handlers {
  execute(call: RouteRequest): RouteResponse;
  registerWallet(call: RouteRequest): RouteResponse;
  confirmInvite(call: RouteRequest): RouteResponse;
  statistics(series: (typeof statisticsSeries)[number]['id'], operation: Operation, call: RouteRequest): RouteResponse;
}

/** The caller of a route that is not open. Throws HttpError 401. */
export function requirePrincipal(call: RouteRequest): Principal {
  if (call.principal === undefined) throw unauthenticated('a credential is required');
  return call.principal;
}

/** The contract has status 404 only for these reads; for others, an unknown id is a 400. */
const NOT_FOUND_ROUTES = new Set([
  'GET /objects/{objectId}',
  'GET /templates/{templateId}',
  'GET /organizations/{organizationId}/myrole',
]);

function createRoute(operation: Operation, rest: Pick<Route, 'open' | 'handle' | 'listKey' | 'schema'>): Route {
  const { method, path, permission } = operation;
  return { name: getOperationName(operation), method, path, ...(permission !== undefined && { permission }), ...rest };
}

function createListRoute(world: World, kind: string, definition: ResourceDefinition, list: ListDefinition): Route {
  const collection = world.collection(kind);
  const schema = list.schema ?? definition.schema;
  return createRoute(list.operation, {
    open: false,
    listKey: list.key,
    schema,
    async handle(call) {
      const query = readListQuery(list.operation, call.query, schema);
      const organizations = definition.section === 'organization' ? requirePrincipal(call).organizations : undefined;
      const passes = createEntryTest(world, kind, query, organizations);
      const page = await readListPage(collection, list.operation, query, passes);
      const items = kind === 'templates' ? page.items.map(toPublicTemplate) : page.items;
      const extras =
        kind === 'objects'
          ? createListExtras(world, items, readFlag(call.query, 'faces'), readFlag(call.query, 'actions'))
          : {};
      return ok({ [list.key]: items, ...extras, ...(page.next !== undefined && { next: page.next }) });
    },
  });
}

function createReadRoute(
  world: World,
  kind: string,
  definition: ResourceDefinition,
  operation: Operation,
  parameter: string,
): Route {
  const collection = world.collection(kind);
  const fail = NOT_FOUND_ROUTES.has(getOperationName(operation)) ? notFound : badRequest;
  return createRoute(operation, {
    open: false,
    schema: definition.schema,
    handle(call) {
      const id = call.params[parameter] ?? '';
      const entry = collection.find(id);
      const { organizations } = requirePrincipal(call);
      const hidden =
        definition.section === 'organization' &&
        organizations !== undefined &&
        entry?.organization !== undefined &&
        !organizations.has(entry.organization);
      if (entry === undefined || hidden) throw fail(`unknown ${definition.singular}`);
      return ok(entry.item());
    },
  });
}

function createRoleRoutes(world: World): Route[] {
  const findOrganization = (call: RouteRequest) => {
    const found = world.organizations.find(({ id }) => id === call.params['organizationId']);
    if (found === undefined) throw badRequest('unknown organization');
    return found;
  };
  const { schema } = world.definitions['roles'] ?? {};
  const shape = schema === undefined ? {} : { schema };
  return [
    createRoute(getDefaultRole, {
      open: false,
      ...shape,
      handle: (call) => ok(findOrganization(call).defaultRole.item),
    }),
    createRoute(getRole, {
      open: false,
      ...shape,
      handle(call) {
        const role = findOrganization(call).roles.find(({ id }) => id === call.params['roleId']);
        if (role === undefined) throw badRequest('unknown role');
        return ok(role.item);
      },
    }),
    createRoute(getMyRole, {
      open: false,
      ...shape,
      handle(call) {
        const role = requirePrincipal(call).getRole(call.params['organizationId'] ?? '');
        if (role === undefined) throw notFound('the caller has no role in this organization');
        return ok(role.item);
      },
    }),
  ];
}

/** The routes of all operations, literal paths before patterns. */
export function createRoutes(world: World, handlers: Handlers): Route[] {
  const open = !world.settings.walletCredential;
  const routes: Route[] = [
    ...createRoleRoutes(world),
    createRoute(registerWallet, { open, handle: (call) => handlers.registerWallet(call) }),
    createRoute(confirmInvite, { open, handle: (call) => handlers.confirmInvite(call) }),
    // The handler checks the permission: the organization is known only after the action is parsed.
    createRoute(executeAction, { open: false, handle: (call) => handlers.execute(call) }),
    ...statisticsSeries.map(({ id, operation }) =>
      createRoute(operation, {
        open: false,
        listKey: 'data',
        handle: (call) => handlers.statistics(id, operation, call),
      }),
    ),
  ];
  for (const [kind, definition] of Object.entries(world.definitions)) {
    if (definition.list !== undefined) routes.push(createListRoute(world, kind, definition, definition.list));
    if (definition.read.by !== 'path' || kind === 'roles') continue;
    const { operation, parameters } = definition.read;
    routes.push(createReadRoute(world, kind, definition, operation, parameters.at(-1) ?? 'id'));
  }
  return routes;
}

interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The route of a request; `otherMethod` if only the method differs. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  segments: readonly string[],
): RouteMatch | 'otherMethod' | undefined {
  let otherMethod = false;
  for (const candidate of routes) {
    const params = matchPath(candidate.path, segments);
    if (params === undefined) continue;
    if (candidate.method === method) return { route: candidate, params };
    otherMethod = true;
  }
  return otherMethod ? 'otherMethod' : undefined;
}

/** The parameters of a pattern such as `/objects/{objectId}` in `segments`, or undefined if they do not match. */
function matchPath(pattern: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = pattern.split('/').filter((part) => part !== '');
  if (parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [place, part] of parts.entries()) {
    const segment = segments[place] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name !== undefined) params[name] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}
