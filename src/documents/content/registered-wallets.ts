/** Wallets have no read operation: they are known only from the answer of their registration in this session. */
import type { ResourceArgument } from '../../model/resource-argument.ts';
import type { IssuedResource, Session } from '../../model/session.ts';
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
    'The platform offers no way to read a wallet by its id; it can be shown only after Register Wallet… in this session, and this one is not held',
    { sent: false },
  );
}
