/** The tools as the editor runs them. An action is sent only after its confirmation was prepared with its effect. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ActionHooks } from '../actions/register.ts';
import { formatEffectSummary } from '../actions/file/action-kinds.ts';
import { formatPreviewLines } from '../actions/preview/format-preview.ts';
import { confirmRuns, getSignerCommand } from '../actions/run/confirm/confirm-runs.ts';
import { isSignedOut } from '../actions/run/confirm/ensure-signed-in.ts';
import type { Validation } from '../actions/bulk/validate-batch.ts';
import type { PreparedRun } from '../actions/run/prepare.ts';
import type { Services } from '../commands/context.ts';
import { readLabelledRuns } from '../logs/history/runs.ts';
import { FailureInbox } from '../logs/inbox.ts';
import type { Session } from '../model/session/session.ts';
import { pluralize } from '../platform/text/localization.ts';
import { Confirmations } from './confirmations.ts';
import { previewCall } from './preview-tool.ts';
import { BATCH_TOOL, checkBatchCall, defineBatchTool, readBatchCall, type BatchCall } from './batch-tools.ts';
import { defineRunTool, readRunCall, RepeatGuard, RUN_TOOL } from './run-tool.ts';
import { runTool, ToolInputError, type ToolContext, type ToolSession } from './tool.ts';
import { tools } from './tools.ts';

/** Findings that a confirmation shows. */
const MAX_WARNINGS = 5;

/** Prepares and runs calls of tools. */
export class EditorTools {
  readonly #services: Services;
  readonly #context: ToolContext;
  readonly #actions: Pick<ActionHooks, 'runRequest'>;
  readonly #confirmations = new Confirmations<Session>();
  readonly #repeats = new RepeatGuard();

