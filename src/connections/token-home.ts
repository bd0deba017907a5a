/** Where tokens go that a platform has just issued: a new connection or one that is there; chosen before they are asked for. */
import { BACK } from '../ui/ui.ts';
import { bindingOf } from './credential.ts';
import { environmentWords } from './heading.ts';
import { nameProblem } from './profiles.ts';
import { SessionChanged, type SessionStore } from './store.ts';
import type { Profile, Session } from './types.ts';
import { addEntry, addOrganizationTo, placesOf } from './user-settings.ts';
import type { Credential } from '../platform/target.ts';
import type { FormStep } from './form.ts';

export interface TokenHome {
  name: string;
  /** the connection that is there; `undefined`: a new one, made when the tokens are there */
  session: Session | undefined;
}

/** Two steps: which connection, and the name of a new one. Fills `home`. */
export function homeSteps(store: SessionStore, from: Session, title: string, home: TokenHome): readonly FormStep[] {
  return [
    async (at) => {
      const same = store.all.filter(({ profile }) => profile.baseUrl === from.profile.baseUrl);
      const choices = [
        { label: '$(add) A new connection', description: `to ${from.profile.baseUrl}`, session: undefined },
        ...same.map((session) => ({
          label: session.profile.name,
          description: [
            environmentWords(session.profile),
            session.signedOutBecause === undefined ? 'replaces its credential' : 'signed out',
          ].join(' · '),
          session,
        })),
      ];
      const chosen = await store.ui.pickStep(choices, {
        ...at,
        title,
        placeHolder: 'Which connection keeps the tokens?',
      });
      if (chosen === undefined || chosen === BACK) return chosen;
      home.session = chosen.session;
      home.name = chosen.session?.profile.name ?? '';
      return true;
    },
    async (at) => {
      if (home.session !== undefined) return 'skip';
      const typed = await store.ui.inputStep({
        ...at,
        title,
        value: home.name,
        prompt: 'A name for the new connection',
        validateInput: (text) => {
          const name = text.trim();
          if (store.get(name) !== undefined || placesOf(name).length > 0)
            return 'A connection of this name is there already';
          return nameProblem(name);
        },
      });
      if (typeof typed !== 'string') return typed;
      home.name = typed.trim();
      return true;
    },
  ];
}

/** Says in a confirmation that the credential goes along; empty where none does. */
export function presentedWords({ profile, holds }: Session): string {
  return profile.wallets === 'credential' && holds.size > 0
    ? 'The credential of this connection is sent with it. '
    : '';
}

/** Throws where the connection that shall keep the tokens is another by now: nothing is to be sent then. */
export function demandHome(store: SessionStore, from: Session, home: TokenHome): void {
  if (from.ended.aborted) throw new SessionChanged(from.profile.name);
  if (home.session?.ended.aborted === true) throw new SessionChanged(home.name);
  if (home.session === undefined && (store.get(home.name) !== undefined || placesOf(home.name).length > 0))
    throw new Error(`a connection named ${home.name} has been added meanwhile; nothing was sent`);
}

/**
 * Puts the tokens in their home, as its only credential. Returns the session that holds them. `from` is the profile that
 * issued them. Throws `SessionChanged` where the home is another by now.
 */
export async function settle(
  store: SessionStore,
  from: Profile,
  home: TokenHome,
  credential: Credential,
  organization?: string,
): Promise<{ readonly session: Session; readonly kept: boolean }> {
  if (home.session === undefined && from.source === 'memory') {
    // The sandbox that issued them may have ended: then they are good for nothing.
    if (!store.inMemory.includes(from.name)) throw new SessionChanged(from.name);
    await store.addInMemory({ ...from, name: home.name }, credential);
  } else if (home.session === undefined) {
    await addEntry(entryOf({ ...from, name: home.name }));
    await store.reload();
  }
  const owner = home.session ?? store.get(home.name);
  const meant = JSON.stringify(bindingOf({ ...from, name: home.name }));
  if (owner === undefined || (home.session === undefined && JSON.stringify(bindingOf(owner.profile)) !== meant))
    throw new SessionChanged(home.name);
  const { kept } = await store.signIn(owner, credential);
  const known = store.get(home.name)?.organizations.some(({ id, source }) => id === organization && source !== 'token');
  if (organization !== undefined && known === false) {
    if (store.isInMemory(home.name))
      await store.addOrganizationInMemory(home.name, { id: organization, source: 'added' });
    else {
      await addOrganizationTo(home.name, organization, undefined);
      await store.reload();
    }
  }
  const session = store.get(home.name);
  if (session === undefined) throw new Error(`the connection ${home.name} is gone; the tokens are in its secret`);
  return { session, kept };
}

/** A profile as it stands in settings. */
function entryOf(profile: Profile): Readonly<Record<string, unknown>> {
  const { name, baseUrl, environment, organizations, presentation, refreshPath, wallets, links, words, pageSize } =
    profile;
  return {
    name,
    baseUrl,
    ...(environment !== undefined && { environment }),
    ...(organizations.length > 0 && {
      organizations: organizations.map(({ id, label }) => (label === undefined ? id : { id, label })),
    }),
    auth: {
      ...presentation,
      ...(refreshPath !== undefined && { refreshPath }),
      ...(wallets !== undefined && { wallets }),
    },
    ...(Object.keys(links).length > 0 && { links }),
    query: words,
    ...(pageSize !== undefined && { pageSize }),
  };
}
