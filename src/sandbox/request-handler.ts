/** Handles the requests of the sandbox: parse, record, apply faults, authorize, route, respond. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { handleControl, type Control } from './control-endpoints.ts';
import { requirePermission, type Principal } from './auth/principal.ts';
import { Executor } from './actions/execute.ts';
import { createFaultResponse, applyJsonFault, type FaultContext } from './faults/fault-responses.ts';
import { FaultQueue, getFaultGroup, type Fault } from './faults/faults.ts';
import { importResources } from './data/import-resources.ts';
import { errorBody, HttpError, notFound, unauthenticated } from './http/errors.ts';
import type { RouteResponse } from './http/responses.ts';
import { parseBody, readBody, parseRequest, type IncomingRequest } from './http/incoming-request.ts';
import { servePage, serveFile } from './http/files-and-pages.ts';
import { RequestRecorder, type RecordedRequest } from './request-recorder.ts';
import { Accounts } from './auth/accounts.ts';
import { findRoute, createRoutes, type Route } from './http/routes.ts';
import { Settlement } from './actions/settlement.ts';
import { handleStatistics } from './lists/statistics.ts';
import { sendResponse } from './http/send-response.ts';
import type { World } from './world.ts';

const REFRESH = '/auth/refresh';

/** Handles requests to control endpoints, routes, pages and files. */
export class RequestHandler implements Control {
  readonly world: World;
  readonly faults = new FaultQueue();
  readonly recorder = new RequestRecorder();
  readonly settlement: Settlement;
  readonly register: Accounts;
  readonly #executor: Executor;
  readonly #routes: readonly Route[];
  readonly #pauses = new Set<() => void>();

