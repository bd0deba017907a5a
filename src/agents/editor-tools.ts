/** The tools as the editor runs them. An action is sent only after its confirmation was prepared with its effect. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ActionHooks } from '../actions/register.ts';
import { formatEffectSummary } from '../actions/file/action-kinds.ts';
import { formatPreviewLines } from '../actions/preview/format-preview.ts';
import { getSignerCommand } from '../actions/run/confirm/confirm-runs.ts';
import { isSignedOut } from '../actions/run/confirm/ensure-signed-in.ts';
import type { PreparedRun } from '../actions/run/prepare.ts';
import type { Services } from '../commands/context.ts';
import type { Session } from '../model/session/session.ts';
import { Confirmations } from './confirmations.ts';
import { previewCall } from './preview-tool.ts';
import { defineRunTool, readRunCall, RUN_TOOL } from './run-tool.ts';
import { runTool, ToolInputError, type ToolContext } from './tool.ts';
import { tools } from './tools.ts';

/** Prepares and runs calls of tools. */
export class EditorTools {
  readonly #services: Services;
  readonly #context: ToolContext;
  readonly #actions: Pick<ActionHooks, 'runRequest'>;
  readonly #confirmations = new Confirmations<Session>();

  constructor(services: Services, actions: Pick<ActionHooks, 'runRequest'>) {
    const { sessions } = services;
    this.#services = services;
    this.#actions = actions;
    this.#context = {
      sessions: () => sessions.all,
      active: () => sessions.active,
      secrets: () => services.knownSecrets(),
      getSigner: getSignerCommand,
    };
  }

  /**
   * The confirmation of a call that sends an action, with its effect; `undefined` for a tool that only reads. Rejects with
   * ToolInputError for a call that is refused.
   */
  async prepare(name: string, input: object, signal: AbortSignal): Promise<vscode.PreparedToolInvocation | undefined> {
    if (name !== RUN_TOOL) return undefined;
    requireExecutePermission();
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

  /** Runs a call. Resolves with the text for the model. Rejects if the call was cancelled or failed unexpectedly. */
  async invoke(name: string, input: object, signal: AbortSignal): Promise<string> {
    if (name === RUN_TOOL) return this.#run(input, signal);
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new ToolInputError(`There is no tool ${name}`);
    return (await runTool(tool, input, this.#context, signal)).text;
  }

  /** Sends the action of a call on the session that its confirmation named. */
  async #run(input: object, signal: AbortSignal): Promise<string> {
    requireExecutePermission();
    const confirmation = this.#confirmations.take(input);
    if (confirmation === undefined) throw new ToolInputError('Nothing was sent. This call was not confirmed.');
    const isCertain = confirmation !== 'several';
    const session = isCertain ? confirmation.session : this.#readCall(input).session;
    if (session.ended.aborted || this.#services.sessions.get(session.profile.name) !== session)
      throw new ToolInputError('Nothing was sent. The connection changed since the confirmation.');
    const request = isCertain
      ? undefined
      : l10n.t('An agent asks for this. The same was shown for another connection or identity, too.');
    const tool = defineRunTool(async ({ prepared }) => {
      const run = await this.#actions.runRequest(prepared.source, session, signal, request);
      if (run === undefined)
        throw new ToolInputError('Nothing was sent. The user declined, or ran the same a moment ago.');
      return run;
    });
    const context = { ...this.#context, active: () => session };
    return (await runTool(tool, input, context, signal)).text;
  }

  /** Checks a call that sends an action. Throws ToolInputError for one that is refused. */
  #readCall(input: object): { readonly prepared: PreparedRun; readonly session: Session } {
    const call = readRunCall(input, this.#context);
    const session = this.#services.sessions.get(call.session.profile.name);
    if (session === undefined) throw new ToolInputError('Nothing was sent. The connection was removed.');
    // Signing in would replace the session that is confirmed.
    if (isSignedOut(session))
      throw new ToolInputError('Nothing was sent. The user has to sign in to this connection first.');
    return { prepared: call.prepared, session };
  }
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
