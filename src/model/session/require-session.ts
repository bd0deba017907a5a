import * as l10n from '@vscode/l10n';
import { PlatformError } from '../../platform/errors.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import type { Session, Sessions } from './session.ts';

/** The session of a connection. Throws PlatformError `notFound` (not sent) if there is no such connection. */
export function requireSession<S>(sessions: { get(connection: string): S | undefined }, connection: string): S {
  const session = sessions.get(connection);
  if (session === undefined)
    throw new PlatformError('notFound', l10n.t('The connection “{0}” does not exist', toPlainText(connection, 64)), {
      sent: false,
    });
  return session;
}

/** The session of an identity of a connection. Throws Error if the connection has no such identity. */
export function requireIdentity(
  sessions: Pick<Sessions, 'get' | 'getIdentity'>,
  connection: string,
  identity: string,
): Session {
  requireSession(sessions, connection);
  const session = sessions.getIdentity(connection, identity);
  if (session === undefined)
    throw new Error(
      l10n.t(
        '{0} has no identity {1}. Use Sign In with Another Identity… to add it',
        toPlainText(connection, 64),
        toPlainText(identity, 64),
      ),
    );
  return session;
}
