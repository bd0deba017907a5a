/** Types of undici's inner modules. They are imported directly because its index defines a process-wide dispatcher. */

declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}

declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net';
  import type { buildConnector } from 'undici';

  /** undici's connector, with the socket that it returns, so that an attempt can be aborted. */
  export type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;
  export default function build(options: buildConnector.BuildOptions): Connect;
}
