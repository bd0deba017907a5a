/** `/__sandbox/*`: faults, clock, tokens, extra logs and what was asked, for tests and for rehearsing failures. */
import * as z from 'zod/mini';
import { permission } from '../platform/resources/permission.ts';
import { faultSchema, type FaultMenu } from './faults.ts';
import { badRequest, HttpError, notFound, ok, type Answer } from './http.ts';
import type { Recorder } from './recorder.ts';
import type { Register } from './register.ts';
import type { Settlement } from './settle.ts';
import type { World } from './world.ts';

export interface Control {
  readonly world: World;
  readonly faults: FaultMenu;
  readonly recorder: Recorder;
  readonly register: Register;
  readonly settlement: Settlement;
}

const clockBody = z.object({ advance: z.int().check(z.gte(0)) });
const tokenBody = z.object({
  /** milliseconds; negative ones are over */
  lifetime: z.optional(z.int()),
  fqdn: z.optional(z.string()),
  wallet_id: z.optional(z.string()),
  org_id: z.optional(z.string()),
  use: z._default(z.enum(['access', 'refresh']), 'access'),
  permissions: z.optional(z.array(permission)),
});
const logsBody = z.object({
  count: z.int().check(z.gte(1), z.lte(100_000)),
  /** milliseconds before now that they lie in */
  spread: z._default(z.int().check(z.gte(0)), 0),
  /** all dates are rounded down to a multiple of it, so that many are the same */
  tie: z._default(z.int().check(z.gte(1)), 1),
  status: z._default(z.enum(['pending', 'completed', 'failed', 'mixed']), 'completed'),
  /** each becomes visible up to so many milliseconds from now, out of order */
  late: z._default(z.int().check(z.gte(0)), 0),
  /** pending ones settle up to so many milliseconds from now, out of order; never where it is not given */
  settle: z.optional(z.int().check(z.gte(0))),
  action: z.optional(z.string()),
});
const settleBody = z.object({
  log: z.optional(z.enum(['completed', 'failed'])),
  batch: z.optional(z.enum(['completed', 'failed'])),
});

function read<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const result = z.safeParse(schema, body);
  if (result.success) return result.data;
  throw badRequest(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}

export function controlAnswer(control: Control, method: string, name: string, body: unknown): Answer {
  const { world, faults, recorder, settlement, register } = control;
  const { clock } = world;
  switch (`${method} ${name}`) {
    case 'GET faults':
      return ok({ faults: faults.list() });
    case 'POST faults':
      return ok({ id: faults.add(read(faultSchema, body)) });
    case 'DELETE faults':
      faults.clear();
      return ok({});
    case 'GET clock':
      return ok({ now: new Date(clock.now()).toISOString(), manual: clock.manual });
    case 'POST clock':
      if (!clock.manual) throw new HttpError(409, 'conflict', 'the clock runs by itself: start with --clock manual');
      clock.advance(read(clockBody, body).advance);
      return ok({ now: new Date(clock.now()).toISOString(), manual: true });
    case 'GET requests':
      return ok({ requests: recorder.requests });
    case 'DELETE requests':
      recorder.reset();
      return ok({});
    case 'GET stats':
      return ok({ routes: recorder.counts, executes: recorder.executes });
    case 'POST logs':
      return ok({ ids: settlement.inject(read(logsBody, body ?? {})) });
    case 'POST settle':
      settlement.decide(read(settleBody, body ?? {}));
      return ok({});
    case 'POST tokens': {
      const { lifetime, use, fqdn, wallet_id, org_id, permissions } = read(tokenBody, body ?? {});
      const [organization] = world.organizations;
      const claims = {
        sub: wallet_id ?? world.own.id,
        fqdn: fqdn ?? world.own.fqdn,
        org_id: org_id ?? organization.id,
        use,
        ...(permissions !== undefined && { permissions }),
      };
      return ok({ token: register.sign(claims, lifetime) });
    }
    default:
      throw notFound('unknown control endpoint: faults, clock, requests, stats, logs, settle, tokens');
  }
}
