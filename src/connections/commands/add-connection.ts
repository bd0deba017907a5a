/** Add Connection…: name, base URL, environment and credential; checked, then written to the user's settings. */
import type { Services } from '../../commands/context.ts';
import { defaultCredentialHeaderNames, type Credential } from '../../platform/http/credential-headers.ts';
import { defaultQueryFormat } from '../../platform/target.ts';
import { BACK, type Ui } from '../../ui/ui.ts';
import { parseBaseUrl } from '../profiles/base-url.ts';
import { formatHeading } from '../../model/heading.ts';
import { requestPlainHttpConsent } from '../profiles/plain-http.ts';
import { probe } from '../check/probe.ts';
import { summarizeProbe } from '../check/format-probe.ts';
import { validateConnectionName } from '../profiles/read-profiles.ts';
import { getBinding } from '../credentials/credential.ts';
import { getSessionStore, SessionChangedError, type SessionStore } from '../session/session-store.ts';
import { ENVIRONMENTS, type Environment, type Profile } from '../../model/session.ts';
import { addProfileEntry, findScopes } from '../profiles/write-profiles.ts';
import { promptCredential, saveCredential } from './sign-in.ts';

interface ConnectionDraft {
  name: string;
  baseUrl: string;
  environment: Environment | undefined;
  /** `null`: the user signs in later */
  credential: Credential | null;
}

const TITLE = 'Add Connection';
// The credential prompt counts two steps.
const TOTAL_STEPS = 6;

/** Runs the form. Rejects where the settings cannot be written or the connection changed meanwhile. */
export async function addConnection(services: Services): Promise<void> {
  const store = getSessionStore(services);
  const draft: ConnectionDraft = { name: '', baseUrl: '', environment: undefined, credential: null };
  const steps = [askName, askBaseUrl, askEnvironment, askSignIn];
  for (let step = 0; ;) {
    while (step < steps.length) {
      const answer = await steps[step]?.(services.ui, draft, store);
      if (answer === undefined) return;
      step = answer === BACK ? Math.max(0, step - 1) : step + 1;
    }
    const decision = await checkDraft(services, store, draft);
    if (decision === undefined) return;
    if (decision === 'change the address') step = 1;
    else if (decision === 'change the credential') step = 3;
    else return saveDraft(services, store, draft, decision.doubt);
  }
}

type DraftStep = Promise<true | typeof BACK | undefined>;

async function askName(ui: Ui, draft: ConnectionDraft, store: SessionStore): DraftStep {
  const answer = await ui.inputStep({
    title: TITLE,
    step: 1,
    totalSteps: TOTAL_STEPS,
    value: draft.name,
    prompt: 'A name of your own, for example Test platform',
    validateInput: (text) => {
      const name = text.trim();
      if (store.get(name) !== undefined || findScopes(name).length > 0)
        return 'A connection of this name is there already';
      return validateConnectionName(name);
    },
  });
  if (typeof answer !== 'string') return answer;
  draft.name = answer.trim();
  return true;
}

async function askBaseUrl(ui: Ui, draft: ConnectionDraft): DraftStep {
  const answer = await ui.inputStep({
    title: TITLE,
    step: 2,
    totalSteps: TOTAL_STEPS,
    value: draft.baseUrl,
    placeHolder: 'https://api.example.com',
    prompt: 'The base URL of the API: what stands before /objects and /templates',
    validateInput: (text) => {
      const found = parseBaseUrl(text.trim());
      return found.ok ? undefined : found.reason;
    },
  });
  if (typeof answer !== 'string') return answer;
  const found = parseBaseUrl(answer.trim());
  if (!found.ok) return BACK;
  draft.baseUrl = found.url;
  return true;
}

