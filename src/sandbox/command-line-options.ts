/** Options of the command line: those without a placeholder are flags. */
export const commandLineOptions = [
  { name: 'port', value: 'N', about: 'port on 127.0.0.1; 0 selects a free one (default 0)' },
  { name: 'seed', value: 'N', about: 'the same seed creates the same data (default 1)' },
  { name: 'objects', value: 'N', about: 'number of objects (default 500; a million needs no more memory)' },
  { name: 'clock', value: 'KIND', about: 'clock: system or manual (default system)' },
  { name: 'start', value: 'DATE', about: 'start time of the clock, ISO 8601' },
  { name: 'index-delay', value: 'MS', about: 'delay until an action log can be listed (default 150)' },
  { name: 'settle-delay', value: 'MS', about: 'delay until it is completed or failed (default 1000)' },
  { name: 'batch-delay', value: 'MS', about: 'delay of each step of a batch (default 1500)' },
  { name: 'token-lifetime', value: 'MS', about: 'lifetime of access tokens (default 12 hours)' },
  { name: 'open', about: 'wallets are registered without a credential: any program here can get a token' },
  { name: 'base-path', value: 'PATH', about: 'a path before all others, such as /api/v1' },
  { name: 'log-errors', about: 'failed action logs contain the reason in "error", as on some deployments' },
  { name: 'no-gzip', about: 'never compress' },
] as const satisfies readonly { readonly name: string; readonly value?: string; readonly about: string }[];
