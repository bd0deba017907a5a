/** What a sandbox can be told when it starts, with the defaults. */
import { randomBytes } from 'node:crypto';
import type { ResourceRow } from '../platform/resource.ts';
import { HEADERS, type HeaderNames } from './credentials.ts';

/** Milliseconds of the sandbox's clock. */
export interface Delays {
  /** until an action log can be listed */
  readonly index: number;
  /** until a pending action log is completed or failed */
  readonly settle: number;
  /** from a batch's first action to `processing`, and again to `completed` */
  readonly batch: number;
}

export interface SandboxOptions {
  /** 0: any free one */
  readonly port?: number;
  /** the same seed makes the same data */
  readonly seed?: number;
  /** how many objects there are; they take no memory */
  readonly objects?: number;
  /** action logs of the last thirty days */
  readonly logs?: number;
  /** `manual`: time stands still until `/__sandbox/clock` or `advance` moves it */
  readonly clock?: 'system' | 'manual';
  /** where time starts; a manual clock has a fixed default, so that all dates are the same each time */
  readonly start?: number | string;
  readonly indexDelay?: number;
  readonly settleDelay?: number;
  readonly batchDelay?: number;
  /** milliseconds that an access token is good for */
  readonly tokenLifetime?: number;
  readonly refreshLifetime?: number;
  /** registering a wallet and confirming an invite demand a credential, as deployments may; default false */
  readonly walletCredential?: boolean;
  /** keys and tokens come from it; random unless given, so that nobody can guess them */
  readonly secret?: string;
  /** a path before all others: `/api/v1` */
  readonly basePath?: string;
  readonly headers?: Partial<HeaderNames>;
  /** failed action logs carry their reason in `error`, which the contract does not have; default false */
  readonly logErrors?: boolean;
  /** compress answers over 1 KB where the client allows it */
  readonly gzip?: boolean;
  /** further rows beside the registry's; served by sampling their schemas */
  readonly extraRows?: Readonly<Record<string, ResourceRow>>;
}

export interface Settings {
  readonly port: number;
  readonly seed: number;
  readonly objects: number;
  readonly logs: number;
  readonly clock: 'system' | 'manual';
  readonly start: number | undefined;
  readonly delays: Delays;
  readonly tokenLifetime: number;
  readonly refreshLifetime: number;
  readonly walletCredential: boolean;
  readonly secret: string;
  readonly basePath: string;
  readonly headers: HeaderNames;
  readonly logErrors: boolean;
  readonly gzip: boolean;
  readonly extraRows: Readonly<Record<string, ResourceRow>>;
}

const HOUR = 3_600_000;
/** Indices are 30 bits; those above stand for objects that were burnt or minted. */
export const MAX_OBJECTS = 100_000_000;

/** Throws RangeError with a sentence for a person. */
export function settingsOf(options: SandboxOptions): Settings {
  const whole = (name: string, value: number, most: number): number => {
    if (!Number.isSafeInteger(value) || value < 0 || value > most)
      throw new RangeError(`${name}: a whole number from 0 to ${most}`);
    return value;
  };
  const start = typeof options.start === 'string' ? Date.parse(options.start) : options.start;
  if (start !== undefined && !Number.isFinite(start)) throw new RangeError('start: a date-time');
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  if (basePath !== '' && !/^(?:\/[\w.~-]+)+$/.test(basePath)) throw new RangeError('basePath: a path such as /api/v1');
  return {
    port: whole('port', options.port ?? 0, 65_535),
    seed: whole('seed', options.seed ?? 1, 0xffff_ffff),
    objects: whole('objects', options.objects ?? 500, MAX_OBJECTS),
    logs: whole('logs', options.logs ?? 2400, 100_000),
    clock: options.clock ?? 'system',
    start,
    delays: {
      index: options.indexDelay ?? 150,
      settle: options.settleDelay ?? 1000,
      batch: options.batchDelay ?? 1500,
    },
    tokenLifetime: options.tokenLifetime ?? 12 * HOUR,
    refreshLifetime: options.refreshLifetime ?? 30 * 24 * HOUR,
    walletCredential: options.walletCredential ?? false,
    secret: options.secret ?? randomBytes(32).toString('hex'),
    basePath,
    headers: { ...HEADERS, ...options.headers },
    logErrors: options.logErrors ?? false,
    gzip: options.gzip ?? true,
    extraRows: options.extraRows ?? {},
  };
}
