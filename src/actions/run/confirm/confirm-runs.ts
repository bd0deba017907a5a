import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatPair, pluralize } from '../../../platform/text/localization.ts';
import type { Services } from '../../../commands/context.ts';
import type { ActionsContext } from '../../context.ts';
import { formatHeading, formatIdentity } from '../../../model/text/heading.ts';
import { requireIdentity } from '../../../model/session/require-session.ts';
import { DEFAULT_IDENTITY, type Session } from '../../../model/session/session.ts';
import { UntrustedWorkspaceError } from '../../../model/command-errors.ts';
import { getString, isSigned, type ActionFile } from '../../file/action-file.ts';
import { formatEffectLines, formatEffectSummary, formatListedEffect, getIdFields } from '../../file/action-kinds.ts';
import { checkActionFile } from '../../file/check-action-file.ts';
import { waitBriefly, type LiveData } from '../../language/live-data.ts';
import { isDisclosureConfirmed, storeConfirmedDisclosures } from '../../variables/confirmed-disclosures.ts';
import { getDisclosure } from '../../variables/disclosure.ts';
import { fillInputs } from '../../variables/workspace-variables.ts';
import type { PreparedRun } from '../prepare.ts';
import { confirmBatch, needsConfirmation, type ConfirmSetting } from './confirm-batch.ts';
import { ensureSignedIn } from './ensure-signed-in.ts';
import { getSendWarnings } from './send-warnings.ts';
import { canWorkspaceStartRuns } from './workspace-starts.ts';
import { stored } from '../../../platform/text/message.ts';

/** What one action does for many rows. */
export interface RowsEffect {
  /** a sentence without the full stop, with the number of rows */
  readonly summary: string;
  /** its parts, if known: sentences without the full stop */
  readonly effects: readonly string[];
  /** known problems, a sentence each */
  readonly warnings: readonly string[];
}

/**
 * The confirm stage of the editor: signs in if necessary, and prompts once for the whole batch if it must be confirmed.
 * Resolves with the session of each run, which signing in replaces: that of the identity that its source names, else
 * `givenSession`; `undefined` if the user declined. Rejects with Error for what blocks sending, such as an untrusted
 * workspace or an unknown identity. `request`: who wants it sent, if not the user: a sentence that is confirmed whatever
 * the setting. `rows`: the effect if one action runs for many rows. `liveData`: names and fees of the dialog; without
 * it ids are shown.
 */
export async function confirmRuns(
  { services, liveData }: Pick<ActionsContext, 'services'> & Partial<Pick<ActionsContext, 'liveData'>>,
  prepared: readonly PreparedRun[],
  givenSession: Session,
  { isExplicit, request }: { readonly isExplicit: boolean; readonly request?: string },
  rows?: RowsEffect,
): Promise<readonly Session[] | undefined> {
  // Rejects before any prompt if the signer is not allowed to run.
  for (const { file } of prepared) if (!isSigned(file)) getSignerCommand();
  const files: ActionFile[] = [];
  for (const { file } of prepared) files.push(await fillInputs(services, file));
  const sessions = await signInToAll(services, prepared, givenSession);
  const [session] = sessions ?? [];
  if (sessions === undefined || session === undefined) return undefined;
  const { context, log, ui } = services;
  const { profile, requiresConfirmation } = session;
  const all = await Promise.all(
    prepared.map(async ({ file, source }) => ({ file, ...(await getDisclosure(services, file, source)) })),
  );
  const disclosed = all.filter(({ lines }) => lines.length > 0);
  const hasNewDisclosures = disclosed.some((one) => !isDisclosureConfirmed(context, session, one));
  const remarks = prepared.flatMap(({ source, file }) => {
    const count = checkActionFile(file).filter(({ severity }) => severity === 'warning').length;
    const message = l10n.t('{1}: {0} warning in Problems.|{1}: {0} warnings in Problems.');
    return count === 0 ? [] : [pluralize(count, message, source.name)];
  });
  const setting = parseConfirmSetting(
    vscode.workspace.getConfiguration('smartObjects').get<string>('confirmExecution'),
  );
  const reasons = {
    isExplicit: isExplicit && !canWorkspaceStartRuns(),
    trusted: vscode.workspace.isTrusted,
    disclosures: hasNewDisclosures ? [...new Set(disclosed.flatMap(({ lines }) => lines))] : [],
    warnings: [
      ...(rows?.warnings ?? []),
      ...[...new Set(sessions)].flatMap((one) =>
        getSendWarnings(
          prepared.flatMap(({ source, file }, index) => (sessions[index] === one ? [{ name: source.name, file }] : [])),
          one,
          services.knownSecrets(),
        ),
      ),
    ],
    requests: [
      ...(request === undefined ? [] : [request]),
      ...formatIdentityRequests(prepared, sessions, givenSession),
    ],
  };
  const several = prepared.length > 1;
  const [single] = several || rows !== undefined ? [] : files;
  const needs = needsConfirmation(session, setting, reasons);
  const live = liveData?.get(session);
  const [fee] =
    needs && live !== undefined
      ? await Promise.all([single && readFee(live, single), live.prefetchNames(files.flatMap(getIdFields))])
      : [];
  const isMixed = new Set(sessions).size > 1;
  const heading = isMixed ? formatHeading(profile) : session.heading;
  const formatName = (index: number): string =>
    formatIdentity(prepared[index]?.source.name ?? '', isMixed ? sessions[index]?.identityName : undefined);
  const effects =
    rows?.effects ??
    files.map((file, index) =>
      file === single
        ? formatEffectSummary(file)
        : formatPair(
            formatName(index),
            formatListedEffect(file, (id) => live?.getName(id), services.labels),
          ),
    );
  // The input box for production shows only the first few.
  if ((several || rows !== undefined) && profile.environment === 'production')
    for (const effect of [l10n.t('Will be executed on {0}:', heading), ...effects]) log.info(effect);
  const isConfirmed = await confirmBatch(ui, { profile, requiresConfirmation, heading }, setting, {
    ...reasons,
    effects,
    ...(single && {
      lines: [
        ...formatEffectLines(single, (id) => live?.getName(id), services.labels),
        ...(fee === undefined ? [] : [l10n.t('Fee: {0}', fee)]),
      ],
    }),
    remarks,
    summary: rows?.summary,
  });
  if (sessions.some(({ ended }) => ended.aborted))
    throw new Error(l10n.t('The connection has changed, so nothing was sent. Try again'));
  if (!isConfirmed) return undefined;
  if (hasNewDisclosures) await storeConfirmedDisclosures(context, session, disclosed);
  return sessions;
}

