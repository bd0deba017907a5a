/** Sends one safe request, to detect whether a server is a platform and accepts a credential. */
import { PlatformClient } from '../../platform/client.ts';
import { PlatformError } from '../../platform/errors.ts';
import { redactText } from '../../platform/text/redact.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { Transport } from '../../platform/http/transport.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { createTimeouts } from '../session/shared-transport.ts';
import type { Profile } from '../../model/session/session.ts';

export interface ProbeOptions {
  readonly profile: Profile;
  readonly credential: Credential | undefined;
  readonly transport: Transport;
  readonly secrets: () => readonly string[];
  readonly signal?: AbortSignal;
}

export interface ProbeResult {
  /** the response has the shape of the contract, or is an error that only an API returns */
  readonly platform: 'yes' | 'no' | 'unknown';
  readonly credential: 'accepted' | 'refused' | 'unknown';
  readonly error?: PlatformError;
  /** redirect target, if any: origin and path, redacted and truncated */
  readonly redirected?: string;
  readonly milliseconds: number;
}

/** Requests a page of one object. Never rejects. */
export async function probe({ profile, credential, transport, secrets, signal }: ProbeOptions): Promise<ProbeResult> {
  let redirected: string | undefined;
  const client = new PlatformClient({
    target: profile,
    transport: {
      close: () => Promise.resolve(),
      async send(request) {
        const response = await transport.send(request);
        redirected =
          formatLocation(response.url) === formatLocation(request.url) ? undefined : formatLocation(response.url);
        return response;
      },
    },
    timeouts: createTimeouts(15),
    credential: () => Promise.resolve(credential),
    secrets,
  });
  const started = performance.now();
  const getDuration = (): number => Math.round(performance.now() - started);
  try {
    await client.listPage('objects', { limit: 1 }, signal === undefined ? {} : { signal });
    return {
      platform: 'yes',
      credential: credential === undefined ? 'unknown' : 'accepted',
      milliseconds: getDuration(),
    };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const found = { ...classifyError(error), error, milliseconds: getDuration() };
    return redirected === undefined
      ? found
      : { ...found, redirected: toPlainText(redactText(redirected, secrets()), 200) };
  }
}

/**
 * Omits the query, which may contain tokens for a login page. No brackets: notifications would render them as links.
 */
function formatLocation({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.replace(/[[\]]/g, (bracket) => encodeURIComponent(bracket));
}

function classifyError({ code }: PlatformError): Pick<ProbeResult, 'platform' | 'credential'> {
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
