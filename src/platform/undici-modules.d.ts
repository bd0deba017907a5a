/** Types of the undici modules that are loaded one by one: its index would define a process-wide dispatcher. */

declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}

declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net';
  import type { buildConnector } from 'undici';

  /** As undici's own types have it, plus the socket that it returns at once, so that an attempt can be given up. */
  export type Dial = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;
  export default function build(options: buildConnector.BuildOptions): Dial;
}
