import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pluralize } from '../../platform/text/localization.ts';
import type { Services } from '../../commands/context.ts';
import { createSessionItems } from '../../connections/session/pick-session.ts';
import { formatLine, type PossibleLog, type RunRecord } from '../../model/runs/run-record.ts';
import { DEFAULT_IDENTITY, type Session } from '../../model/session/session.ts';
import { findOnlyLogs } from '../bulk/settle.ts';
import type { ActionsContext } from '../context.ts';
import { getString, parseActionFile } from '../file/action-file.ts';
import { getActionKind } from '../file/action-kinds.ts';
import type { ActionSource } from '../file/action-source.ts';
import { applyEdits } from '../file/json-edits.ts';
import { setField } from '../form/form-edits.ts';
import { getActionName, isScenarioPath, isSuitePath } from '../file/file-names.ts';
import { pickId } from '../language/pick-id.ts';
import { createLogChoice } from '../log-choice.ts';
import { requestSignIn } from './confirm/confirm-runs.ts';
import type { Runner } from './runner.ts';
import { getSources } from './sources.ts';
import { formatHeading, formatSessionProblem } from '../../model/text/heading.ts';
import { requireIdentity } from '../../model/session/require-session.ts';

interface RunCommandOptions extends ActionsContext {
  readonly runner: Runner;
  /** called with each change of a run */
  readonly onRun: (run: RunRecord) => void;
  /** runs a suite as a test; resolves with false if it is none */
  readonly runSuite: (uri: vscode.Uri, session: Session | undefined) => Promise<boolean>;
}

/** What the user chooses first: nothing, as the active connection is used, the connection, or its identity. */
type TargetChoice = 'active' | 'connection' | 'identity';

/** The commands that run action files, repeat a run, or search for its outcome. */
export class RunCommands {
  readonly #options: RunCommandOptions;
  readonly #services: Services;
  readonly #runner: Runner;

  constructor(options: RunCommandOptions) {
    this.#options = options;
    this.#services = options.services;
    this.#runner = options.runner;
  }

  /**
   * Runs the files of a command, on the active connection or on what the user picks. Resolves with the ended runs; an
   * empty list if the user cancelled or a suite was run as a test. Rejects with Error for what blocks sending.
   */
  async execute(argument: unknown, selected: unknown, choice: TargetChoice): Promise<readonly RunRecord[]> {
    const sources = await getSources(this.#services.ui, argument, selected);
    const only = sources.length === 1 ? sources[0] : undefined;
    if (sources.length === 0) return [];
    // A suite is a test: its steps are run with their expectations.
    const suite = isSuitePath(only?.uri?.path ?? '') ? only?.uri : undefined;
    if (suite !== undefined) {
      const isChosen = choice !== 'active' && !isScenarioPath(suite.path);
      const givenSession = isChosen ? await this.#chooseSession(choice, only?.name ?? '') : undefined;
      if ((isChosen && givenSession === undefined) || (await this.#options.runSuite(suite, givenSession))) return [];
    }
    const session = await this.#chooseSession(
      choice,
      only?.name ?? pluralize(sources.length, l10n.t('{0} action|{0} actions')),
    );
    if (session === undefined) return [];
    const filled = only === undefined ? sources : await this.#fillEmptyIds(only, session);
    if (filled === undefined) return [];
    return this.#runner.execute(filled, { session, onRun: this.#options.onRun });
  }

  /** Prompts for required ids that are empty, and enters them into the file. `undefined`: cancelled. */
  async #fillEmptyIds(source: ActionSource, session: Session): Promise<readonly ActionSource[] | undefined> {
    let { text } = source;
    const [entry] = parseActionFile(text).entries;
    for (const { name, ids, optional } of getActionKind(entry?.kind ?? '')?.fields ?? []) {
      const isEmpty = getString(entry?.value, name) === '' && optional !== true;
      if (!isEmpty || ids === undefined || source.uri === undefined) continue;
      const id = await pickId(this.#options, session, ids);
      if (id === undefined) return undefined;
      const file = parseActionFile(text);
      const edits = setField(file, [name], JSON.stringify(id));
      const document = await vscode.workspace.openTextDocument(source.uri);
      const workspaceEdit = new vscode.WorkspaceEdit();
      for (const edit of edits) {
        const end = document.positionAt(edit.offset + edit.length);
        workspaceEdit.replace(document.uri, new vscode.Range(document.positionAt(edit.offset), end), edit.text);
      }
      text = applyEdits(text, edits);
      await vscode.workspace.applyEdit(workspaceEdit);
    }
    return [{ ...source, text }];
  }

  async #chooseSession(choice: TargetChoice, subject: string): Promise<Session | undefined> {
    const { sessions, ui } = this.#services;
    if (choice === 'identity') return this.#chooseIdentity(subject);
    if (choice === 'active' || sessions.all.length < 2) return sessions.getOrPickActive(l10n.t('Run {0}', subject));
    const chosen = await ui.pick(createSessionItems(sessions.all, sessions.active), {
      title: l10n.t('Run {0} On…', subject),
      matchOnDescription: true,
    });
    return chosen?.session;
  }

  /** Resolves with an identity of the active connection; signing in as another one makes it the chosen one. */
  async #chooseIdentity(subject: string): Promise<Session | undefined> {
    const { sessions, ui } = this.#services;
    const active = await sessions.getOrPickActive(l10n.t('Run {0}', subject));
    if (active === undefined) return undefined;
    const { name } = active.profile;
    const signIn = { label: `$(add) ${l10n.t('Sign In with Another Identity…')}`, description: '', session: undefined };
    const choices = sessions.getIdentities(name).map((session) => ({
      label: session.identityName ?? DEFAULT_IDENTITY,
      description: [
        session === active ? l10n.t('current') : '',
        session.identity?.subject ?? '',
        formatSessionProblem(session),
      ]
        .filter((part) => part !== undefined && part !== '')
        .join(' · '),
      session,
    }));
    const chosen = await ui.pick([...choices, signIn], {
      title: l10n.t('Run {0} on {1} As…', subject, formatHeading(active.profile)),
    });
    if (chosen !== signIn) return chosen?.session;
    const identity: unknown = await vscode.commands.executeCommand('smartObjects.signInAs', name);
    return typeof identity === 'string' ? sessions.getIdentity(name, identity) : undefined;
  }

