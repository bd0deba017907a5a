import { PlatformError } from '../platform/errors.ts';
import { toPlainText } from '../platform/text/plain-text.ts';

/** The session of a connection. Throws PlatformError `notFound` (not sent) where there is no such connection. */
export function requireSession<S>(sessions: { get(connection: string): S | undefined }, connection: string): S {
  const session = sessions.get(connection);
  if (session === undefined)
    throw new PlatformError('notFound', `There is no connection “${toPlainText(connection, 64)}” now`, { sent: false });
  return session;
}
