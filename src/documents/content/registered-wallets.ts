/** Wallets have no read operation: they are known only from the response of their registration in this session. */
import * as l10n from '@vscode/l10n';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { IssuedResource, Session } from '../../model/session/session.ts';
import { PlatformError } from '../../platform/errors.ts';

/** Whether the wallet was registered in this session. */
export function isRegisteredWallet(session: Session, { kind, id }: Pick<ResourceArgument, 'kind' | 'id'>): boolean {
  return session.issuedResources.has(`${kind}/${id}`);
}

/** Returns the registered wallet. Throws PlatformError `notFound` if it was not registered in this session. */
export function getRegisteredWallet(session: Session, { kind, id }: ResourceArgument): IssuedResource {
  const wallet = session.issuedResources.get(`${kind}/${id}`);
  if (wallet !== undefined) return wallet;
  throw new PlatformError(
    'notFound',
    l10n.t('The API can’t read wallets by their ID. Only wallets that were registered in this session can be shown'),
    { sent: false },
  );
}
