/**
 * Add Connection…: name, base URL, environment and credential; checked in the form, then written to the user's settings.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { defaultCredentialHeaderNames, type Credential } from '../../platform/http/credential-headers.ts';
import { defaultQueryFormat } from '../../platform/target.ts';
import { BACK, type StepPosition, type Ui } from '../../ui/ui.ts';
import { parseBaseUrl } from '../profiles/base-url.ts';
import { formatEnvironment, formatHeading, isNamedOrganization } from '../../model/text/heading.ts';
import { requestPlainHttpConsent } from '../profiles/plain-http.ts';
import { formatTokenExpiry, type ProbeSummary } from '../check/format-probe.ts';
import { validateConnectionName } from '../profiles/read-profiles.ts';
import { getBinding } from '../credentials/credential.ts';
import { readIdentity } from '../credentials/identity.ts';
import { SessionChangedError } from '../session/session-changed-error.ts';
import { getSessionStore, type SessionStore } from '../session/session-store.ts';
import { ENVIRONMENTS, type Environment, type Profile } from '../../model/session/session.ts';
import { addProfileEntry, findScopes } from '../profiles/write-profiles.ts';
import { runCheckStep } from './check-step.ts';
import { runForm, type FormStepResult } from './form.ts';
import { promptCredential, storeCredential, type SignInOutcome } from './sign-in.ts';

interface ConnectionDraft {
  name: string;
  baseUrl: string;
  environment: Environment | undefined;
  /** empty: the user signs in later; `undefined` until the user was asked */
  credential: Credential | undefined;
}

type DraftField = 'name' | 'baseUrl' | 'environment' | 'credential';

// The credential counts two steps: its kind and its value.
const steps: Readonly<Record<DraftField, number>> = { name: 1, baseUrl: 2, environment: 3, credential: 4 };
const TOTAL_STEPS = 6;

const at = (step: number): StepPosition & { readonly title: string } => ({
  title: l10n.t('Add Connection'),
  step,
  totalSteps: TOTAL_STEPS,
});

/** Runs the form. Rejects if the settings cannot be written or the connection changed meanwhile. */
export async function addConnection(services: Services): Promise<void> {
  const store = getSessionStore(services);
  const { ui } = services;
  const draft: ConnectionDraft = { name: '', baseUrl: '', environment: undefined, credential: undefined };
  const fields: Readonly<Record<DraftField, () => Promise<FormStepResult>>> = {
    name: () => askName(ui, draft, store),
    baseUrl: () => askBaseUrl(ui, draft),
    environment: () => askEnvironment(ui, draft),
    credential: () => askCredential(ui, draft, store),
  };
  const form = Object.values(fields);
  if (!(await runForm(form))) return;
  for (;;) {
    const decision = await checkDraft(store, draft);
    if (decision === undefined) return;
    if (decision === 'save') return saveDraft(store, draft);
    // Back returns to the last step of the form; a changed field leads to the check again, and so does Back from it.
    const goesOn = decision === BACK ? await runForm(form, form.length - 1) : await fields[decision]();
    if (goesOn === false || goesOn === undefined) return;
  }
}

async function askName(ui: Ui, draft: ConnectionDraft, store: SessionStore): Promise<FormStepResult> {
  const answer = await ui.inputStep({
    ...at(steps.name),
    value: draft.name,
    prompt: l10n.t('Display name, for example Test platform'),
    validateInput: (text) => {
      const name = text.trim();
      if (store.get(name) !== undefined || findScopes(name).length > 0)
        return l10n.t('A connection with this name already exists');
      return validateConnectionName(name);
    },
  });
  if (typeof answer !== 'string') return answer;
  draft.name = answer.trim();
  return true;
}

