/** Output-channel lines for requests: operation, target, duration, result; no secrets. */
import type { RequestRecord } from '../../platform/client.ts';
import { toSingleLine } from '../../platform/text/plain-text.ts';
import type { Log } from '../../ui/log.ts';

/** Writes a request to the log: failures at info level, the rest at debug. */
export function logRequest(log: Pick<Log, 'debug' | 'info'>, connection: string, record: RequestRecord): void {
  const code = record.error?.code;
  const failed = code !== undefined && code !== 'cancelled';
  log[failed ? 'info' : 'debug'](formatRequest(connection, record));
}

/** Formats the line; server text is reduced to one line. */
export function formatRequest(connection: string, record: RequestRecord): string {
  const { operation, url, attempt, milliseconds, status, requestId, bytes, error } = record;
  const outcome = status === undefined ? (error?.code ?? 'no response') : String(status);
  const serverMessage = error?.detail.serverMessage;
  const details = [
    `${String(milliseconds)} ms`,
    bytes !== undefined && `${String(bytes)} bytes`,
    attempt > 1 && `attempt ${String(attempt)}`,
    requestId !== undefined && `request ${requestId}`,
    error?.message ?? false,
    serverMessage !== undefined && `“${serverMessage}”`,
  ].filter((part) => part !== false);
  return toSingleLine(`[${connection}] ${operation} ${url} → ${outcome} (${details.join(', ')})`);
}
