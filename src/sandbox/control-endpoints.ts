/** The control endpoints `/__sandbox/*`: faults, clock, tokens, injected logs and recorded requests. */
import * as z from 'zod/mini';
import { permission } from '../platform/resources/permission.ts';
import { importResources } from './data/import-resources.ts';
import { importedSchema } from './data/imported.ts';
import { faultSchema, type FaultQueue, type ListedFault } from './faults/faults.ts';
import { badRequest, HttpError, notFound } from './http/errors.ts';
import { ok, type RouteResponse } from './http/responses.ts';
import type { RequestRecorder } from './request-recorder.ts';
import type { Accounts } from './auth/accounts.ts';
import { injectionSchema, type Settlement } from './actions/settlement.ts';
import type { World } from './world.ts';

export interface Control {
  readonly world: World;
  readonly faults: FaultQueue;
  readonly recorder: RequestRecorder;
  readonly register: Accounts;
  readonly settlement: Settlement;
}

const clockBody = z.object({
  /** true: only this endpoint moves the clock; false: it runs by itself again */
  paused: z.optional(z.boolean()),
  /** milliseconds */
  advance: z.optional(z.int().check(z.gte(0))),
});
const tokenBody = z.object({
  /** milliseconds; negative: already expired */
  lifetime: z.optional(z.int()),
  fqdn: z.optional(z.string()),
  wallet_id: z.optional(z.string()),
  org_id: z.optional(z.string()),
  use: z._default(z.enum(['access', 'refresh']), 'access'),
  permissions: z.optional(z.array(permission)),
});
const settleBody = z.object({
  log: z.optional(z.enum(['completed', 'failed'])),
  batch: z.optional(z.enum(['completed', 'failed'])),
  /** everything that is pending settles at once; the clock stays */
  now: z.optional(z.boolean()),
});

function parseBodyAs<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const result = z.safeParse(schema, body);
  if (result.success) return result.data;
  throw badRequest(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}

/** What a window shows of a running sandbox. */
export interface SandboxStatus {
  readonly objects: number;
  /** served since the start */
  readonly requests: number;
  /** milliseconds since 1970, of the sandbox's clock */
  readonly now: number;
  readonly paused: boolean;
  /** those that still affect requests */
  readonly faults: readonly ListedFault[];
}

/** Reads what a window shows. */
export function readStatus({ world, faults, recorder }: Pick<Control, 'world' | 'faults' | 'recorder'>): SandboxStatus {
  return {
    objects: world.collection('objects').size,
    requests: recorder.total,
    now: world.clock.now(),
    paused: world.clock.manual,
    faults: faults.list().filter(({ left }) => left !== 0),
  };
}

/** Handles `method /__sandbox/name`. Throws HttpError for unknown endpoints and invalid bodies. */
export function handleControl(control: Control, method: string, name: string, body: unknown): RouteResponse {
  const { world, faults, recorder, settlement, register } = control;
  const { clock } = world;
  const readClock = () => ({ now: new Date(clock.now()).toISOString(), manual: clock.manual });
  switch (`${method} ${name}`) {
    case 'GET faults':
      return ok({ faults: faults.list() });
    case 'POST faults':
      return ok({ id: faults.add(parseBodyAs(faultSchema, body)) });
    case 'DELETE faults':
      faults.clear();
      return ok({});
    case 'GET clock':
      return ok(readClock());
    case 'POST clock': {
      const { paused, advance } = parseBodyAs(clockBody, body);
      if (paused === false && world.settings.clock === 'manual')
        throw new HttpError(409, 'conflict', 'a manual clock does not run by itself');
      if (paused !== undefined) clock[paused ? 'pause' : 'resume']();
      if (advance !== undefined && !clock.manual)
        throw new HttpError(409, 'conflict', 'the clock runs by itself: pause it, or start with --clock manual');
      if (advance !== undefined) clock.advance(advance);
      return ok(readClock());
    }
    case 'GET status':
      return ok(readStatus(control));
    case 'GET requests':
      return ok({ requests: recorder.requests });
    case 'DELETE requests':
      recorder.reset();
      return ok({});
    case 'GET stats':
      return ok({ routes: recorder.counts, executes: recorder.executes });
    case 'POST import':
      importResources(world, parseBodyAs(importedSchema, body ?? {}));
      return ok({});
    case 'POST logs':
      return ok({ ids: settlement.injectLogs(parseBodyAs(injectionSchema, body ?? {})) });
    case 'POST settle': {
      const { now, ...outcome } = parseBodyAs(settleBody, body ?? {});
      settlement.setNextOutcome(outcome);
      if (now === true) clock.flush();
      return ok({});
    }
    case 'POST tokens': {
      const { lifetime, use, fqdn, wallet_id, org_id, permissions } = parseBodyAs(tokenBody, body ?? {});
      const [organization] = world.organizations;
      const claims = {
        sub: wallet_id ?? world.ownAccount.id,
        fqdn: fqdn ?? world.ownAccount.fqdn,
        org_id: org_id ?? organization.id,
        use,
        ...(permissions !== undefined && { permissions }),
      };
      return ok({ token: register.sign(claims, lifetime) });
    }
    default:
      throw notFound('unknown control endpoint: faults, clock, status, requests, stats, import, logs, settle, tokens');
  }
}
