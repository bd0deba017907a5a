/** An error that trusting the workspace resolves; the presenter offers that. */
export class UntrustedWorkspaceError extends Error {
  override readonly name = 'UntrustedError';
}
