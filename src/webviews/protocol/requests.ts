/** The messages of the Requests view. It has the whole list without headers and bodies, which are sent for one request. */
import * as z from 'zod/mini';
import type { RecordedRequest } from '../../model/requests/request-history.ts';
import { defineProtocol } from './index.ts';

const text = z.string().check(z.maxLength(2048));
const id = z.int().check(z.gte(0));
const milliseconds = z.number().check(z.gte(0));

const timings = z.strictObject({
  queue: milliseconds,
  connect: z.optional(milliseconds),
  wait: z.optional(milliseconds),
  receive: z.optional(milliseconds),
});

const requestRow = z.strictObject({
  id,
  /** milliseconds since 1970 */
  startedAt: z.number(),
  /** such as `GET /objects/{objectId}` */
  operation: text,
  /** path and query */
  path: text,
  status: z.optional(z.int()),
  error: z.optional(text),
  isRead: z.boolean(),
  attempt: z.int(),
  timings,
  /** bytes */
  size: z.optional(z.int()),
  requestId: z.optional(text),
  rateLimit: z.optional(text),
});
export type RequestRow = z.infer<typeof requestRow>;

/** Creates the row of a request. */
export function createRequestRow({ id, trace }: RecordedRequest): RequestRow {
  const { url, method: _method, details: _details, ...fields } = trace;
  return {
    id,
    path: url.slice(new URL(url).origin.length),
    ...fields,
  };
}

const headers = z.array(z.strictObject({ name: text, value: text }));
/** `preview`: the start of the body */
const body = z.strictObject({ preview: z.string(), isWhole: z.boolean(), size: z.int() });
export type RequestBody = z.infer<typeof body>;

const requestDetails = z.strictObject({
  id,
  url: text,
  /** false: headers and bodies were dropped to limit memory, or contained a secret */
  isKept: z.boolean(),
  requestHeaders: headers,
  requestBody: z.optional(body),
  responseHeaders: headers,
  responseBody: z.optional(body),
});
export type RequestDetails = z.infer<typeof requestDetails>;

export const COPY_FORMATS = ['curl', 'fetch', 'python'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];
const part = z.enum(['request', 'response']);
export type BodyPart = z.infer<typeof part>;

export const requestsProtocol = defineProtocol({
  toView: {
    state: z.strictObject({
      connections: z.array(text),
      /** empty if there is none */
      connection: text,
      rows: z.array(requestRow),
    }),
    /** new requests of the connection that is shown; `first`: the oldest one that is kept */
    added: z.strictObject({ first: id, rows: z.array(requestRow) }),
    details: requestDetails,
  },
  toHost: {
    choose: z.strictObject({ connection: text }),
    select: z.strictObject({ id }),
    openBody: z.strictObject({ id, part }),
    copy: z.strictObject({ id, format: z.enum(COPY_FORMATS) }),
    repeat: z.strictObject({ id }),
    export: z.strictObject({ ids: z.array(id).check(z.maxLength(1000)) }),
    clear: z.strictObject({}),
  },
});
