/** The step of Add Connection and Sign In that checks what was entered. */
import * as l10n from '@vscode/l10n';
import type { Profile } from '../../model/session/session.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { BACK, StepPosition } from '../../ui/ui.ts';
import { summarizeProbe, type ProbeSummary } from '../check/format-probe.ts';
import { probe } from '../check/probe.ts';
import { readIdentity } from '../credentials/identity.ts';
import type { SessionStore } from '../session/session-store.ts';

/**
 * Sends one safe request and shows progress meanwhile; resolves with the verdict, BACK, or `undefined` on cancel. Never
 * rejects.
 */
export async function runCheckStep(
  store: SessionStore,
  profile: Profile,
  credential: Credential | undefined,
  position: StepPosition & { readonly title: string },
): Promise<ProbeSummary | typeof BACK | undefined> {
  return store.ui.progressStep({ ...position, message: l10n.t('Checking {0}…', profile.baseUrl) }, async (signal) => {
    const secrets = (): readonly string[] => store.knownSecrets.values;
    const found = await probe({ profile, credential, transport: store.transport, secrets, signal });
    const identity = credential === undefined ? undefined : (readIdentity(credential.accessToken) ?? {});
    return summarizeProbe(found, identity, Date.now());
  });
}