  constructor(services: Services, actions: Pick<ActionHooks, 'runRequest'>) {
    const { sessions } = services;
    const inbox = new FailureInbox(services.context.globalState);
    this.#services = services;
    this.#actions = actions;
    this.#context = {
      sessions: () => sessions.all,
      active: () => sessions.active,
      secrets: () => services.knownSecrets(),
      getSigner: getSignerCommand,
      failures: async () => ({ runs: await readLabelledRuns(services.context), inbox }),
      snapshots: (resource) => services.snapshots.list(resource),
    };
  }

  /**
   * The confirmation of a call that sends an action, with its effect; `undefined` for a tool that only reads. Rejects with
   * ToolInputError for a call that is refused.
   */
  async prepare(name: string, input: object, signal: AbortSignal): Promise<vscode.PreparedToolInvocation | undefined> {
    if (name !== RUN_TOOL && name !== BATCH_TOOL) return undefined;
    requireExecutePermission();
    if (name === BATCH_TOOL) return this.#prepareBatch(input, signal);
    const { prepared, session } = this.#readCall(input);
    const preview = await previewCall(prepared, session, this.#context, signal, this.#services.labels);
    this.#confirmations.record(input, session);
    const details = new vscode.MarkdownString();
    // Inside a block of code no data is Markdown.
    details
      .appendCodeblock(formatPreviewLines(preview).join('\n'), 'text')
      .appendCodeblock(preview.body.trimEnd(), 'json');
    const { heading } = session;
    return {
      invocationMessage: removeMarkup(l10n.t('Running an action on {0}', heading)),
      confirmationMessages: {
        title: removeMarkup(l10n.t('{0}: {1}? This can’t be undone.', heading, formatEffectSummary(prepared.file))),
        message: details,
      },
    };
  }

  async #prepareBatch(input: object, signal: AbortSignal): Promise<vscode.PreparedToolInvocation> {
    const call = await readBatchCall(input, this.#context);
    const session = this.#requireSession(call.session);
    const rows = formatBatch(call, call.isResumed ? undefined : await checkBatchCall(call, signal));
    this.#confirmations.record(input, session);
    const { heading } = session;
    const message = new vscode.MarkdownString();
    message.appendCodeblock([...rows.effects, ...rows.warnings].join('\n'), 'text');
    return {
      invocationMessage: removeMarkup(l10n.t('Running an action on {0}', heading)),
      confirmationMessages: {
        title: removeMarkup(l10n.t('{0}: {1}? This can’t be undone.', heading, rows.summary)),
        message: message.appendCodeblock(call.prepared.source.text.trimEnd(), 'json'),
      },
    };
  }

  /** Runs a call. Resolves with the text for the model. Rejects if the call was cancelled or failed unexpectedly. */
  async invoke(name: string, input: object, signal: AbortSignal): Promise<string> {
    if (name === RUN_TOOL || name === BATCH_TOOL) return this.#run(name, input, signal);
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new ToolInputError(`There is no tool ${name}`);
    return (await runTool(tool, input, this.#context, signal)).text;
  }

  /** Sends the action of a call on the session that its confirmation named. */
  async #run(name: string, input: object, signal: AbortSignal): Promise<string> {
    requireExecutePermission();
    const confirmation = this.#confirmations.take(input);
    if (confirmation === undefined) throw new ToolInputError('Nothing was sent. This call was not confirmed.');
    const isCertain = confirmation !== 'several';
    const session = isCertain
      ? confirmation.session
      : name === BATCH_TOOL
        ? this.#requireSession((await readBatchCall(input, this.#context)).session)
        : this.#readCall(input).session;
    if (session.ended.aborted || this.#services.sessions.get(session.profile.name) !== session)
      throw new ToolInputError('Nothing was sent. The connection changed since the confirmation.');
    const request = isCertain
      ? undefined
      : l10n.t('An agent asks for this. The same was shown for another connection or identity, too.');
    const context = { ...this.#context, active: () => session };
    if (name === BATCH_TOOL) {
      const confirm = async (call: BatchCall, checked: Validation | undefined): Promise<void> => {
        const options = { isExplicit: true, ...(request !== undefined && { request }) };
        const rows = formatBatch(call, checked);
        if ((await confirmRuns({ services: this.#services }, [call.prepared], session, options, rows)) === undefined)
          throw new ToolInputError('Nothing was sent. The user declined.');
      };
      return (await runTool(defineBatchTool({ confirm, repeats: this.#repeats }), input, context, signal)).text;
    }
    const tool = defineRunTool(async ({ prepared }) => {
      const run = await this.#actions.runRequest(prepared.source, session, signal, request);
      if (run === undefined)
        throw new ToolInputError('Nothing was sent. The user declined, or ran the same a moment ago.');
      return run;
    });
    return (await runTool(tool, input, context, signal)).text;
  }

  /** Checks a call that sends an action. Throws ToolInputError for one that is refused. */
  #readCall(input: object): { readonly prepared: PreparedRun; readonly session: Session } {
    const call = readRunCall(input, this.#context);
    return { prepared: call.prepared, session: this.#requireSession(call.session) };
  }

  /** Throws ToolInputError. */
  #requireSession({ profile }: ToolSession): Session {
    const session = this.#services.sessions.get(profile.name);
    if (session === undefined) throw new ToolInputError('Nothing was sent. The connection was removed.');
    // Signing in would replace the session that is confirmed.
    if (isSignedOut(session))
      throw new ToolInputError('Nothing was sent. The user has to sign in to this connection first.');
    return session;
  }
}

/** What a confirmation shows of a batch. */
function formatBatch({ data }: BatchCall, checked: Validation | undefined) {
  const rows = pluralize(data.rows.length, l10n.t('{0} row|{0} rows'));
  const effects = checked?.effects.map(({ effect, rowCount }) => `${String(rowCount)} × ${effect}`) ?? [];
  return {
    summary: l10n.t('Run the action for {0}', rows),
    effects: checked === undefined ? [l10n.t('The rest of a batch: {0} in all', rows)] : effects,
    warnings: checked?.findings.slice(0, MAX_WARNINGS).map(({ message }) => `${message}.`) ?? [],
  };
}

/** The text without characters that VS Code would show as Markdown. */
function removeMarkup(text: string): string {
  return text.replace(/[\\`*[\]<>~|$]/g, ' ');
}

/** Throws ToolInputError unless the user lets agents run actions. */
function requireExecutePermission(): void {
  const isAllowed: unknown = vscode.workspace.getConfiguration('smartObjects').get('agents.allowExecute');
  if (isAllowed !== true)
    throw new ToolInputError(
      'Nothing was sent. Running actions is off: the user can turn on the setting smartObjects.agents.allowExecute.',
    );
}
