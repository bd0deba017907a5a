/** Describes the result of a probe in one sentence. */
import type { PlatformError } from '../../platform/errors.ts';
import { formatReason } from '../../model/error-message.ts';
import { formatDuration } from '../../model/time-format.ts';
import { toSingleLine } from '../../platform/text/plain-text.ts';
import type { Identity } from '../../model/session.ts';
import type { ProbeResult } from './probe.ts';

export interface ProbeSummary {
  readonly ok: boolean;
  /** one sentence with its full stop, plain text */
  readonly text: string;
  /** what the user has to change, where it is known */
  readonly fault?: 'baseUrl' | 'credential';
}

type TokenTimes = Pick<Identity, 'expires'>;

/** Returns the verdict. `sent`: the identity of the credential that the probe sent, if any; `now`: milliseconds since the epoch. */
export function summarizeProbe(found: ProbeResult, sent: TokenTimes | undefined, now: number): ProbeSummary {
  const summary = summarize(found, sent, now);
  const { redirected } = found;
  const text =
    redirected === undefined || summary.text.includes(redirected)
      ? summary.text
      : `The address redirects to ${redirected}: ${lowerFirst(summary.text)}`;
  return { ...summary, text: `${toSingleLine(text)}.` };
}

function summarize(found: ProbeResult, sent: TokenTimes | undefined, now: number): ProbeSummary {
  const { error, milliseconds } = found;
  const expiry = formatTokenExpiry(sent, now);
  const expired = expiry?.startsWith('expired') === true ? expiry : undefined;
  if (error === undefined) {
    const answers = `The platform responded in ${String(milliseconds)} ms`;
    if (sent === undefined) return { ok: true, text: answers };
    const doubt = expired === undefined ? '' : `, although the access token ${expired}`;
    return { ok: true, text: `${answers} and accepted the credential${doubt}` };
  }
  if (found.credential === 'refused') {
    if (sent === undefined) return { ok: true, text: 'The platform responds and requires a credential' };
    const reason = expired === undefined ? 'it does not accept the credential' : `the access token ${expired}`;
    return { ok: false, text: `The platform responds, but ${reason}`, fault: 'credential' };
  }
  if (found.credential === 'accepted')
    return { ok: true, text: 'The platform accepted the credential, which has no permission to list objects' };
  if (found.platform === 'no') return { ok: false, text: formatNotPlatform(error, found.redirected), fault: 'baseUrl' };
  const isUnreachable = error.code === 'network' || error.code === 'timeout';
  return { ok: false, text: formatReason(error), ...(isUnreachable && { fault: 'baseUrl' }) };
}

/** `expired 2 hours ago` or `expires in 5 minutes`; `undefined` where the access token names no time. */
export function formatTokenExpiry(token: TokenTimes | undefined, now: number): string | undefined {
  const expires = token?.expires;
  if (expires === undefined) return undefined;
  return expires <= now
    ? `expired ${formatDuration(now - expires)} ago`
    : `expires in ${formatDuration(expires - now)}`;
}

/** Describes what a wrong base URL leads to. */
function formatNotPlatform(error: PlatformError, redirected: string | undefined): string {
  if (error.code === 'notFound')
    return 'There is no API at this address (HTTP 404): the base URL is wrong, most likely its path';
  if (error.code === 'notJson') {
    const page = error.detail.serverMessage;
    const what = page === undefined ? 'with something that is not JSON' : `with a ${page}`;
    return redirected === undefined
      ? `The address responds ${what}: it is probably a website or its login page`
      : `The address redirects to ${redirected}, which responds ${what}: it is probably a login page`;
  }
  return `The response is not that of the API: ${formatReason(error)}`;
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
