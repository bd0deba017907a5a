/** Faults: failures that tests can request, by route and number. */
import * as z from 'zod/mini';

/** Fault names by what they affect: the connection, the status, the JSON, or the transfer of the bytes. */
const faultGroups = {
  connection: ['refuse', 'resetBefore'],
  status: [
    'htmlBadGateway',
    'htmlOk',
    'emptyServerError',
    'serverError',
    'unauthorized',
    'forbidden',
    'notFound',
    'conflict',
    'unprocessable',
    'rateLimited',
    'unavailable',
    'gatewayTimeout',
    'redirect',
    'echoCredential',
  ],
  json: [
    'missingField',
    'wrongType',
    'nullList',
    'otherListKey',
    'wrapped',
    'unknownEnum',
    'unknownField',
    'badItem',
    'repeatedCursor',
    'emptyCursor',
    'hugePage',
    'hugeField',
    'bigInteger',
    'failedStep',
    'nullSteps',
  ],
  wire: ['slowHeaders', 'slowBody', 'resetBody', 'truncatedJson', 'hugeBody'],
} as const;

export const faultNames = [
  ...faultGroups.connection,
  ...faultGroups.status,
  ...faultGroups.json,
  ...faultGroups.wire,
] as const;
export type FaultName = (typeof faultNames)[number];

/** The shapes of error bodies that deployments use. */
export const errorShapes = ['code', 'nested', 'success', 'text', 'plain', 'html', 'none'] as const;

export const faultSchema = z.strictObject({
  /** `GET /objects`, `GET /objects/{objectId}`, or `*` for all but the control endpoints */
  route: z._default(z.string(), '*'),
  fault: z.enum(faultNames),
  /** number of affected requests; null: all */
  count: z._default(z.nullable(z.int().check(z.gte(1))), 1),
  /** number of requests of the route to skip first */
  after: z._default(z.int().check(z.gte(0)), 0),
  /** `after`: the request takes effect but its response is lost; for the groups `connection` and `status` */
  phase: z._default(z.enum(['before', 'after']), 'before'),
  /** milliseconds, for slow responses */
  delay: z._default(z.int().check(z.gte(0)), 1000),
  /** seconds, a date, or none, for 429 and 503 */
  retryAfter: z.optional(z.union([z.int().check(z.gte(0)), z.enum(['date', 'none'])])),
  shape: z._default(z.enum(errorShapes), 'code'),
  /** the error's message */
  message: z.optional(z.string()),
  /** path of a field: `metadata.name`; default: a suitable one */
  field: z.optional(z.string()),
  /** new value of the field, for wrongType, unknownEnum and unknownField */
  value: z.optional(z.unknown()),
  /** of a redirect */
  status: z._default(z.enum({ movedFor: 301, found: 302, seeOther: 303, temporary: 307, permanent: 308 }), 307),
  /** target of a redirect; default: the same path with `redirected=1` */
  location: z.optional(z.string()),
  /** items of hugePage, bytes of hugeField and hugeBody */
  size: z.optional(z.int().check(z.gte(1))),
});

export type Fault = z.output<typeof faultSchema>;
export type FaultSpec = z.input<typeof faultSchema>;

interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  waiting: number;
  left: number | null;
  hits: number;
}

/** A fault with its remaining (`null`: without end) and past hits. */
export interface ListedFault extends Fault {
  readonly id: number;
  readonly hits: number;
  readonly left: number | null;
}

/** The active faults, in the order in which they were added. */
export class FaultQueue {
  #active: ActiveFault[] = [];
  #ids = 0;

  /** Adds a fault and returns its id. Throws ZodError for an invalid specification. */
  add(spec: FaultSpec): number {
    const fault = z.parse(faultSchema, spec);
    const id = ++this.#ids;
    this.#active.push({ id, fault, waiting: fault.after, left: fault.count, hits: 0 });
    return id;
  }

  /** Removes all faults. */
  clear(): void {
    this.#active = [];
  }

  /** All faults with their remaining and past hits. */
  list(): readonly ListedFault[] {
    return this.#active.map(({ id, fault, hits, left }) => ({ ...fault, id, hits, left }));
  }

  /** Returns the fault of the next request of this route and counts the hit. */
  next(route: string): Fault | undefined {
    for (const active of this.#active) {
      if (active.fault.route !== '*' && active.fault.route !== route) continue;
      if (active.left === 0) continue;
      if (active.waiting > 0) {
        active.waiting--;
        continue;
      }
      if (active.left !== null) active.left--;
      active.hits++;
      return active.fault;
    }
    return undefined;
  }
}

/** The group of a fault. */
export function getFaultGroup(name: FaultName): keyof typeof faultGroups {
  const has = (names: readonly FaultName[]): boolean => names.includes(name);
  if (has(faultGroups.connection)) return 'connection';
  if (has(faultGroups.status)) return 'status';
  return has(faultGroups.json) ? 'json' : 'wire';
}
