/** One line of the output channel for each request: what, where, how long, how it ended; no secret (pure). */
import type { RequestRecord } from '../platform/client.ts';
import { singleLine } from '../platform/plain-text.ts';
import type { Log } from '../ui/log.ts';

export function logRequest(log: Pick<Log, 'debug' | 'info'>, connection: string, record: RequestRecord): void {
  const code = record.error?.code;
  const failed = code !== undefined && code !== 'cancelled';
  log[failed ? 'info' : 'debug'](requestLine(connection, record));
}

export function requestLine(connection: string, record: RequestRecord): string {
  const { operation, url, attempt, milliseconds, status, requestId, bytes, error } = record;
  const outcome = status === undefined ? (error?.code ?? 'no answer') : String(status);
  const words = error?.detail.serverMessage;
  const details = [
    `${String(milliseconds)} ms`,
    bytes !== undefined && `${String(bytes)} bytes`,
    attempt > 1 && `attempt ${String(attempt)}`,
    requestId !== undefined && `request ${requestId}`,
    error?.message ?? false,
    words !== undefined && `“${words}”`,
  ].filter((part) => part !== false);
  return singleLine(`[${connection}] ${operation} ${url} → ${outcome} (${details.join(', ')})`);
}
