/** The transport of all connections: loads undici on first use, replaced when network settings change. */
import type {
  NetworkSettings,
  Timeouts,
  Transport,
  TransportResponse,
  TransportRequest,
} from '../../platform/http/transport.ts';

interface TransportLease {
  readonly transport: Promise<Transport>;
  requests: number;
  replaced: boolean;
}

/** Implements `Transport` over the current network settings. */
export class SharedTransport implements Transport {
  readonly #settings: () => Promise<NetworkSettings>;
  #current: TransportLease | undefined;

  constructor(settings: () => Promise<NetworkSettings>) {
    this.#settings = settings;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const lease = (this.#current ??= this.#open());
    lease.requests++;
    try {
      return await (await lease.transport).send(request);
    } finally {
      lease.requests--;
      closeIfIdle(lease);
    }
  }

  /** New requests use a new transport; running ones finish on the old. */
  replace(): void {
    const lease = this.#current;
    this.#current = undefined;
    if (lease === undefined) return;
    lease.replaced = true;
    closeIfIdle(lease);
  }

  async close(): Promise<void> {
    const line = this.#current;
    this.#current = undefined;
    await (await line?.transport)?.close();
  }

  #open(): TransportLease {
    const transport = Promise.all([import('../../platform/http/undici-transport.ts'), this.#settings()]).then(
      ([undici, settings]) => undici.createTransport(settings),
    );
    return { transport, requests: 0, replaced: false };
  }
}

function closeIfIdle(lease: TransportLease): void {
  if (lease.replaced && lease.requests === 0) void lease.transport.then((transport) => transport.close());
}

/** Converts the seconds of a setting to the three timeouts of a request. */
export function createTimeouts(seconds: number): Timeouts {
  const milliseconds = Math.max(100, Math.round(seconds * 1000));
  return { connect: Math.min(milliseconds, 15_000), headers: milliseconds, body: milliseconds };
}
