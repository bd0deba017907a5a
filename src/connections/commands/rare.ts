/** Commands that few sessions run, loaded together. */
export { checkConnection } from './check.ts';
export { confirmInvite } from './invite.ts';
export { showPermissions } from './permissions.ts';
export { registerWallet } from './wallet.ts';
