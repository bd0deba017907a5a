/** The state of the local sandbox in the workspace: present if a window was closed or reloaded while it ran. */
export const SANDBOX_STATE = 'sandbox.state';
