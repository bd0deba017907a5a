/** The sandbox: a local HTTP server that implements the contract with generated data. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandboxInfo, type SandboxInfo } from './sandbox-info.ts';
import type { FaultQueue } from './faults/faults.ts';
import { parseSettings, type SandboxOptions } from './options.ts';
import { RequestHandler } from './request-handler.ts';
import type { RouteResponse } from './http/responses.ts';
import type { RequestRecorder } from './request-recorder.ts';
import type { Settlement } from './actions/settlement.ts';
import { createWorld, type World } from './world.ts';

export interface Sandbox extends SandboxInfo {
  /** only the serializable fields */
  readonly info: SandboxInfo;
  readonly world: World;
  readonly faults: FaultQueue;
  readonly recorder: RequestRecorder;
  readonly settlement: Settlement;
  /** Advances a manual clock. Throws for the system clock. */
  advance(milliseconds: number): void;
  /** Calls a control endpoint without a request. */
  control(method: string, name: string, body: unknown): RouteResponse;
  /** Closes all connections; resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox on 127.0.0.1. Rejects with RangeError for invalid options, with the error of `listen`, or with HttpError
 * for an execution that cannot be repeated.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = parseSettings(options);
  let origin = '';
  const world = createWorld(settings, () => origin + settings.basePath);
  const server = createServer({ keepAliveTimeout: 60_000 });
  const platform = new RequestHandler(world);
  server.on('request', (request, response) => void platform.serve(request, response).finally(settings.onRequest));
  const { port } = await listen(server, settings.port);
  origin = `http://127.0.0.1:${port}`;
  const close = (): Promise<void> => {
    world.clock.stop();
    platform.stop();
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  try {
    platform.replay();
  } catch (error) {
    await close();
    throw error;
  }
  const { faults, recorder, settlement, register } = platform;
  const info = createSandboxInfo(world, register);
  return {
    ...info,
    info,
    world,
    faults,
    recorder,
    settlement,
    advance: (milliseconds) => world.clock.advance(milliseconds),
    control: (method, name, body) => platform.control(method, name, body),
    close,
  };
}

function listen(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address);
      else reject(new Error('no address'));
    });
  });
}
