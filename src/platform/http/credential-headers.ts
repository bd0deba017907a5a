/** A caller's secrets, and the request headers that present them. */
/** The caller's secrets. Any part may be absent. */
export interface Credential {
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

export interface CredentialHeaderNames {
  readonly tokenHeader: string;
  /** including a trailing space, if needed */
  readonly tokenPrefix: string;
  readonly apiKeyHeader: string;
}

export const defaultCredentialHeaderNames: CredentialHeaderNames = {
  tokenHeader: 'Authorization',
  tokenPrefix: 'Bearer ',
  apiKeyHeader: 'x-api-key',
};

/** The request headers that present a credential. */
export function createCredentialHeaders(
  { tokenHeader, tokenPrefix, apiKeyHeader }: CredentialHeaderNames,
  credential: Credential | undefined,
): Record<string, string> {
  return {
    ...(credential?.apiKey !== undefined && { [apiKeyHeader]: credential.apiKey }),
    ...(credential?.accessToken !== undefined && { [tokenHeader]: tokenPrefix + credential.accessToken }),
  };
}
