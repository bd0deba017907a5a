/** Describes the result of a probe in one sentence. */
import * as l10n from '@vscode/l10n';
import type { PlatformError } from '../../platform/errors.ts';
import { formatReason } from '../../model/text/error-message.ts';
import { formatTimeDistance } from '../../model/text/time-format.ts';
import { formatNumber } from '../../platform/text/localization.ts';
import { toSingleLine } from '../../platform/text/plain-text.ts';
import type { Identity } from '../../model/session/session.ts';
import type { ProbeResult } from './probe.ts';

export interface ProbeSummary {
  readonly ok: boolean;
  /** one sentence with its full stop, plain text */
  readonly text: string;
  /** what the user has to change, if it is known */
  readonly fault?: 'baseUrl' | 'credential';
}

type TokenTimes = Pick<Identity, 'expires'>;

/** Returns the verdict. `sent`: the identity of the credential that the probe sent, if any; `now`: milliseconds since the epoch. */
export function summarizeProbe(found: ProbeResult, sent: TokenTimes | undefined, now: number): ProbeSummary {
  const summary = summarize(found, sent, now);
  const { redirected } = found;
  const text =
    redirected === undefined || summary.text.includes(redirected) || found.error?.detail.redirect !== undefined
      ? summary.text
      : l10n.t('The address redirects to {0}. {1}', redirected, summary.text);
  return { ...summary, text: `${toSingleLine(text)}.` };
}

function summarize(found: ProbeResult, sent: TokenTimes | undefined, now: number): ProbeSummary {
  const { error, milliseconds } = found;
  const expires = sent?.expires;
  const expired = expires !== undefined && expires <= now ? formatTimeDistance(expires, now) : undefined;
  if (error === undefined) {
    const time = formatNumber(milliseconds);
    if (sent === undefined) return { ok: true, text: l10n.t('The platform responded in {0} ms', time) };
    if (expired === undefined)
      return { ok: true, text: l10n.t('The platform responded in {0} ms and accepted the credential', time) };
    return {
      ok: true,
      text: l10n.t(
        'The platform responded in {0} ms and accepted the credential, although the access token expired {1}',
        time,
        expired,
      ),
    };
  }
  if (found.credential === 'refused') {
    if (sent === undefined) return { ok: true, text: l10n.t('The platform responded and requires a credential') };
    const text =
      expired === undefined
        ? l10n.t('The platform responded, but rejected the credential')
        : l10n.t('The platform responded, but the access token expired {0}', expired);
    return { ok: false, text, fault: 'credential' };
  }
  if (found.credential === 'accepted')
    return {
      ok: true,
      text: l10n.t('The platform accepted the credential, which has no permission to list objects'),
    };
  if (found.platform === 'no') return { ok: false, text: formatNotPlatform(error, found.redirected), fault: 'baseUrl' };
  const isUnreachable = error.code === 'network' || error.code === 'timeout';
  return { ok: false, text: formatReason(error), ...(isUnreachable && { fault: 'baseUrl' }) };
}

/** `expired 2 hours ago` or `expires in 5 minutes`; `undefined` if the access token names no time. */
export function formatTokenExpiry(token: TokenTimes | undefined, now: number): string | undefined {
  const expires = token?.expires;
  if (expires === undefined) return undefined;
  const time = formatTimeDistance(expires, now);
  return expires <= now ? l10n.t('expired {0}', time) : l10n.t('expires {0}', time);
}

/** Describes what a wrong base URL leads to. */
function formatNotPlatform(error: PlatformError, redirected: string | undefined): string {
  if (error.code === 'notFound') return l10n.t('No API at this address (HTTP 404). Check the path of the base URL');
  if (error.detail.redirect !== undefined || error.detail.status === 403) return formatReason(error);
  if (error.code !== 'notJson') return l10n.t('The response does not match the API: {0}', formatReason(error));
  const page = error.detail.serverMessage;
  if (redirected === undefined)
    return page === undefined
      ? l10n.t('The address responded with something other than JSON, probably a website or its login page')
      : l10n.t(
          'The address responded with something other than JSON ({0}), probably a website or its login page',
          page,
        );
  return page === undefined
    ? l10n.t(
        'The address redirects to {0}, which responded with something other than JSON, probably a login page',
        redirected,
      )
    : l10n.t(
        'The address redirects to {0}, which responded with something other than JSON ({1}), probably a login page',
        redirected,
        page,
      );
}
