/** Sign In as Another… and Select Identity…: further identities of a connection. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { formatHeading } from '../../model/text/heading.ts';
import { DEFAULT_IDENTITY } from '../../model/session/session.ts';
import { formatNumber } from '../../platform/text/localization.ts';
import { BACK } from '../../ui/ui.ts';
import { createSessionItems, resolveSession } from '../session/pick-session.ts';
import { getSessionStore } from '../session/session-store.ts';
import { getSandbox, SANDBOX_BUYER } from '../sandbox/running.ts';
import { signInTo } from './sign-in.ts';

const MAX_LENGTH = 40;

/**
 * Signs in to the given or a picked connection as another identity, and resolves with the name that the user gives it.
 * The current identity stays. Resolves with `undefined` if the user cancelled. Rejects with SessionChangedError if the connection changed meanwhile.
 */
export async function signInAs(services: Services, argument?: unknown): Promise<string | undefined> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, l10n.t('Sign In with Another Identity'));
  if (session === undefined) return undefined;
  const { name } = session.profile;
  const existing = new Set(store.getIdentities(name).map(({ identityKey }) => identityKey.toLowerCase()));
  for (let identity = getSandbox(name) === undefined || existing.has(SANDBOX_BUYER) ? '' : SANDBOX_BUYER; ;) {
    const answer = await services.ui.inputStep({
      title: l10n.t('{0}: Sign In with Another Identity', formatHeading(session.profile)),
      step: 1,
      totalSteps: 4,
      value: identity,
      placeHolder: SANDBOX_BUYER,
      prompt: l10n.t('Enter a name for the identity. It is shown in runs and confirmations, and used in expectations.'),
      validateInput: (text) => validateIdentityName(text.trim(), existing),
    });
    if (answer === undefined || answer === BACK) return undefined;
    identity = answer.trim();
    const result = await signInTo(store, session, { identity, stepsBefore: 1 });
    if (result === BACK) continue;
    return result ? identity : undefined;
  }
}

/** A sentence about what is wrong with a name, or `undefined`. `existing`: in lower case. */
function validateIdentityName(name: string, existing: ReadonlySet<string>): string | undefined {
  if (name === '') return l10n.t('Enter a name');
  // The command line finds its credential in an environment variable of this name.
  if (!/^[a-z][\w-]*$/i.test(name)) return l10n.t('Use letters, digits, - and _, and start with a letter');
  if (name.length > MAX_LENGTH) return l10n.t('Use up to {0} characters', formatNumber(MAX_LENGTH));
  if (name.toLowerCase() === DEFAULT_IDENTITY)
    return l10n.t('{0} is reserved for the default identity', DEFAULT_IDENTITY);
  if (existing.has(name.toLowerCase())) return l10n.t('An identity with this name already exists');
  return undefined;
}

/** Makes a picked identity of the given or a picked connection the current one. Rejects with Error for an unknown name. */
export async function selectIdentity(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, l10n.t('Select Identity'));
  if (session === undefined) return;
  const { name } = session.profile;
  const identities = store.getIdentities(name);
  if (identities.length === 1) {
    const signIn = l10n.t('Sign In with Another Identity…');
    const chosen = await services.ui.info(l10n.t('{0} has only one identity.', session.heading), signIn);
    if (chosen === signIn) await signInAs(services, name);
    return;
  }
  const chosen = await services.ui.pick(createSessionItems(identities, store.get(name)), {
    title: l10n.t('Select Identity'),
    placeHolder: l10n.t('Select the current identity of {0}', name),
    matchOnDescription: true,
  });
  const identity = chosen?.session.identityName;
  if (identity !== undefined) await store.selectIdentity(name, identity);
}
