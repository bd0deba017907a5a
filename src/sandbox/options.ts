/** Options of the sandbox and their defaults. */
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../platform/json/json.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import type { Imported } from './data/imported.ts';
import { DEFAULT_HEADERS, type HeaderNames } from './auth/credentials.ts';

/** An execution that reached the rules, as it can be repeated. */
export interface RecordedExecution {
  /** milliseconds since 1970 */
  readonly when: number;
  readonly walletId: string;
  readonly address: string;
  readonly body: JsonObject;
  /** reason of a refusal */
  readonly refused?: string | undefined;
}

/** The executions of an ended sandbox, for one with the same seed and start. */
interface Replay {
  /** index of its first log, from which the ids of actions follow */
  readonly firstLog: number;
  readonly executions: readonly RecordedExecution[];
  /** milliseconds since 1970 at which its clock was paused, and stays paused */
  readonly pausedAt?: number | undefined;
}

export interface SandboxOptions {
  /** 0: any free port */
  readonly port?: number | undefined;
  /** the same seed generates the same data */
  readonly seed?: number;
  /** number of objects; generated on demand, so that they use no memory */
  readonly objects?: number;
  /** action logs of the last thirty days */
  readonly logs?: number;
  /** `manual`: only `/__sandbox/clock` and `advance` change the time */
  readonly clock?: 'system' | 'manual';
  /** start of the clock; fixed by default for a manual clock, so that all dates are reproducible */
  readonly start?: number | string;
  /** milliseconds of the clock until an action log can be listed */
  readonly indexDelay?: number;
  /** milliseconds until a pending action log is completed or failed */
  readonly settleDelay?: number;
  /** milliseconds from a batch's first action to `processing`, and again to `completed` */
  readonly batchDelay?: number;
  /** milliseconds until an access token expires */
  readonly tokenLifetime?: number;
  readonly refreshLifetime?: number;
  /** registering a wallet and confirming an invite require a credential, as some deployments do; default false */
  readonly walletCredential?: boolean;
  /** keys and tokens are derived from it; default: random */
  readonly secret?: string;
  /** a path before all others: `/api/v1` */
  readonly basePath?: string;
  readonly headers?: Partial<HeaderNames>;
  /** failed action logs carry their reason in `error`, which the contract does not have; default false */
  readonly logErrors?: boolean;
  /** compress responses over 1 KB if the client accepts it; default true */
  readonly gzip?: boolean;
  /** resource kinds besides the registry's; their data is sampled from their schemas */
  readonly extraKinds?: Readonly<Record<string, ResourceDefinition>>;
  /** repeated at their times; needs `start` and the system clock */
  readonly replay?: Replay | undefined;
  /** resources of another platform, added at the start */
  readonly imported?: Imported | undefined;
  /** called with each execution, also repeated ones */
  readonly onExecute?: (execution: RecordedExecution) => void;
  /** called after each request */
  readonly onRequest?: () => void;
}

/** Options without a default. */
type Extras = Pick<SandboxOptions, 'replay' | 'imported'>;

/** The options with their defaults. */
export interface Settings extends Required<Omit<SandboxOptions, 'start' | keyof Extras>>, Extras {
  readonly port: number;
  /** milliseconds since 1970; absent: the present, or the default of a manual clock */
  readonly start: number | undefined;
  readonly headers: HeaderNames;
}

const HOUR = 3_600_000;
/** Indices above 30 bits are those of burnt and minted objects. */
const MAX_OBJECTS = 100_000_000;

/** Applies the defaults. Throws RangeError with a message for the user. */
export function parseSettings(options: SandboxOptions): Settings {
  const integer = (name: string, value: number, max: number): number => {
    if (!Number.isSafeInteger(value) || value < 0 || value > max)
      throw new RangeError(`${name}: a whole number from 0 to ${max}`);
    return value;
  };
  const start = typeof options.start === 'string' ? Date.parse(options.start) : options.start;
  if (start !== undefined && !Number.isFinite(start)) throw new RangeError('start: a date-time');
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  if (basePath !== '' && !/^(?:\/[\w.~-]+)+$/.test(basePath)) throw new RangeError('basePath: a path such as /api/v1');
  return {
    clock: 'system',
    indexDelay: 150,
    settleDelay: 1000,
    batchDelay: 1500,
    tokenLifetime: 12 * HOUR,
    refreshLifetime: 30 * 24 * HOUR,
    walletCredential: false,
    secret: randomBytes(32).toString('hex'),
    logErrors: false,
    gzip: true,
    extraKinds: {},
    onExecute: () => undefined,
    onRequest: () => undefined,
    ...options,
    port: integer('port', options.port ?? 0, 65_535),
    seed: integer('seed', options.seed ?? 1, 0xffff_ffff),
    objects: integer('objects', options.objects ?? 500, MAX_OBJECTS),
    logs: integer('logs', options.logs ?? 2400, 100_000),
    start,
    basePath,
    headers: { ...DEFAULT_HEADERS, ...options.headers },
  };
}
