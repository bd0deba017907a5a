/** Consent to unencrypted http outside this machine, once for each connection. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Ui } from '../../ui/ui.ts';
import { parseBaseUrl } from './base-url.ts';
import { formatHeading } from '../../model/text/heading.ts';
import type { Profile } from '../../model/session/session.ts';

/** The part of the session store that is used: if the answer is stored, and the dialogs. */
interface PlainHttpContext {
  readonly globalState: vscode.Memento;
  readonly ui: Ui;
}
type PlainHttpProfile = Pick<Profile, 'name' | 'baseUrl' | 'environment'>;

/** Bound to name and origin, so that another address needs new consent. */
function formatConsentKey({ name, baseUrl }: PlainHttpProfile): string {
  return `plainHttp/${name}/${new URL(baseUrl).origin}`;
}

/** True if no consent is needed, too. */
export function isPlainHttpAllowed({ globalState }: PlainHttpContext, profile: PlainHttpProfile): boolean {
  const found = parseBaseUrl(profile.baseUrl);
  return !found.ok || !found.plain || globalState.get<boolean>(formatConsentKey(profile), false);
}

/**
 * Asks unless already agreed; resolves with true if plain http is allowed. Rejects if the memento cannot be
 * written.
 */
export async function requestPlainHttpConsent(context: PlainHttpContext, profile: PlainHttpProfile): Promise<boolean> {
  if (isPlainHttpAllowed(context, profile)) return true;
  const agreed = await context.ui.confirm({
    message: l10n.t('{0}: Send requests over unencrypted HTTP?', formatHeading(profile)),
    detail: l10n.t(
      'Anyone between this computer and {0} can read what is sent, including credentials. Use https if the platform supports it.',
      new URL(profile.baseUrl).host,
    ),
    confirmLabel: l10n.t('Use HTTP'),
  });
  if (agreed) await context.globalState.update(formatConsentKey(profile), true);
  return agreed;
}

/** Forgets the consent for a connection's name and origin. Rejects if the memento cannot be written. */
export async function forgetPlainHttpConsent(
  { globalState }: Pick<PlainHttpContext, 'globalState'>,
  profile: PlainHttpProfile,
): Promise<void> {
  await globalState.update(formatConsentKey(profile), undefined);
}
