/** An error that ends once the workspace is trusted: whoever shows it can offer that. Pure. */
export class UntrustedError extends Error {
  override readonly name = 'UntrustedError';
}