  /** Searches the platform for the outcome of a run. `undefined`: not signed in. Rejects with Error if it cannot be searched. */
  async lookUp(run: RunRecord): Promise<RunRecord | undefined> {
    if (this.#runner.isActive(run.id)) throw new Error(l10n.t('{0} is still in progress', run.name));
    const session = this.#requireIdentity(run);
    if (new URL(session.profile.baseUrl).origin !== run.origin)
      throw new Error(
        l10n.t(
          '{0} now points to another server; {1} was run on {2}',
          session.heading,
          run.name,
          formatLine(run.origin),
        ),
      );
    const signed = await requestSignIn(this.#services, session, l10n.t('Sign in to find its action log.'));
    return signed && this.#offerSettling(await this.#runner.lookUp(run, signed), signed);
  }

  /** Lets the user settle a run that stays unknown by a log that may be its own, or all that have exactly one such log. */
  async #offerSettling(run: RunRecord, session: Session): Promise<RunRecord> {
    const logs = this.#getLikelyLogs(run);
    if (run.outcome !== 'unknown' || logs.length === 0) return run;
    const unknown = this.#runner.store.all.filter(
      ({ outcome, phase, connection, identity, origin }) =>
        outcome === 'unknown' &&
        phase === 'ended' &&
        connection === run.connection &&
        identity === run.identity &&
        origin === run.origin,
    );
    const onlyLogs = findOnlyLogs(
      unknown.map((one, row) => ({
        row,
        state: 'unknown',
        possibleLogs: this.#getLikelyLogs(one).map(({ id }) => id),
      })),
    );
    const together = {
      label: l10n.t('Settle {0} Runs by Their Only Logs', onlyLogs.size),
      description: '',
      id: undefined,
    };
    const choices = logs.map(({ id, status, when, signer }) => createLogChoice(id, [status, when, signer]));
    const chosen = await this.#services.ui.pick([...(onlyLogs.size > 1 ? [together] : []), ...choices], {
      title: l10n.t('Settle {0} by Its Action Log', run.name),
    });
    if (chosen === undefined) return run;
    if (chosen.id !== undefined) return this.#runner.lookUp(run, session, chosen.id);
    for (const [row, log] of onlyLogs) {
      const one = unknown[row];
      if (one !== undefined) await this.#runner.lookUp(one, session, log);
    }
    return this.#runner.store.get(run.id) ?? run;
  }

  /** The logs whose parameters are those of a run, and which belong to no other run by now. */
  #getLikelyLogs(run: RunRecord): readonly PossibleLog[] {
    const logsOfOthers = this.#runner.store.getKnownLogs(run);
    return run.possible.filter(({ id, sameParams }) => sameParams && !logsOfOthers.has(id));
  }

  /** Runs the text of a run again. Resolves like `execute`; rejects with Error for what blocks sending. */
  async rerun(run: RunRecord): Promise<readonly RunRecord[]> {
    const session = this.#requireIdentity(run);
    if (!(await this.#confirmOrigin(run, session))) return [];
    const uri = run.file === undefined ? undefined : vscode.Uri.parse(run.file);
    const text = await this.#chooseText(run, uri);
    if (text === undefined) return [];
    const source = { name: run.name, text, ...(uri !== undefined && { uri }) };
    return this.#runner.execute([source], { session, onRun: this.#options.onRun });
  }

  /** The session that a run was sent with, or the one that replaced it. */
  #requireIdentity({ connection, identity = DEFAULT_IDENTITY }: RunRecord): Session {
    return requireIdentity(this.#services.sessions, connection, identity);
  }

  /** Asks if the connection now leads to another server than the run was sent to. */
  async #confirmOrigin({ name, origin }: RunRecord, { profile, heading }: Session): Promise<boolean> {
    const now = new URL(profile.baseUrl).origin;
    if (now === origin) return true;
    return this.#services.ui.confirm({
      message: l10n.t('{0} now points to another server.', heading),
      detail: l10n.t('{0} was run on {1}. Run Again sends it to {2}.', name, formatLine(origin), now),
      confirmLabel: l10n.t('Run Anyway'),
    });
  }

  /** The text to run again: if the file has changed since, the user chooses. `undefined`: cancelled. */
  async #chooseText(run: RunRecord, uri: vscode.Uri | undefined): Promise<string | undefined> {
    // A step of a suite has its own text.
    if (uri === undefined || getActionName(uri.path) !== run.name) return run.source;
    const document = await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined);
    const now = document?.getText();
    if (now === undefined || now === run.source) return run.source;
    const choices = [
      { label: l10n.t('Current file'), text: now },
      { label: l10n.t('Previously sent text'), text: run.source },
    ];
    const placeHolder = l10n.t('The file has changed since that run. Select what to run.');
    return (await this.#services.ui.pick(choices, { title: l10n.t('Run {0} Again', run.name), placeHolder }))?.text;
  }
}
