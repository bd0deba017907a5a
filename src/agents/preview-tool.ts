import * as z from 'zod/mini';
import { checkActionFile } from '../actions/file/check-action-file.ts';
import { LiveData } from '../actions/language/live-data.ts';
import { createPreview, toJsonPreview, type Preview } from '../actions/preview/preview.ts';
import { parseSource, type PreparedRun } from '../actions/run/prepare.ts';
import type { Labels } from '../model/text/labels.ts';
import type { VariableSource } from '../actions/variables/variable-source.ts';
import {
  actionText,
  connection,
  defineTool,
  getSession,
  offset,
  ToolInputError,
  type ToolContext,
  type ToolSession,
} from './tool.ts';

/** A model must not choose what is read from this machine. */
export const noVariables: VariableSource = {
  row: refuseVariable,
  input: refuseVariable,
  env: refuseVariable,
  secret: refuseVariable,
  file: refuseVariable,
  run: refuseVariable,
};

function refuseVariable(name: string): Promise<never> {
  return Promise.reject(new Error(`Variables are not filled in here: write the value of ${name}`));
}

/** Parses and checks the action of a call. Throws ToolInputError for one that cannot be sent. */
export function prepareCall(text: string, { secrets }: Pick<ToolContext, 'secrets'>): PreparedRun {
  const prepared = parseSource({ name: 'agent', text });
  if (!('file' in prepared)) throw new ToolInputError(`Nothing was sent. ${prepared.message}.`);
  const problem = checkActionFile(prepared.file, secrets()).find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new ToolInputError(`Nothing was sent. ${problem.message}.`);
  return prepared;
}

/** The preview of a call on a session, with the user's `labels` if it is not for a model. Rejects with Error for what cannot be composed. */
export async function previewCall(
  prepared: PreparedRun,
  session: ToolSession,
  { secrets, getSigner }: Pick<ToolContext, 'secrets' | 'getSigner'>,
  signal: AbortSignal,
  labels?: Pick<Labels, 'get' | 'all'>,
): Promise<Preview> {
  if (session.signedOutReason === undefined) await session.loadPermissions(signal);
  const target = { session, live: new LiveData(session, labels) };
  return createPreview(prepared, { variables: noVariables, getSigner, secrets: secrets(), target }, signal);
}

/** The tool that shows what a request would do. */
export const previewRequest = defineTool({
  name: 'smartObjects_previewRequest',
  input: z.strictObject({ connection, text: actionText, offset }),
  output: z.looseObject({ effect: z.string(), notes: z.array(z.string()), problems: z.array(z.looseObject({})) }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const preview = await previewCall(prepareCall(input.text, context), session, context, signal);
    // A command line is for people.
    const { curl: _curl, ...shown } = preview;
    return { source: session.profile.name, data: toJsonPreview(shown) };
  },
});
