import * as l10n from '@vscode/l10n';
import { PlatformError } from '../errors.ts';
import { getOperationName, type Operation } from '../operation.ts';

const statusMessages: Readonly<Partial<Record<PlatformError['code'], string>>> = {
  unauthenticated: l10n.t('The platform did not accept the credential'),
  forbidden: l10n.t('Permission denied'),
  notFound: l10n.t('Not found on the platform'),
  badRequest: l10n.t('The platform refused the request'),
  rateLimited: l10n.t('Too many requests'),
  server: l10n.t('The platform reported an error'),
};

/** The message of an error with its HTTP status. */
export function formatStatusError(code: PlatformError['code'], status: number): string {
  const message = statusMessages[code] ?? l10n.t('The platform sent an unexpected response');
  return l10n.t('{0} (HTTP {1})', message, String(status));
}

/** The error of a 401 to a request without a credential. */
export function createMissingCredentialError({ code, detail }: PlatformError): PlatformError {
  const nextStep = l10n.t('Sign in first.');
  return new PlatformError(code, l10n.t('The platform requires a credential, and none was sent (HTTP 401)'), {
    ...detail,
    nextStep,
  });
}

/** The error of a 403 with a web page, which the platform did not send. */
export function createFirewallError(operation: Operation, page: string | undefined): PlatformError {
  return new PlatformError('notJson', l10n.t('A firewall or gateway refused the request (HTTP 403)'), {
    status: 403,
    operation: getOperationName(operation),
    nextStep: l10n.t('Check the base URL, or ask the administrator of the network.'),
    ...(page !== undefined && { serverMessage: page }),
  });
}