async function askEnvironment(ui: Ui, draft: ConnectionDraft): DraftStep {
  const details: Readonly<Record<Environment, string>> = {
    sandbox: 'To play with',
    development: 'For work in progress',
    staging: 'For rehearsals',
    production: 'The real thing: marked everywhere, and every execution is confirmed by typing the name',
  };
  const choices = ENVIRONMENTS.map((environment) => ({
    label: environment.charAt(0).toUpperCase() + environment.slice(1),
    detail: details[environment],
    environment,
    picked: environment === draft.environment,
  }));
  const answer = await ui.pickStep(choices, {
    title: TITLE,
    step: 3,
    totalSteps: TOTAL_STEPS,
    placeHolder: `What is ${draft.baseUrl}?`,
  });
  if (answer === undefined || answer === BACK) return answer;
  draft.environment = answer.environment;
  return true;
}

async function askSignIn(ui: Ui, draft: ConnectionDraft, store: SessionStore): DraftStep {
  for (;;) {
    const now = { label: '$(sign-in) Sign in now', later: false };
    const later = { label: 'Sign in later', later: true };
    const choice = await ui.pickStep([now, later], {
      title: TITLE,
      step: 4,
      totalSteps: TOTAL_STEPS,
      placeHolder: 'Do you have a credential?',
    });
    if (choice === undefined || choice === BACK) return choice;
    if (choice.later) {
      draft.credential = null;
      return true;
    }
    const credential = await promptCredential(
      ui,
      { credentialHeaderNames: defaultCredentialHeaderNames },
      { title: TITLE, precedingSteps: 4 },
    );
    if (credential === undefined) return undefined;
    if (credential === BACK) continue;
    store.knownSecrets.add(Object.values(credential));
    draft.credential = credential;
    return true;
  }
}

type CheckDecision =
  'change the address' | 'change the credential' | { readonly doubt: string | undefined } | undefined;

async function checkDraft({ ui }: Services, store: SessionStore, draft: ConnectionDraft): Promise<CheckDecision> {
  const profile = createProfile(draft);
  if (!(await requestPlainHttpConsent(store, profile))) return 'change the address';
  const found = await ui.progress(`Checking ${draft.baseUrl} …`, (signal) =>
    probe({
      profile,
      credential: draft.credential ?? undefined,
      transport: store.transport,
      secrets: () => store.knownSecrets.values,
      signal,
    }),
  );
  const summary = summarizeProbe(found, draft.credential !== null);
  if (summary.ok) return { doubt: undefined };
  const [address, credential, saveAnyway] = ['Change Address', 'Change Credential', 'Save Anyway'];
  const buttons = found.credential === 'refused' ? [credential, address, saveAnyway] : [address, saveAnyway];
  const answer = await ui.warn(`${formatHeading(profile, undefined)}: ${summary.text}`, ...buttons);
  if (answer === address) return 'change the address';
  if (answer === credential) return 'change the credential';
  return answer === saveAnyway ? { doubt: summary.text } : undefined;
}

async function saveDraft(
  services: Services,
  store: SessionStore,
  draft: ConnectionDraft,
  warning: string | undefined,
): Promise<void> {
  const { name, baseUrl, environment, credential } = draft;
  // The settings may have gained an entry of this name meanwhile, such as a workspace's.
  if (store.get(name) !== undefined || findScopes(name).length > 0)
    throw new Error(`a connection named ${name} has been added meanwhile; nothing was written`);
  await addProfileEntry({ name, baseUrl, ...(environment !== undefined && { environment }) });
  await store.reload();
  await store.setActive(name);
  const session = store.get(name);
  if (credential !== null) {
    const expectedBinding = JSON.stringify(getBinding(createProfile(draft)));
    if (session === undefined || JSON.stringify(getBinding(session.profile)) !== expectedBinding)
      throw new SessionChangedError(name);
    await saveCredential(store, session, credential, warning);
  } else
    void services.ui.info(
      `${session?.heading ?? name}: added.${warning === undefined ? ' The platform answers.' : ` ${warning}`}`,
    );
}

function createProfile({ name, baseUrl, environment }: ConnectionDraft): Profile {
  return {
    name,
    baseUrl,
    ...(environment !== undefined && { environment }),
    organizations: [],
    credentialHeaderNames: defaultCredentialHeaderNames,
    links: {},
    queryFormat: defaultQueryFormat,
    source: 'user',
  };
}
