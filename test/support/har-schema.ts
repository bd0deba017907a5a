/** The schema of HAR 1.2, from its specification: required fields, types and the values that have a meaning. */
import * as z from 'zod/mini';

const optionalText = z.optional(z.string());
const size = z.int().check(z.gte(-1));
const milliseconds = z.number().check(z.gte(-1));
const pair = z.looseObject({ name: z.string(), value: z.string(), comment: optionalText });
const cookie = z.looseObject({ name: z.string(), value: z.string() });
const dateTime = z.iso.datetime({ offset: true });

const request = z.looseObject({
  method: z.string(),
  // Characters beyond ASCII are escaped in a URI.
  url: z.url().check(z.regex(/^[!-~]+$/)),
  httpVersion: z.string(),
  cookies: z.array(cookie),
  headers: z.array(pair),
  queryString: z.array(pair),
  postData: z.optional(z.looseObject({ mimeType: z.string(), text: optionalText, comment: optionalText })),
  headersSize: size,
  bodySize: size,
});

const response = z.looseObject({
  status: z.int(),
  statusText: z.string(),
  httpVersion: z.string(),
  cookies: z.array(cookie),
  headers: z.array(pair),
  content: z.looseObject({ size: z.int(), mimeType: z.string(), text: optionalText, comment: optionalText }),
  redirectURL: z.string(),
  headersSize: size,
  bodySize: size,
});

const timings = z.looseObject({
  blocked: z.optional(milliseconds),
  dns: z.optional(milliseconds),
  connect: z.optional(milliseconds),
  ssl: z.optional(milliseconds),
  send: z.number().check(z.gte(0)),
  wait: z.number().check(z.gte(0)),
  receive: z.number().check(z.gte(0)),
});

const entry = z.looseObject({
  startedDateTime: dateTime,
  time: z.number().check(z.gte(0)),
  request,
  response,
  cache: z.looseObject({}),
  timings,
  comment: optionalText,
});

const har = z.strictObject({
  log: z.looseObject({
    version: z.literal('1.2'),
    creator: z.looseObject({ name: z.string(), version: z.string() }),
    // Optional in the specification, but the network panel of Firefox needs it.
    pages: z.array(z.unknown()),
    entries: z.array(entry),
    comment: optionalText,
  }),
});

export type HarEntry = z.infer<typeof entry>;

/**
 * Parses a HAR file. Throws for one that is not valid: fields that the specification does not define begin with an
 * underscore, and the time of an entry is the sum of its known parts.
 */
export function parseHar(text: string): readonly HarEntry[] {
  const { log } = z.parse(har, JSON.parse(text));
  for (const { time, timings: parts, ...fields } of log.entries) {
    const known = Object.values(parts).filter((part) => typeof part === 'number' && part > 0);
    const sum = known.reduce<number>((total, part) => total + Number(part), 0);
    if (Math.abs(sum - time) > 0.001) throw new Error(`The time ${time} is not the sum ${sum} of its parts`);
    const defined = Object.keys({ ...entry.def.shape, pageref: 0, serverIPAddress: 0, connection: 0 });
    const unknown = Object.keys(fields).filter((name) => !name.startsWith('_') && !defined.includes(name));
    if (unknown.length > 0) throw new Error(`Fields that HAR does not have: ${unknown.join()}`);
  }
  return log.entries;
}
