/** Messages for certificates that were not accepted. */
import { stored, type Message, type StoredText } from '../text/message.ts';

const UNTRUSTED = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);
/** Messages by the code of the error; `peer`: host and port. */
const messages: Readonly<Record<string, (peer: StoredText, code: string) => Message>> = {
  CERT_HAS_EXPIRED: (peer, code) => stored('the certificate of {0} has expired ({1}).', peer, code),
  CERT_NOT_YET_VALID: (peer, code) =>
    stored('the certificate of {0} is not valid yet; check the clock of this computer ({1}).', peer, code),
  CERT_REVOKED: (peer, code) => stored('the certificate of {0} has been revoked ({1}).', peer, code),
  CERT_REJECTED: (peer, code) => stored('the certificate of {0} was rejected ({1}).', peer, code),
  CERT_SIGNATURE_FAILURE: (peer, code) => stored('the certificate of {0} has a wrong signature ({1}).', peer, code),
  CERT_CHAIN_TOO_LONG: (peer, code) => stored('the certificate of {0} has a chain that is too long ({1}).', peer, code),
  PATH_LENGTH_EXCEEDED: (peer, code) =>
    stored('the certificate of {0} has a chain that is too long ({1}).', peer, code),
  INVALID_PURPOSE: (peer, code) => stored('the certificate of {0} is not for servers ({1}).', peer, code),
  HOSTNAME_MISMATCH: (peer, code) => stored('the certificate of {0} is for another host name ({1}).', peer, code),
  ERR_TLS_CERT_ALTNAME_INVALID: (peer, code) =>
    stored('the certificate of {0} is for another host name ({1}).', peer, code),
};

/** True for the error codes of a certificate that was not accepted. */
export function isCertificateError(code: string): boolean {
  return UNTRUSTED.has(code) || Object.hasOwn(messages, code);
}

/** Describes the problem with the certificate of `peer` (host and port) and what to do about it. */
export function describeCertificateError(code: string, peer: StoredText): Message {
  if (!UNTRUSTED.has(code))
    return messages[code]?.(peer, code) ?? stored('the certificate of {0} was not accepted ({1}).', peer, code);
  return stored(
    'the certificate of {0} is signed by an authority that this computer does not trust ({1}). If it is your organization’s, add the authority’s certificate to smartObjects.caCertificates.',
    peer,
    code,
  );
}