async function askBaseUrl(ui: Ui, draft: ConnectionDraft): Promise<FormStepResult> {
  const answer = await ui.inputStep({
    ...at(steps.baseUrl),
    value: draft.baseUrl,
    placeHolder: 'https://api.example.com',
    prompt: l10n.t('Base URL of the API, without /objects or /templates'),
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

async function askEnvironment(ui: Ui, draft: ConnectionDraft): Promise<FormStepResult> {
  const labels: Readonly<Record<Environment, readonly [label: string, detail: string]>> = {
    sandbox: [l10n.t('Sandbox'), l10n.t('Throwaway data')],
    development: [l10n.t('Development'), l10n.t('Work in progress')],
    staging: [l10n.t('Staging'), l10n.t('Pre-production')],
    production: [
      l10n.t('Production'),
      l10n.t('Live data. The connection is marked as production, and every execution is confirmed by typing its name'),
    ],
  };
  const choices = ENVIRONMENTS.map((environment) => ({
    label: labels[environment][0],
    detail: labels[environment][1],
    environment,
    picked: environment === draft.environment,
  }));
  const answer = await ui.pickStep(choices, {
    ...at(steps.environment),
    placeHolder: l10n.t('Environment of {0}', draft.baseUrl),
  });
  if (answer === undefined || answer === BACK) return answer;
  draft.environment = answer.environment;
  return true;
}

async function askCredential(ui: Ui, draft: ConnectionDraft, store: SessionStore): Promise<FormStepResult> {
  const credential = await promptCredential(
    ui,
    { credentialHeaderNames: defaultCredentialHeaderNames },
    { ...at(steps.credential), entered: draft.credential, canSkip: true },
  );
  if (credential === undefined || credential === BACK) return credential;
  store.knownSecrets.add(Object.values(credential));
  draft.credential = credential;
  return true;
}

type CheckDecision = 'save' | typeof BACK | Exclude<DraftField, 'name'> | undefined;

/** Checks the draft and shows the result; the field at fault comes first. */
async function checkDraft(store: SessionStore, draft: ConnectionDraft): Promise<CheckDecision> {
  const profile = createProfile(draft);
  if (!(await requestPlainHttpConsent(store, profile))) return 'baseUrl';
  const verdict = await runCheckStep(store, profile, getCredential(draft), at(TOTAL_STEPS));
  if (verdict === undefined || verdict === BACK) return verdict;
  const choice = await store.ui.pickStep(createDecisions(draft, profile, verdict), {
    ...at(TOTAL_STEPS),
    placeHolder: formatHeading(profile),
    prompt: verdict.text,
  });
  return choice === undefined || choice === BACK ? choice : choice.decision;
}

function createDecisions(draft: ConnectionDraft, profile: Profile, { ok, fault }: ProbeSummary) {
  const add = ok ? l10n.t('Add Connection') : l10n.t('Add Anyway');
  const save = { label: `$(check) ${add}`, decision: 'save' } as const;
  const fields = [
    { name: l10n.t('Change Base URL'), description: draft.baseUrl, decision: 'baseUrl' },
    { name: l10n.t('Change Environment'), description: formatEnvironment(profile), decision: 'environment' },
    { name: l10n.t('Change Credential'), description: describeCredential(draft), decision: 'credential' },
  ] as const;
  const changes = fields.map(({ name, ...change }) => ({
    ...change,
    label: `$(${!ok && change.decision === fault ? 'warning' : 'edit'}) ${name}`,
  }));
  if (ok) return [save, ...changes];
  return [...changes.toSorted((a, b) => Number(b.decision === fault) - Number(a.decision === fault)), save];
}

/** `Access token · expired 2 hours ago` */
function describeCredential(draft: ConnectionDraft): string {
  const { apiKey, accessToken } = getCredential(draft) ?? {};
  if (accessToken === undefined) return apiKey === undefined ? l10n.t('Sign In Later') : l10n.t('API key');
  const name = apiKey === undefined ? l10n.t('Access token') : l10n.t('Access token and API key');
  const expiry = formatTokenExpiry(readIdentity(accessToken), Date.now());
  return expiry === undefined ? name : `${name} · ${expiry}`;
}

async function saveDraft(store: SessionStore, draft: ConnectionDraft): Promise<void> {
  const { name, baseUrl, environment } = draft;
  // The settings may have gained an entry of this name meanwhile, such as a workspace's.
  if (store.get(name) !== undefined || findScopes(name).length > 0)
    throw new Error(l10n.t('Another window added a connection named {0}. Nothing was saved', name));
  await addProfileEntry({ name, baseUrl, ...(environment !== undefined && { environment }) });
  const { active } = store;
  await store.reload();
  if (active === undefined && environment !== 'production') await store.setActive(name);
  const session = store.get(name);
  const expectedBinding = JSON.stringify(getBinding(createProfile(draft)));
  const credential = getCredential(draft);
  if (
    credential !== undefined &&
    (session === undefined || JSON.stringify(getBinding(session.profile)) !== expectedBinding)
  )
    throw new SessionChangedError(name);
  const outcome =
    credential === undefined || session === undefined ? undefined : await storeCredential(store, session, credential);
  // Not awaited: the command is finished, and the button has its own handler.
  void reportAdded(store, name, outcome);
}

/** A further connection, and a production one, is not made active: the message offers it, and to name organizations. */
async function reportAdded(store: SessionStore, name: string, outcome: SignInOutcome | undefined): Promise<void> {
  const { ui, active } = store;
  const [setActive, addOrganization] = [l10n.t('Set as Active'), l10n.t('Add Organization…')];
  const hasNamed = store.get(name)?.organizations.some(isNamedOrganization) === true;
  const buttons = [
    ...(active?.profile.name === name ? [] : [setActive]),
    ...(outcome === undefined || hasNamed ? [] : [addOrganization]),
  ];
  const warnings = outcome?.warnings ?? [];
  const message = [formatAdded(store.get(name)?.heading ?? name, outcome), ...warnings].join(' ');
  const answer = warnings.length > 0 ? await ui.warn(message, ...buttons) : await ui.info(message, ...buttons);
  if (answer === setActive && store.get(name) !== undefined) await store.setActive(name);
  if (answer === addOrganization) void vscode.commands.executeCommand('smartObjects.addOrganization', name);
}

function formatAdded(heading: string, outcome: SignInOutcome | undefined): string {
  if (outcome === undefined) return l10n.t('{0}: added.', heading);
  return outcome.subject === undefined
    ? l10n.t('{0}: added and signed in.', heading)
    : l10n.t('{0}: added and signed in as {1}.', heading, outcome.subject);
}

function getCredential({ credential }: ConnectionDraft): Credential | undefined {
  return credential === undefined || Object.keys(credential).length === 0 ? undefined : credential;
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
