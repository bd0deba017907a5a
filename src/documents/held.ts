/** Pure: wallets, which no operation reads: they are held from the answer of their registration. */
import type { ResourceArgument } from '../commands/ids.ts';
import type { Held, Session } from '../connections/types.ts';
import { PlatformError } from '../platform/errors.ts';

export function isHeld(session: Session, { kind, id }: Pick<ResourceArgument, 'kind' | 'id'>): boolean {
  return session.held.has(`${kind}/${id}`);
}

/** Throws PlatformError `notFound` with the reason where nothing is held. */
export function heldWallet(session: Session, { kind, id }: ResourceArgument): Held {
  const held = session.held.get(`${kind}/${id}`);
  if (held !== undefined) return held;
  throw new PlatformError(
    'notFound',
    'The platform offers no way to read a wallet by its id; it can be shown only after Register Wallet… in this session, and this one is not held',
    { sent: false },
  );
}
