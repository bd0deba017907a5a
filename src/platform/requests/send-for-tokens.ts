import * as l10n from '@vscode/l10n';
import { PlatformError } from '../errors.ts';
import { reportsError } from '../json/error-text.ts';
import { isObject } from '../json/json.ts';
import type { Operation } from '../operation.ts';
import { readTokens, type IssuedTokens } from '../resources/invites.ts';
import type { Target } from '../target.ts';
import { stored } from '../text/message.ts';
import type { OutgoingRequest, RequestSender } from './request-sender.ts';
import type { ServiceResponse } from './response-errors.ts';

interface IssuedResponse {
  readonly issued: IssuedTokens;
  /** with the tokens, unmasked */
  readonly response: ServiceResponse;
}

/**
 * Sends an operation whose response has the tokens of a new user. Presents the credential only if `target.wallets` is
 * `credential`. Rejects with PlatformError.
 */
export async function sendForTokens(
  sender: RequestSender,
  target: Target,
  operation: Operation,
  outgoing: OutgoingRequest,
): Promise<IssuedResponse> {
  const authenticated = target.wallets === 'credential';
  try {
    const response = await sender.send(operation, { ...outgoing, authenticated });
    return { issued: parseTokens(sender, operation, response), response };
  } catch (error) {
    if (authenticated || !(error instanceof PlatformError) || error.detail.status !== 401) throw error;
    // Another sign-in would not be sent either.
    const { connection: _connection, ...detail } = error.detail;
    throw new PlatformError(error.code, error.text, {
      ...detail,
      nextStep: l10n.t('Set auth.wallets of {0} to “credential” in the setting smartObjects.connections.', target.name),
    });
  }
}

function parseTokens({ errors }: RequestSender, operation: Operation, response: ServiceResponse): IssuedTokens {
  let value: unknown;
  try {
    value = JSON.parse(response.text) as unknown;
  } catch {
    throw errors.createNotJson(operation, response);
  }
  const issued = readTokens(value);
  if (issued !== undefined) return issued;
  if (isObject(value) && reportsError(value)) throw errors.createRefusal(operation, response);
  throw new PlatformError('contract', stored('The response contains no tokens'), { status: response.status });
}
