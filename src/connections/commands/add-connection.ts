/** Add Connection…: name, base URL, environment, credential; checked before it ends, then written to the user's settings. */
import type { Services } from '../../commands/entry.ts';
import { defaultPresentation, defaultQueryWords, type Credential } from '../../platform/target.ts';
import { BACK, type Ui } from '../../ui/ui.ts';
import { checkBaseUrl } from '../base-url.ts';
import { headingOf } from '../heading.ts';
import { allowPlainHttp } from '../plain-http.ts';
import { probe } from '../probe.ts';
import { probeWords } from '../probe-words.ts';
import { nameProblem } from '../profiles.ts';
import { bindingOf } from '../credential.ts';
import { storeOf } from '../services.ts';
import { SessionChanged, type SessionStore } from '../store.ts';
import { environments, type Environment, type Profile } from '../types.ts';
import { addEntry, placesOf } from '../user-settings.ts';
import { askCredential, keepCredential } from './sign-in.ts';

interface Draft {
  name: string;
  baseUrl: string;
  environment: Environment | undefined;
  /** `null`: the person wants to sign in later */
  credential: Credential | null;
}

const TITLE = 'Add Connection';
// Two of them are the credential's.
const STEPS = 6;

export async function addConnection(services: Services): Promise<void> {
  const store = storeOf(services);
  const draft: Draft = { name: '', baseUrl: '', environment: undefined, credential: null };
  const steps = [askName, askBaseUrl, askEnvironment, askSignIn];
  for (let step = 0; ;) {
    while (step < steps.length) {
      const answer = await steps[step]?.(services.ui, draft, store);
      if (answer === undefined) return;
      step = answer === BACK ? Math.max(0, step - 1) : step + 1;
    }
    const verdict = await check(services, store, draft);
    if (verdict === undefined) return;
    if (verdict === 'change the address') step = 1;
    else if (verdict === 'change the credential') step = 3;
    else return finish(services, store, draft, verdict.doubt);
  }
}

type Step = Promise<true | typeof BACK | undefined>;

async function askName(ui: Ui, draft: Draft, store: SessionStore): Step {
  const answer = await ui.inputStep({
    title: TITLE,
    step: 1,
    totalSteps: STEPS,
    value: draft.name,
    prompt: 'A name of your own, for example Test platform',
    validateInput: (text) => {
      const name = text.trim();
      if (store.get(name) !== undefined || placesOf(name).length > 0)
        return 'A connection of this name is there already';
      return nameProblem(name);
    },
  });
  if (typeof answer !== 'string') return answer;
  draft.name = answer.trim();
  return true;
}

async function askBaseUrl(ui: Ui, draft: Draft): Step {
  const answer = await ui.inputStep({
    title: TITLE,
    step: 2,
    totalSteps: STEPS,
    value: draft.baseUrl,
    placeHolder: 'https://api.example.com',
    prompt: 'The base URL of the API: what stands before /objects and /templates',
    validateInput: (text) => {
      const found = checkBaseUrl(text.trim());
      return found.ok ? undefined : found.reason;
    },
  });
  if (typeof answer !== 'string') return answer;
  const found = checkBaseUrl(answer.trim());
  if (!found.ok) return BACK;
  draft.baseUrl = found.url;
  return true;
}

async function askEnvironment(ui: Ui, draft: Draft): Step {
  const details: Readonly<Record<Environment, string>> = {
    sandbox: 'To play with',
    development: 'For work in progress',
    staging: 'For rehearsals',
    production: 'The real thing: marked everywhere, and every execution is confirmed by typing the name',
  };
  const choices = environments.map((environment) => ({
    label: environment.charAt(0).toUpperCase() + environment.slice(1),
    detail: details[environment],
    environment,
    picked: environment === draft.environment,
  }));
  const answer = await ui.pickStep(choices, {
    title: TITLE,
    step: 3,
    totalSteps: STEPS,
    placeHolder: `What is ${draft.baseUrl}?`,
  });
  if (answer === undefined || answer === BACK) return answer;
  draft.environment = answer.environment;
  return true;
}

async function askSignIn(ui: Ui, draft: Draft, store: SessionStore): Step {
  for (;;) {
    const now = { label: '$(sign-in) Sign in now', later: false };
    const later = { label: 'Sign in later', later: true };
    const choice = await ui.pickStep([now, later], {
      title: TITLE,
      step: 4,
      totalSteps: STEPS,
      placeHolder: 'Do you have a credential?',
    });
    if (choice === undefined || choice === BACK) return choice;
    if (choice.later) {
      draft.credential = null;
      return true;
    }
    const credential = await askCredential(ui, { presentation: defaultPresentation }, { title: TITLE, before: 4 });
    if (credential === undefined) return undefined;
    if (credential === BACK) continue;
    store.known.add(Object.values(credential));
    draft.credential = credential;
    return true;
  }
}

type Verdict = 'change the address' | 'change the credential' | { readonly doubt: string | undefined } | undefined;

async function check({ ui }: Services, store: SessionStore, draft: Draft): Promise<Verdict> {
  const profile = profileOf(draft);
  if (!(await allowPlainHttp(store, profile))) return 'change the address';
  const found = await ui.progress(`Checking ${draft.baseUrl} …`, (signal) =>
    probe({
      profile,
      credential: draft.credential ?? undefined,
      transport: store.transport,
      secrets: () => store.known.values,
      signal,
    }),
  );
  const words = probeWords(found, draft.credential !== null);
  if (words.good) return { doubt: undefined };
  const [address, credential, keep] = ['Change Address', 'Change Credential', 'Save Anyway'];
  const buttons = found.credential === 'refused' ? [credential, address, keep] : [address, keep];
  const answer = await ui.warn(`${headingOf(profile, undefined)}: ${words.text}`, ...buttons);
  if (answer === address) return 'change the address';
  if (answer === credential) return 'change the credential';
  return answer === keep ? { doubt: words.text } : undefined;
}

async function finish(services: Services, store: SessionStore, draft: Draft, doubt: string | undefined): Promise<void> {
  const { name, baseUrl, environment, credential } = draft;
  // An entry of this name may have come since it was typed, a workspace's for one.
  if (store.get(name) !== undefined || placesOf(name).length > 0)
    throw new Error(`a connection named ${name} has been added meanwhile; nothing was written`);
  await addEntry({ name, baseUrl, ...(environment !== undefined && { environment }) });
  await store.reload();
  await store.activate(name);
  const session = store.get(name);
  if (credential !== null) {
    const meant = JSON.stringify(bindingOf(profileOf(draft)));
    if (session === undefined || JSON.stringify(bindingOf(session.profile)) !== meant) throw new SessionChanged(name);
    await keepCredential(store, session, credential, doubt);
  } else
    void services.ui.info(
      `${session?.heading ?? name}: added.${doubt === undefined ? ' The platform answers.' : ` ${doubt}`}`,
    );
}

function profileOf({ name, baseUrl, environment }: Draft): Profile {
  return {
    name,
    baseUrl,
    ...(environment !== undefined && { environment }),
    organizations: [],
    presentation: defaultPresentation,
    links: {},
    words: defaultQueryWords,
    source: 'user',
  };
}
