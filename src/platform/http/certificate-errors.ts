/** Messages for certificates that were not accepted. */
import * as l10n from '@vscode/l10n';
import { fillPlaceholders } from '../text/localization.ts';

const UNTRUSTED = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);
/** `{0}`: host and port; `{1}`: the code of the error */
const messages: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: l10n.t('the certificate of {0} has expired ({1}).'),
  CERT_NOT_YET_VALID: l10n.t('the certificate of {0} is not valid yet; check the clock of this computer ({1}).'),
  CERT_REVOKED: l10n.t('the certificate of {0} has been revoked ({1}).'),
  CERT_REJECTED: l10n.t('the certificate of {0} was rejected ({1}).'),
  CERT_SIGNATURE_FAILURE: l10n.t('the certificate of {0} has a wrong signature ({1}).'),
  CERT_CHAIN_TOO_LONG: l10n.t('the certificate of {0} has a chain that is too long ({1}).'),
  PATH_LENGTH_EXCEEDED: l10n.t('the certificate of {0} has a chain that is too long ({1}).'),
  INVALID_PURPOSE: l10n.t('the certificate of {0} is not for servers ({1}).'),
  HOSTNAME_MISMATCH: l10n.t('the certificate of {0} is for another host name ({1}).'),
  ERR_TLS_CERT_ALTNAME_INVALID: l10n.t('the certificate of {0} is for another host name ({1}).'),
};

/** True for the error codes of a certificate that was not accepted. */
export function isCertificateError(code: string): boolean {
  return UNTRUSTED.has(code) || Object.hasOwn(messages, code);
}

/** Describes the problem with the certificate of `peer` (host and port) and what to do about it. */
export function formatCertificateError(code: string, peer: string): string {
  if (!UNTRUSTED.has(code))
    return fillPlaceholders(messages[code] ?? l10n.t('the certificate of {0} was not accepted ({1}).'), peer, code);
  return l10n.t(
    "the certificate of {0} is signed by an authority that this computer does not trust ({1}). If it is your organization's, add the authority's certificate under smartObjects.caCertificates.",
    peer,
    code,
  );
}
