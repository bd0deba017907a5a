/** The tools as the editor runs them. An action is sent only after its confirmation was prepared with its effect. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ActionHooks } from '../actions/register.ts';
import { formatMarkdownPreview } from '../actions/preview/format-preview.ts';
import { getSignerCommand } from '../actions/run/confirm/confirm-runs.ts';
import type { Services } from '../commands/context.ts';
import type { Session } from '../model/session.ts';
import { previewCall } from './preview-tool.ts';
import { defineRunTool, readRunCall, RUN_TOOL } from './run-tool.ts';
import { runTool, ToolInputError, type Tool, type ToolContext } from './tool.ts';
import { tools } from './tools.ts';

/** Confirmations that are remembered until their call comes; a declined one never gets a call. */
const MAX_CONFIRMATIONS = 20;

/** A confirmation that was prepared for a call. */
interface Confirmation {
  /** the input as JSON */
  readonly key: string;
  /** the session that the confirmation named */
  readonly session: Session;
}

/** Prepares and runs calls of tools. */
export class EditorTools {
  readonly #services: Services;
  readonly #context: ToolContext;
  readonly #runTool: Tool;
  #confirmations: readonly Confirmation[] = [];

  constructor(services: Services, actions: ActionHooks) {
    const { sessions } = services;
    this.#services = services;
    this.#context = {
      sessions: () => sessions.all,
      active: () => sessions.active,
      secrets: () => services.knownSecrets(),
      getSigner: getSignerCommand,
    };
    this.#runTool = defineRunTool(async ({ prepared, session }, _context, signal) => {
      const own = sessions.get(session.profile.name);
      if (own === undefined) throw new ToolInputError('Nothing was sent. The connection was removed.');
      const run = await actions.runRequest(prepared.source, own, signal);
      if (run === undefined)
        throw new ToolInputError('Nothing was sent. The user declined, or ran the same a moment ago.');
      return run;
    });
  }

  /**
   * The confirmation of a call that sends an action, with its effect; `undefined` for a tool that only reads. Rejects with
   * ToolInputError for a call that is refused.
   */
  async prepare(name: string, input: object, signal: AbortSignal): Promise<vscode.PreparedToolInvocation | undefined> {
    if (name !== RUN_TOOL) return undefined;
    requireExecutePermission();
    const call = readRunCall(input, this.#context);
    const session = this.#services.sessions.get(call.session.profile.name);
    if (session === undefined) throw new ToolInputError('Nothing was sent. The connection was removed.');
    const { curl: _curl, ...preview } = await previewCall(call.prepared, session, this.#context, signal);
    this.#confirmations = [...this.#confirmations, { key: JSON.stringify(input), session }].slice(-MAX_CONFIRMATIONS);
    return {
      invocationMessage: l10n.t('Running an action on {0}', session.profile.name),
      confirmationMessages: {
        title: l10n.t('{0}: {1}? This can’t be undone.', session.heading, preview.effect),
        message: new vscode.MarkdownString(formatMarkdownPreview(preview)),
      },
    };
  }

  /** Runs a call. Resolves with the text for the model. Rejects where the call was cancelled or failed unexpectedly. */
  async invoke(name: string, input: object, signal: AbortSignal): Promise<string> {
    const tool = [...tools, this.#runTool].find((candidate) => candidate.name === name);
    if (tool === undefined) throw new ToolInputError(`There is no tool ${name}`);
    const session = tool === this.#runTool ? this.#takeConfirmation(input) : undefined;
    // The active connection may have changed since.
    const context = session === undefined ? this.#context : { ...this.#context, active: () => session };
    return (await runTool(tool, input, context, signal)).text;
  }

  /** Each confirmation counts for one call. Throws ToolInputError where there is none, or where it is out of date. */
  #takeConfirmation(input: object): Session {
    requireExecutePermission();
    const key = JSON.stringify(input);
    const found = this.#confirmations.find((confirmation) => confirmation.key === key);
    if (found === undefined) throw new ToolInputError('Nothing was sent. This call was not confirmed.');
    this.#confirmations = this.#confirmations.filter((confirmation) => confirmation !== found);
    if (found.session.ended.aborted || this.#services.sessions.get(found.session.profile.name) !== found.session)
      throw new ToolInputError('Nothing was sent. The connection changed since the confirmation.');
    return found.session;
  }
}

/** Throws ToolInputError unless the user lets agents run actions. */
function requireExecutePermission(): void {
  const isAllowed: unknown = vscode.workspace.getConfiguration('smartObjects').get('agents.allowExecute');
  if (isAllowed !== true)
    throw new ToolInputError(
      'Nothing was sent. Running actions is off: the user can turn on the setting smartObjects.agents.allowExecute.',
    );
}
