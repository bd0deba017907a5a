/** Commands that few sessions run, loaded together. */
export { checkConnection } from './check-connection.ts';
export { confirmInvite } from './confirm-invite.ts';
export { showPermissions } from './show-permissions.ts';
export { registerWallet } from './register-wallet.ts';
