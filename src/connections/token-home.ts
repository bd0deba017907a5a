/** Where tokens go that a platform has just issued: a new connection or one that is there; chosen before they are asked for. */
import { BACK } from '../ui/ui.ts';
import { environmentWords } from './heading.ts';
import { nameProblem } from './profiles.ts';
import type { SessionStore } from './store.ts';
import type { Profile, Session } from './types.ts';
import { addEntry, addOrganizationTo, placesOf } from './user-settings.ts';
import type { Credential } from '../platform/target.ts';
import type { FormStep } from './form.ts';

export interface TokenHome {
  name: string;
  /** made when the tokens are there */
  isNew: boolean;
}

/** Two steps: which connection, and the name of a new one. Fills `home`. */
export function homeSteps(store: SessionStore, from: Session, title: string, home: TokenHome): readonly FormStep[] {
  return [
    async (at) => {
      const same = store.all.filter(({ profile }) => profile.baseUrl === from.profile.baseUrl);
      const choices = [
        { label: '$(add) A new connection', description: `to ${from.profile.baseUrl}`, name: undefined },
        ...same.map((session) => ({
          label: session.profile.name,
          description: [
            environmentWords(session.profile),
            session.signedOutBecause === undefined ? 'replaces its credential' : 'signed out',
          ].join(' · '),
          name: session.profile.name,
        })),
      ];
      const chosen = await store.ui.pickStep(choices, {
        ...at,
        title,
        placeHolder: 'Which connection keeps the tokens?',
      });
      if (chosen === undefined || chosen === BACK) return chosen;
      home.isNew = chosen.name === undefined;
      home.name = chosen.name ?? '';
      return true;
    },
    async (at) => {
      if (!home.isNew) return 'skip';
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

/** Puts the tokens in their home, as its only credential. Returns the session that holds them. */
export async function settle(
  store: SessionStore,
  from: Profile,
  home: TokenHome,
  credential: Credential,
  organization?: string,
): Promise<{ readonly session: Session; readonly kept: boolean }> {
  if (home.isNew && from.source === 'memory') {
    await store.addInMemory({ ...from, name: home.name }, credential);
  } else if (home.isNew) {
    await addEntry(entryOf({ ...from, name: home.name }));
    await store.reload();
  }
  const { kept } = await store.signIn(home.name, credential);
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
  const { name, baseUrl, environment, organizations, presentation, refreshPath, links, words, pageSize } = profile;
  return {
    name,
    baseUrl,
    ...(environment !== undefined && { environment }),
    ...(organizations.length > 0 && {
      organizations: organizations.map(({ id, label }) => (label === undefined ? id : { id, label })),
    }),
    auth: { ...presentation, ...(refreshPath !== undefined && { refreshPath }) },
    ...(Object.keys(links).length > 0 && { links }),
    query: words,
    ...(pageSize !== undefined && { pageSize }),
  };
}
