/** The errors of responses that cannot be used, with what the server says about them. */
import * as l10n from '@vscode/l10n';
import { PlatformError, toErrorCode } from '../errors.ts';
import { parseRetryAfter } from '../http/retry.ts';
import type { TransportResponse } from '../http/transport.ts';
import { limitJson, MAX_JSON_VALUES } from '../json/json-limits.ts';
import type { Operation } from '../operation.ts';
import { formatNumber } from '../text/localization.ts';
import { stored } from '../text/message.ts';
import { isHtml, redactBody, readServerMessage } from './server-message.ts';
import { createFirewallError, formatStatusError } from './status-errors.ts';

/** A response of status 2xx. `text` is unmasked: parse or format it, never store it. */
export interface ServiceResponse {
  readonly text: string;
  readonly status: number;
  readonly requestId?: string;
}

/** Creates the errors of the responses of one connection. */
export class ResponseErrors {
  readonly #connection: string;
  readonly #getSecrets: () => readonly string[];

  /** `getSecrets`: every stored secret, to be masked in what the server says */
  constructor(connection: string, getSecrets: () => readonly string[]) {
    this.#connection = connection;
    this.#getSecrets = getSecrets;
  }

  /** The error of a response that cannot be used. */
  find(
    operation: Operation,
    response: TransportResponse,
    requestIdDetail: { readonly requestId?: string },
  ): PlatformError | undefined {
    // Shorter texts cannot contain that many values.
    const isTooLarge = response.text.length > MAX_JSON_VALUES && limitJson(response.text) === undefined;
    if (response.status < 200 || response.status >= 300)
      return this.#createStatus(operation, response, isTooLarge ? '' : response.text, requestIdDetail);
    const detail = { status: response.status, sent: true, ...requestIdDetail };
    if (isTooLarge) {
      const message = l10n.t(
        'The response contains more than {0} values, which is the limit',
        formatNumber(MAX_JSON_VALUES),
      );
      return new PlatformError('tooLarge', message, detail);
    }
    // Without a Content-Length, only the text shows that the connection was lost.
    return operation.repeatable && isCutOff(response.text)
      ? new PlatformError('network', stored('The response was cut off'), detail)
      : undefined;
  }

  #createStatus(
    operation: Operation,
    response: Pick<TransportResponse, 'status' | 'headers'>,
    text: string,
    requestIdDetail: { readonly requestId?: string },
    code = toErrorCode(response.status),
  ): PlatformError {
    const { message, requestId } = readServerMessage(text, this.#getSecrets());
    if (code === 'forbidden' && isHtml(text)) return createFirewallError(message);
    // A date is by the platform's clock, from which that of this computer may differ.
    const now = Date.parse(response.headers['date'] ?? '') || Date.now();
    const retryAfter = parseRetryAfter(response.headers['retry-after'], now);
    return new PlatformError(code, formatStatusError(code, response.status), {
      status: response.status,
      ...((code === 'unauthenticated' || code === 'forbidden') && { connection: this.#connection }),
      ...(requestId !== undefined && { requestId }),
      ...requestIdDetail,
      ...(message !== undefined && { serverMessage: message }),
      ...this.getBody(operation, text),
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }

  /** The error of a 2xx response that says that the request was refused. */
  createRefusal(operation: Operation, response: ServiceResponse): PlatformError {
    const { status, text, requestId } = response;
    const requestIdDetail = requestId === undefined ? {} : { requestId };
    return this.#createStatus(operation, { status, headers: {} }, text, requestIdDetail, 'badRequest');
  }

  /** The error of a 2xx response that is not JSON. */
  createNotJson(operation: Operation, response: ServiceResponse): PlatformError {
    const { message } = isHtml(response.text) ? readServerMessage(response.text, this.#getSecrets()) : {};
    const reason = isHtml(response.text)
      ? stored('The response is a web page, not JSON. The base URL probably does not point to the API')
      : response.text.trim() === ''
        ? stored('The response is empty instead of JSON')
        : stored('The response is not JSON, or was cut off');
    return new PlatformError('notJson', reason, {
      status: response.status,
      ...(response.requestId !== undefined && { requestId: response.requestId }),
      ...(message !== undefined && { serverMessage: message }),
      ...this.getBody(operation, response.text),
    });
  }

  /** The redacted body of an error response, if the operation keeps it. */
  getBody(operation: Operation, text: string): { readonly body?: string } {
    return operation.keepsErrorBody === true && text !== '' ? { body: redactBody(text, this.#getSecrets()) } : {};
  }
}

/** True for a text that starts like a JSON object or array but does not end like one. */
function isCutOff(text: string): boolean {
  const [first, last] = [text.trimStart()[0], text.trimEnd().at(-1)];
  return (first === '{' && last !== '}') || (first === '[' && last !== ']');
}
