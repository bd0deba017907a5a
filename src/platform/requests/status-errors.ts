import * as l10n from '@vscode/l10n';
import { stored, type Message } from '../text/message.ts';
import { PlatformError } from '../errors.ts';

const statusMessages: Readonly<Partial<Record<PlatformError['code'], Message>>> = {
  unauthenticated: stored('The platform did not accept the credential'),
  forbidden: stored('Permission denied'),
  notFound: stored('Not found on the platform'),
  badRequest: stored('The platform refused the request'),
  rateLimited: stored('Too many requests'),
  server: stored('The platform reported an error'),
};

/** The message of an error with its HTTP status. */
export function formatStatusError(code: PlatformError['code'], status: number): Message {
  const message = statusMessages[code] ?? stored('The platform sent an unexpected response');
  return stored('{0} (HTTP {1})', message, String(status));
}

/** The error of a 401 to a request without a credential. */
export function createMissingCredentialError({ code, detail }: PlatformError): PlatformError {
  const nextStep = l10n.t('Sign in first.');
  return new PlatformError(code, stored('The platform requires a credential, and none was sent (HTTP 401)'), {
    ...detail,
    nextStep,
  });
}

/** The error of a 403 with a web page, which the platform did not send. */
export function createFirewallError(page: string | undefined): PlatformError {
  return new PlatformError('notJson', stored('A firewall or gateway refused the request (HTTP 403)'), {
    status: 403,
    nextStep: l10n.t('Check the base URL, or ask the administrator of the network.'),
    ...(page !== undefined && { serverMessage: page }),
  });
}