  constructor(world: World) {
    this.world = world;
    this.settlement = new Settlement(world);
    this.register = new Accounts(world);
    const executor = new Executor(world, this.settlement, this.recorder);
    this.#executor = executor;
    this.#routes = createRoutes(world, {
      execute: (call) => executor.execute(call),
      registerWallet: (call) => this.register.registerWallet(call),
      confirmInvite: (call) => this.register.confirmInvite(call),
      statistics: (series, operation, call) => handleStatistics(world, series, operation, call),
    });
  }

  /** Adds what the settings import and repeats their executions, once the address of the server is known. */
  replay(): void {
    const { replay, imported } = this.world.settings;
    if (imported !== undefined) importResources(this.world, imported);
    if (replay !== undefined) this.#executor.replay(replay.executions, replay.pausedAt);
  }

  /** Calls a control endpoint; failures are in the response. */
  control(method: string, name: string, body: unknown): RouteResponse {
    try {
      return handleControl(this, method, name, body);
    } catch (error) {
      return createFailureResponse(error);
    }
  }

  /** Ends all delays of slow faults. */
  stop(): void {
    for (const go of this.#pauses) go();
  }

  /** Handles one request. Never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    response.on('error', () => socket.destroy());
    let recorded: RecordedRequest | undefined;
    let fault: Fault | undefined;
    let result: RouteResponse;
    try {
      const incoming = parseRequest(request, this.world.settings.basePath);
      const [first = '', second = ''] = incoming.segments;
      if (first === '__sandbox') result = await this.#control(incoming, second);
      else {
        const found = findRoute(this.#routes, incoming.method, incoming.segments);
        const route = typeof found === 'object' ? found.route : undefined;
        const name = route?.name ?? (incoming.path === REFRESH ? `POST ${REFRESH}` : undefined);
        recorded = this.#record(incoming, name);
        fault = this.faults.next(name ?? `${incoming.method} ${incoming.path}`);
        if (fault !== undefined) recorded.fault = fault.fault;
        if (fault?.fault === 'refuse' && fault.phase === 'before') {
          socket.destroy();
          return;
        }
        const body = await readBody(request);
        result = await this.#applyFault(fault, socket, incoming, route, () => {
          if (typeof found === 'object') return this.#callRoute(found.route, found.params, incoming, body);
          return this.#serveOther(found, incoming);
        });
      }
    } catch (error) {
      result = createFailureResponse(error);
    }
    if (socket.destroyed) return;
    if (recorded !== undefined) recorded.status = result.status;
    const accepts = request.headers['accept-encoding'] ?? '';
    try {
      await sendResponse(
        {
          response,
          socket,
          requestId: `req_${randomUUID()}`,
          gzip: this.world.settings.gzip && /\bgzip\b/.test(accepts),
          fault,
          pause: (milliseconds) => this.#pause(milliseconds),
        },
        result,
      );
    } catch {
      socket.destroy();
    }
  }

  #record({ request, method, path, query, header }: IncomingRequest, route: string | undefined): RecordedRequest {
    const { headers } = this.world.credentials;
    return this.recorder.add({
      method,
      path,
      route,
      query,
      headers: Object.keys(request.headers),
      apiKey: header(headers.apiKey),
      token: header(headers.token),
    });
  }

  async #control(incoming: IncomingRequest, name: string): Promise<RouteResponse> {
    const { header, method, request } = incoming;
    const { credentials, apiKey } = this.world;
    const key = header('x-sandbox-key') ?? header(credentials.headers.apiKey);
    if (!credentials.isKey(key, apiKey))
      throw unauthenticated('the x-sandbox-key header must hold the printed API key');
    return handleControl(this, method, name, parseBody(await readBody(request)));
  }

  /** The response with the fault applied. Destroys the socket for faults without a response. */
  async #applyFault(
    fault: Fault | undefined,
    socket: Socket,
    incoming: IncomingRequest,
    route: Route | undefined,
    respond: () => RouteResponse | Promise<RouteResponse>,
  ): Promise<RouteResponse> {
    if (fault === undefined) return respond();
    const { headers } = this.world.credentials;
    const context: FaultContext = {
      target: incoming.request.url ?? '/',
      credential: incoming.header(headers.token) ?? incoming.header(headers.apiKey) ?? 'no credential',
      cursor: incoming.query.get('next'),
      listKey: route?.listKey,
      schema: route?.schema,
    };
    const group = getFaultGroup(fault.fault);
    if (group === 'connection' || group === 'status') {
      if (fault.phase === 'after') await respond();
      if (group === 'status') return createFaultResponse(fault, context);
      if (fault.fault === 'refuse') socket.destroy();
      else socket.resetAndDestroy();
      return { status: 0, json: null };
    }
    const result = await respond();
    return group === 'json' && 'json' in result && result.status === 200
      ? { ...result, json: applyJsonFault(fault, result.json, context) }
      : result;
  }

  async #callRoute(
    route: Route,
    params: Readonly<Record<string, string>>,
    incoming: IncomingRequest,
    text: string,
  ): Promise<RouteResponse> {
    const principal = route.open ? undefined : this.#identify(incoming);
    if (!route.open && principal === undefined)
      throw unauthenticated('a credential is required: an API key or an access token');
    if (route.permission !== undefined && principal !== undefined) {
      const organization = params['organizationId'] ?? incoming.query.get('org_id') ?? undefined;
      requirePermission(principal, route.permission.resource, route.permission.verb, organization);
    }
    return route.handle({ params, query: incoming.query, body: parseBody(text), principal });
  }

  #identify({ header }: IncomingRequest): Principal | undefined {
    return this.world.credentials.identify(header);
  }

  #serveOther(found: 'otherMethod' | undefined, incoming: IncomingRequest): RouteResponse {
    const { method, segments, path, query, header } = incoming;
    if (path === REFRESH) {
      if (method !== 'POST') throw methodNotAllowed(method);
      return this.register.refresh(this.world.credentials.readToken(header));
    }
    if (segments[0] === 'files' || segments[0] === 'pages') {
      if (method !== 'GET') throw methodNotAllowed(method);
      return segments[0] === 'files'
        ? serveFile(this.world, segments, () => this.#identify(incoming))
        : servePage(this.world, segments, query);
    }
    throw found === 'otherMethod' ? methodNotAllowed(method) : notFound('no such path');
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#pauses.delete(finish);
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      this.#pauses.add(finish);
    });
  }
}

function methodNotAllowed(method: string): HttpError {
  return new HttpError(405, 'method_not_allowed', `${method} is not allowed here`);
}

function createFailureResponse(error: unknown): RouteResponse {
  if (error instanceof HttpError) return { status: error.status, json: errorBody(error) };
  const message = error instanceof Error ? error.message : 'unknown';
  return { status: 500, json: { code: 'internal', message: `the sandbox itself failed: ${message}`, details: {} } };
}
