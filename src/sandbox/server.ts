/** The sandbox platform: a local HTTP server that implements the whole contract over made-up data. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type SandboxInfo } from './describe.ts';
import type { FaultMenu } from './faults.ts';
import { settingsOf, type SandboxOptions } from './options.ts';
import { Platform } from './platform.ts';
import type { Recorder } from './recorder.ts';
import type { Settlement } from './settle.ts';
import { makeWorld, type World } from './world.ts';

export interface Sandbox extends SandboxInfo {
  /** the same as the fields beside it, alone: what can be printed or posted */
  readonly info: SandboxInfo;
  readonly world: World;
  readonly faults: FaultMenu;
  readonly recorder: Recorder;
  readonly settlement: Settlement;
  /** Moves a manual clock by so many milliseconds. */
  advance(milliseconds: number): void;
  /** Ends every connection; resolves when the port is free. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 alone. Rejects with a RangeError for options that make no sense. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsOf(options);
  let origin = '';
  const world = makeWorld(settings, () => origin + settings.basePath);
  const server = createServer({ keepAliveTimeout: 60_000 });
  const platform = new Platform(world);
  server.on('request', (request, response) => {
    void platform.serve(request, response);
  });
  const { port } = await listen(server, settings.port);
  origin = `http://127.0.0.1:${port}`;
  const { faults, recorder, settlement, register } = platform;
  const info = describe(world, register);
  return {
    ...info,
    info,
    world,
    faults,
    recorder,
    settlement,
    advance: (milliseconds) => {
      world.clock.advance(milliseconds);
    },
    close: () => {
      world.clock.stop();
      platform.stop();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
    },
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
