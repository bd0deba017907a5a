/** Says in a sentence or two what a probe found (pure). */
import type { PlatformError } from '../platform/errors.ts';
import { errorText } from '../ui/error-text.ts';
import type { ProbeResult } from './probe.ts';

export interface ProbeWords {
  readonly good: boolean;
  readonly text: string;
}

export function probeWords(found: ProbeResult, withCredential: boolean): ProbeWords {
  const { error, milliseconds } = found;
  if (error === undefined) {
    const took = `It answered in ${String(milliseconds)} ms`;
    return { good: true, text: withCredential ? `${took} and accepts the credential.` : `${took}.` };
  }
  const { good, text } = errorWords(found, error, withCredential);
  const led = found.redirected !== undefined && !text.includes(found.redirected);
  return { good, text: led ? `The address redirects to ${found.redirected}. ${text}` : text };
}

function errorWords(found: ProbeResult, error: PlatformError, withCredential: boolean): ProbeWords {
  const { credential, platform } = found;
  if (credential === 'refused')
    return withCredential
      ? { good: false, text: 'The platform answers, but it does not accept the credential.' }
      : { good: true, text: 'The platform answers, and wants a credential.' };
  if (credential === 'accepted')
    return { good: true, text: 'The platform answers and knows the credential; it may not list objects.' };
  if (platform === 'no') return { good: false, text: notThePlatform(error, found.redirected) };
  return { good: false, text: errorText('Check the connection', error) };
}

/** A wrong base URL, named as what it is. */
function notThePlatform(error: PlatformError, redirected: string | undefined): string {
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
