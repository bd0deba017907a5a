/** Describes the result of a probe in one or two sentences. */
import type { PlatformError } from '../../platform/errors.ts';
import { formatError } from '../../model/error-message.ts';
import type { ProbeResult } from './probe.ts';

export interface ProbeSummary {
  readonly ok: boolean;
  readonly text: string;
}

/** Returns the verdict and its text; `withCredential`: whether the probe sent one. */
export function summarizeProbe(found: ProbeResult, withCredential: boolean): ProbeSummary {
  const { error, milliseconds } = found;
  if (error === undefined) {
    const duration = `It answered in ${String(milliseconds)} ms`;
    return { ok: true, text: withCredential ? `${duration} and accepts the credential.` : `${duration}.` };
  }
  const { ok, text } = summarizeError(found, error, withCredential);
  const addRedirect = found.redirected !== undefined && !text.includes(found.redirected);
  return { ok, text: addRedirect ? `The address redirects to ${found.redirected}. ${text}` : text };
}

function summarizeError(found: ProbeResult, error: PlatformError, withCredential: boolean): ProbeSummary {
  const { credential, platform } = found;
  if (credential === 'refused')
    return withCredential
      ? { ok: false, text: 'The platform answers, but it does not accept the credential.' }
      : { ok: true, text: 'The platform answers, and wants a credential.' };
  if (credential === 'accepted')
    return { ok: true, text: 'The platform answers and knows the credential; it may not list objects.' };
  if (platform === 'no') return { ok: false, text: formatNotPlatform(error, found.redirected) };
  return { ok: false, text: formatError('Check the connection', error) };
}

/** Describes what a wrong base URL leads to. */
function formatNotPlatform(error: PlatformError, redirected: string | undefined): string {
  if (error.code === 'notFound')
    return 'Nothing answers at this address (HTTP 404): the base URL, most likely its path, is wrong.';
  if (error.code === 'notJson') {
    const page = error.detail.serverMessage;
    const what = page === undefined ? 'with something that is not JSON' : `with a ${page}`;
    return redirected === undefined
      ? `The address answers ${what}, not as the API does: it is probably a website or its login page.`
      : `The address redirects to ${redirected}, which answers ${what}: it is probably a login page.`;
  }
  return `The address does not answer as the API does: ${error.message}`;
}
