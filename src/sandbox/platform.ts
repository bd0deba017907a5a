/** Answers the sandbox's requests, one after the other: understood, recorded, perhaps spoilt, checked, handled, sent. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { controlAnswer, type Control } from './control.ts';
import { demand, type Principal } from './credentials.ts';
import { Executor } from './execute.ts';
import { replacement, spoil, type Met } from './fault-answers.ts';
import { FaultMenu, groupOf, type Fault } from './faults.ts';
import { errorBody, HttpError, notFound, unauthenticated, type Answer } from './http.ts';
import { parseBody, readBody, understand, type Incoming } from './incoming.ts';
import { servePage, serveFile } from './pages.ts';
import { Recorder, type Recorded } from './recorder.ts';
import { Register } from './register.ts';
import { findRoute, makeRoutes, type Route } from './routes.ts';
import { Settlement } from './settle.ts';
import { statisticsAnswer } from './statistics.ts';
import { send } from './wire.ts';
import type { World } from './world.ts';

const REFRESH = '/auth/refresh';

/** Answers requests: control endpoints, faults, routes, pages and files. */
export class Platform implements Control {
  readonly world: World;
  readonly faults = new FaultMenu();
  readonly recorder = new Recorder();
  readonly settlement: Settlement;
  readonly register: Register;
  readonly #routes: readonly Route[];
  readonly #pauses = new Set<() => void>();

  constructor(world: World) {
    this.world = world;
    this.settlement = new Settlement(world);
    this.register = new Register(world);
    const executor = new Executor(world, this.settlement, this.recorder);
    this.#routes = makeRoutes(world, {
      execute: (call) => executor.execute(call),
      registerWallet: (call) => this.register.registerWallet(call),
      confirmInvite: (call) => this.register.confirmInvite(call),
      statistics: (series, operation, call) => statisticsAnswer(world, series, operation, call),
    });
  }

  stop(): void {
    for (const go of this.#pauses) go();
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    response.on('error', () => socket.destroy());
    let recorded: Recorded | undefined;
    let fault: Fault | undefined;
    let answer: Answer;
    try {
      const incoming = understand(request, this.world.settings.basePath);
      const [first = '', second = ''] = incoming.segments;
      if (first === '__sandbox') answer = await this.#control(incoming, second);
      else {
        const found = findRoute(this.#routes, incoming.method, incoming.segments);
        const route = typeof found === 'object' ? found.route : undefined;
        const name = route?.name ?? (incoming.path === REFRESH ? `POST ${REFRESH}` : undefined);
        recorded = this.#record(incoming, name);
        fault = this.faults.take(name ?? `${incoming.method} ${incoming.path}`);
        if (fault !== undefined) recorded.fault = fault.fault;
        if (fault?.fault === 'refuse' && fault.phase === 'before') {
          socket.destroy();
          return;
        }
        const body = await readBody(request);
        answer = await this.#faulty(fault, socket, incoming, route, () => {
          if (typeof found === 'object') return this.#call(found.route, found.params, incoming, body);
          return this.#otherwise(found, incoming);
        });
      }
    } catch (error) {
      answer = failure(error);
    }
    if (socket.destroyed) return;
    if (recorded !== undefined) recorded.status = answer.status;
    const accepts = request.headers['accept-encoding'] ?? '';
    try {
      await send(
        {
          response,
          socket,
          requestId: `req_${randomUUID()}`,
          gzip: this.world.settings.gzip && /\bgzip\b/.test(accepts),
          fault,
          pause: (milliseconds) => this.#pause(milliseconds),
        },
        answer,
      );
    } catch {
      socket.destroy();
    }
  }

  #record({ request, method, path, query, header }: Incoming, route: string | undefined): Recorded {
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

  async #control(incoming: Incoming, name: string): Promise<Answer> {
    const { header, method, request } = incoming;
    const { credentials, apiKey } = this.world;
    const given = header('x-sandbox-key') ?? header(credentials.headers.apiKey);
    if (!credentials.isKey(given, apiKey))
      throw unauthenticated('the x-sandbox-key header must hold the printed API key');
    return controlAnswer(this, method, name, parseBody(await readBody(request)));
  }

  /** The answer as the fault would have it; the socket is ended where there is to be none. */
  async #faulty(
    fault: Fault | undefined,
    socket: Socket,
    incoming: Incoming,
    route: Route | undefined,
    proper: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    if (fault === undefined) return proper();
    const { headers } = this.world.credentials;
    const met: Met = {
      target: incoming.request.url ?? '/',
      credential: incoming.header(headers.token) ?? incoming.header(headers.apiKey) ?? 'no credential',
      cursor: incoming.query.get('next'),
      listKey: route?.listKey,
      schema: route?.schema,
    };
    const group = groupOf(fault.fault);
    if (group === 'connection' || group === 'status') {
      if (fault.phase === 'after') await proper();
      if (group === 'status') return replacement(fault, met);
      if (fault.fault === 'refuse') socket.destroy();
      else socket.resetAndDestroy();
      return { status: 0, json: null };
    }
    const answer = await proper();
    return group === 'json' && 'json' in answer && answer.status === 200
      ? { ...answer, json: spoil(fault, answer.json, met) }
      : answer;
  }

  async #call(
    route: Route,
    params: Readonly<Record<string, string>>,
    incoming: Incoming,
    text: string,
  ): Promise<Answer> {
    const principal = route.open ? undefined : this.#principal(incoming);
    if (!route.open && principal === undefined)
      throw unauthenticated('a credential is required: an API key or an access token');
    if (route.permission !== undefined && principal !== undefined) {
      const organization = params['organizationId'] ?? incoming.query.get('org_id') ?? undefined;
      demand(principal, route.permission.resource, route.permission.verb, organization);
    }
    return route.handle({ params, query: incoming.query, body: parseBody(text), principal });
  }

  #principal({ header }: Incoming): Principal | undefined {
    return this.world.credentials.identify(header);
  }

  #otherwise(found: 'otherMethod' | undefined, incoming: Incoming): Answer {
    const { method, segments, path, query, header } = incoming;
    if (path === REFRESH) {
      if (method !== 'POST') throw otherMethod(method);
      return this.register.refresh(this.world.credentials.tokenIn(header));
    }
    if (segments[0] === 'files' || segments[0] === 'pages') {
      if (method !== 'GET') throw otherMethod(method);
      return segments[0] === 'files'
        ? serveFile(this.world, segments, () => this.#principal(incoming))
        : servePage(this.world, segments, query);
    }
    throw found === 'otherMethod' ? otherMethod(method) : notFound('no such path');
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#pauses.delete(go);
        resolve();
      };
      const timer = setTimeout(go, milliseconds);
      this.#pauses.add(go);
    });
  }
}

function otherMethod(method: string): HttpError {
  return new HttpError(405, 'method_not_allowed', `${method} is not allowed here`);
}

function failure(error: unknown): Answer {
  if (error instanceof HttpError) return { status: error.status, json: errorBody(error) };
  const message = error instanceof Error ? error.message : 'unknown';
  return { status: 500, json: { code: 'internal', message: `the sandbox itself failed: ${message}`, details: {} } };
}