/** The fee of recent actions of the same kind, if it is known soon enough. Never rejects. */
async function readFee(live: LiveData, { entries: [entry] }: ActionFile): Promise<string | undefined> {
  const { readFees } = await import('../../preview/predict-effect.ts');
  const fees = readFees(entry?.kind ?? '', getString(entry?.value, 'template_id'), () => live.readRecentLogs());
  return waitBriefly(fees.catch(() => undefined));
}

/** A sentence for each identity that files ask for instead of the one they are run as. */
function formatIdentityRequests(
  prepared: readonly PreparedRun[],
  sessions: readonly Session[],
  { identityName: given = DEFAULT_IDENTITY }: Session,
): readonly string[] {
  const asking = prepared.filter((_run, index) => (sessions[index]?.identityName ?? DEFAULT_IDENTITY) !== given);
  return [...Map.groupBy(asking, ({ source }) => source.as ?? '')].map(([identity, runs]) =>
    runs.length === 1
      ? l10n.t('{0} asks for the identity {1} instead of {2}.', runs[0]?.source.name ?? '', identity, given)
      : pluralize(
          runs.length,
          l10n.t(
            '{0} action asks for the identity {1} instead of {2}.|{0} actions ask for the identity {1} instead of {2}.',
          ),
          identity,
          given,
        ),
  );
}

/** Resolves with the session of each run, all of them signed in; `undefined` if the user stays signed out of one. */
async function signInToAll(
  services: Services,
  prepared: readonly PreparedRun[],
  givenSession: Session,
): Promise<readonly Session[] | undefined> {
  const sessions = prepared.map(({ source: { as } }) =>
    as === undefined ? givenSession : requireIdentity(services.sessions, givenSession.profile.name, as),
  );
  const signedIn = new Map<Session, Session>();
  for (const session of new Set(sessions)) {
    const now = await requestSignIn(services, session);
    if (now === undefined) return undefined;
    signedIn.set(session, now);
  }
  return sessions.map((session) => signedIn.get(session) ?? session);
}

/**
 * Offers to sign in if the session is signed out; `purpose` is a sentence, such as “Sign in to continue.” Resolves with
 * the session to use; `undefined` if the user stays signed out. Never rejects.
 */
export function requestSignIn(services: Services, session: Session, purpose?: string): Promise<Session | undefined> {
  const signIn = ({ profile, identityName }: Session): Thenable<unknown> =>
    vscode.commands.executeCommand('smartObjects.signIn', { connection: profile.name, identity: identityName });
  return ensureSignedIn(services, session, signIn, purpose);
}

/**
 * Program and arguments of the signer, if one is configured. Throws UntrustedWorkspaceError in an untrusted workspace.
 */
export function getSignerCommand(): readonly string[] | undefined {
  const command: unknown = vscode.workspace.getConfiguration('smartObjects').get('signer.command');
  if (!Array.isArray(command) || command.length === 0) return undefined;
  if (!vscode.workspace.isTrusted)
    throw new UntrustedWorkspaceError(
      stored('The signer runs only in trusted workspaces. Use Manage Workspace Trust, or add a signature to the file'),
    );
  return command.map(String);
}

/** An unknown value prompts, as `always` does. */
function parseConfirmSetting(value: string | undefined): ConfirmSetting {
  return value === 'never' || value === 'productionOnly' ? value : 'always';
}
