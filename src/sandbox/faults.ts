/** The fault menu: what can be made to go wrong, on which route, and how often. */
import * as z from 'zod/mini';

/** By what they replace: the connection, the answer's status, its JSON, or the way its bytes arrive. */
export const faultGroups = {
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

/** The forms of an error's body that deployments are known for. */
export const errorShapes = ['code', 'nested', 'success', 'text', 'plain', 'html', 'none'] as const;
export type ErrorShape = (typeof errorShapes)[number];

export const faultSchema = z.object({
  /** `GET /objects`, `GET /objects/{objectId}`, or `*` for all but the control endpoints */
  route: z._default(z.string(), '*'),
  fault: z.enum(faultNames),
  /** how many requests it hits; null: all of them */
  count: z._default(z.nullable(z.int().check(z.gte(1))), 1),
  /** how many requests of the route go well first */
  after: z._default(z.int().check(z.gte(0)), 0),
  /** `after`: the request has its effect, and the answer is lost; for faults that replace the answer or the connection */
  phase: z._default(z.enum(['before', 'after']), 'before'),
  /** milliseconds, for slow ones */
  delay: z._default(z.int().check(z.gte(0)), 1000),
  /** seconds, a date, or none, for 429 and 503 */
  retryAfter: z.optional(z.union([z.int().check(z.gte(0)), z.enum(['date', 'none'])])),
  shape: z._default(z.enum(errorShapes), 'code'),
  /** the error's own words */
  message: z.optional(z.string()),
  /** path of a field: `metadata.name`; a fitting one is chosen where none is given */
  field: z.optional(z.string()),
  /** what the field becomes, for wrongType, unknownEnum and unknownField */
  value: z.optional(z.unknown()),
  /** of a redirect */
  status: z._default(z.enum({ movedFor: 301, found: 302, seeOther: 303, temporary: 307, permanent: 308 }), 307),
  /** where a redirect leads; without one, to the same path with `redirected=1` */
  location: z.optional(z.string()),
  /** items of hugePage, bytes of hugeField and hugeBody */
  size: z.optional(z.int().check(z.gte(1))),
});

export type Fault = z.output<typeof faultSchema>;
export type FaultSpec = z.input<typeof faultSchema>;

interface Active {
  readonly id: number;
  readonly fault: Fault;
  waiting: number;
  left: number | null;
  hits: number;
}

export interface ListedFault extends Fault {
  readonly id: number;
  readonly hits: number;
  readonly left: number | null;
}

export class FaultMenu {
  #active: Active[] = [];
  #ids = 0;

  /** Throws a ZodError where the specification is not understood. */
  add(spec: FaultSpec): number {
    const fault = z.parse(faultSchema, spec);
    const id = ++this.#ids;
    this.#active.push({ id, fault, waiting: fault.after, left: fault.count, hits: 0 });
    return id;
  }

  clear(): void {
    this.#active = [];
  }

  list(): readonly ListedFault[] {
    return this.#active.map(({ id, fault, hits, left }) => ({ ...fault, id, hits, left }));
  }

  /** The fault that the next request of this route meets, counted as met. */
  take(route: string): Fault | undefined {
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

export function groupOf(name: FaultName): keyof typeof faultGroups {
  const has = (names: readonly FaultName[]): boolean => names.includes(name);
  if (has(faultGroups.connection)) return 'connection';
  if (has(faultGroups.status)) return 'status';
  return has(faultGroups.json) ? 'json' : 'wire';
}
