/** HTTP Archive (HAR) 1.2, which the network panels of browsers open. */
import type { RequestTrace, TracedBody, TracedHeader } from '../../platform/requests/request-trace.ts';

/** Formats requests as a HAR file. What is masked in the traces stays masked. `version`: of this program. */
export function formatHar(traces: readonly RequestTrace[], version: string): string {
  const log = {
    version: '1.2',
    creator: { name: 'Smart Object Explorer', version },
    comment: 'Credentials and secrets are masked. Bodies are formatted, and cut if they are long.',
    // Firefox expects it, though it is optional.
    pages: [],
    entries: traces.map(createEntry),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function createEntry(trace: RequestTrace): object {
  const { startedAt, timings, status, error, details, method, url, attempt, operation, requestId } = trace;
  const { queue, connect, wait = 0, receive = 0 } = timings;
  const { requestHeaders = [], requestBody, responseHeaders = [], responseBody } = details ?? {};
  // Escapes the mask too.
  const { href, searchParams } = new URL(url);
  const type = responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: queue + (connect ?? 0) + wait + receive,
    request: {
      method,
      url: href,
      ...createMessage(requestHeaders, requestBody?.size ?? 0),
      queryString: [...searchParams].map(([name, value]) => ({ name, value })),
      ...(requestBody !== undefined && {
        postData: { mimeType: 'application/json', text: requestBody.text, ...createCutComment(requestBody) },
      }),
    },
    response: {
      status: status ?? 0,
      statusText: '',
      // The size before decompression is not known.
      ...createMessage(responseHeaders, -1),
      content: {
        size: trace.size ?? 0,
        mimeType: type ?? 'x-unknown',
        ...(responseBody !== undefined && { text: responseBody.text, ...createCutComment(responseBody) }),
      },
      redirectURL: '',
      ...(error !== undefined && { _error: error }),
    },
    cache: {},
    timings: { blocked: queue, dns: -1, connect: connect ?? -1, ssl: -1, send: 0, wait, receive },
    _operation: operation,
    _attempt: attempt,
    ...(requestId !== undefined && { _requestId: requestId }),
    ...(details === undefined && { comment: 'Headers and bodies were dropped to limit memory.' }),
  };
}

function createMessage(headers: readonly TracedHeader[], bodySize: number): object {
  return { httpVersion: 'HTTP/1.1', cookies: [], headers, headersSize: -1, bodySize };
}

function createCutComment({ isCut, size }: TracedBody): object {
  return isCut ? { comment: `Cut: the whole body has ${String(size)} bytes.` } : {};
}
