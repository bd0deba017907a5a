/** Asks a platform one harmless question, to learn whether it is one and whether it takes a credential (pure). */
import { PlatformClient } from '../platform/client.ts';
import { PlatformError } from '../platform/errors.ts';
import { redactText } from '../platform/redact.ts';
import { listObjects } from '../platform/resources/objects.ts';
import type { Credential } from '../platform/target.ts';
import type { Transport } from '../platform/transport.ts';
import { plainText } from '../platform/plain-text.ts';
import { timeoutsOf } from './network.ts';
import type { Profile } from './types.ts';

export interface ProbeOptions {
  readonly profile: Profile;
  readonly credential: Credential | undefined;
  readonly transport: Transport;
  readonly secrets: () => readonly string[];
  readonly signal?: AbortSignal;
}

export interface ProbeResult {
  /** an answer in the shape of the contract, or an error that only an API gives */
  readonly platform: 'yes' | 'no' | 'unknown';
  readonly credential: 'accepted' | 'refused' | 'unknown';
  readonly error?: PlatformError;
  /** where a redirect led to, if it did: origin and path, redacted and cut */
  readonly redirected?: string;
  readonly milliseconds: number;
}

/** One page of one object. Never throws. */
export async function probe({ profile, credential, transport, secrets, signal }: ProbeOptions): Promise<ProbeResult> {
  const { name, baseUrl, presentation, words } = profile;
  let redirected: string | undefined;
  const client = new PlatformClient({
    target: { name, baseUrl, presentation, words },
    transport: {
      close: () => Promise.resolve(),
      async send(request) {
        const answer = await transport.send(request);
        redirected = placeOf(answer.url) === placeOf(request.url) ? undefined : placeOf(answer.url);
        return answer;
      },
    },
    timeouts: timeoutsOf(15),
    credential: () => Promise.resolve(credential),
    secrets,
  });
  const started = performance.now();
  const took = (): number => Math.round(performance.now() - started);
  try {
    await client.send(listObjects, {}, { limit: 1 }, signal === undefined ? {} : { signal });
    return { platform: 'yes', credential: credential === undefined ? 'unknown' : 'accepted', milliseconds: took() };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const found = { ...judge(error), error, milliseconds: took() };
    return redirected === undefined
      ? found
      : { ...found, redirected: plainText(redactText(redirected, secrets()), 200) };
  }
}

/** The query may hold what a login page is told. No brackets: a notification would make links of them. */
function placeOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.replace(/[[\]]/g, (bracket) => encodeURIComponent(bracket));
}

function judge({ code }: PlatformError): Pick<ProbeResult, 'platform' | 'credential'> {
  switch (code) {
    case 'unauthenticated':
      return { platform: 'yes', credential: 'refused' };
    case 'forbidden':
    case 'rateLimited':
      return { platform: 'yes', credential: code === 'forbidden' ? 'accepted' : 'unknown' };
    case 'notFound':
    case 'notJson':
    case 'contract':
      return { platform: 'no', credential: 'unknown' };
    case 'badRequest':
    case 'server':
    case 'network':
    case 'timeout':
    case 'cancelled':
    case 'tooLarge':
      return { platform: 'unknown', credential: 'unknown' };
  }
}
