/** The transport that all connections share: undici on first use, made anew when the network settings change. */
import type { NetworkSettings, Timeouts, Transport, TransportAnswer, TransportRequest } from '../platform/transport.ts';

interface Line {
  readonly transport: Promise<Transport>;
  requests: number;
  retired: boolean;
}

export class SharedTransport implements Transport {
  readonly #settings: () => Promise<NetworkSettings>;
  #line: Line | undefined;

  constructor(settings: () => Promise<NetworkSettings>) {
    this.#settings = settings;
  }

  async send(request: TransportRequest): Promise<TransportAnswer> {
    const line = (this.#line ??= this.#open());
    line.requests++;
    try {
      return await (await line.transport).send(request);
    } finally {
      line.requests--;
      end(line);
    }
  }

  /** The next request goes over a new transport; those under way end on the old one. */
  renew(): void {
    const line = this.#line;
    this.#line = undefined;
    if (line === undefined) return;
    line.retired = true;
    end(line);
  }

  async close(): Promise<void> {
    const line = this.#line;
    this.#line = undefined;
    await (await line?.transport)?.close();
  }

  #open(): Line {
    const transport = Promise.all([import('../platform/undici.ts'), this.#settings()]).then(([undici, settings]) =>
      undici.createTransport(settings),
    );
    return { transport, requests: 0, retired: false };
  }
}

function end(line: Line): void {
  if (line.retired && line.requests === 0) void line.transport.then((transport) => transport.close());
}

/** `seconds` of a setting as the three limits of a request. */
export function timeoutsOf(seconds: number): Timeouts {
  const milliseconds = Math.max(100, Math.round(seconds * 1000));
  return { connect: Math.min(milliseconds, 15_000), headers: milliseconds, body: milliseconds };
}
