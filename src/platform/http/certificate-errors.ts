/** Messages for certificates that were not accepted. */

const UNTRUSTED = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);
const MESSAGES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet; check the clock of this computer',
  CERT_REVOKED: 'has been revoked',
  CERT_REJECTED: 'was rejected',
  CERT_SIGNATURE_FAILURE: 'has a wrong signature',
  CERT_CHAIN_TOO_LONG: 'has too long a chain',
  PATH_LENGTH_EXCEEDED: 'has too long a chain',
  INVALID_PURPOSE: 'is not meant for a server',
  HOSTNAME_MISMATCH: 'is for another host name',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
};

/** True for the error codes of a certificate that was not accepted. */
export function isCertificateError(code: string): boolean {
  return UNTRUSTED.has(code) || Object.hasOwn(MESSAGES, code);
}

/** Describes the problem with the certificate of `peer` (host and port) and what to do about it. */
export function formatCertificateError(code: string, peer: string): string {
  if (!UNTRUSTED.has(code)) return `the certificate of ${peer} ${MESSAGES[code] ?? 'was not accepted'} (${code}).`;
  return (
    `the certificate of ${peer} is signed by an authority that this computer does not trust (${code}). ` +
    "If it is your organization's, add the authority's certificate under smartObjects.caCertificates."
  );
}
