import { MessageError, stored } from '../../platform/text/message.ts';
import { getActionText, getSignedBody, isSigned, parseActionFile, type ActionFile } from '../file/action-file.ts';
import { getTargetIds } from '../file/action-kinds.ts';
import { substitute } from '../file/variables.ts';
import { resolveVariables, type VariableSource } from '../variables/variable-source.ts';

/** Milliseconds. */
const SIGNER_TIMEOUT = 30_000;

export interface ComposeOptions {
  readonly variables: VariableSource;
  /** program and arguments of the signer, if one is configured; called only for a request without a signature */
  readonly getSigner: () => readonly string[] | undefined;
  /** further values to redact, such as the credential */
  readonly secrets?: readonly string[];
}

/** A request that is ready to be sent. */
export interface ComposedRequest {
  /** the text to send, with variables filled in and the signature added */
  readonly body: string;
  /** ids of objects to read before sending */
  readonly targets: readonly string[];
  /** values to redact in everything that is stored or shown */
  readonly secrets: readonly string[];
}

/**
 * The compose stage: fills in the variables, and signs a request that has no signature. Rejects with Error if a variable
 * has no value or `signal` is aborted, with SignerError if there is no signature.
 */
export async function compose(
  file: ActionFile,
  { variables, getSigner, secrets: known = [] }: ComposeOptions,
  signal: AbortSignal,
): Promise<ComposedRequest> {
  const { values, secrets: resolved } = await resolveVariables(file, variables);
  if (signal.aborted) throw new MessageError(stored('Canceled before it was sent'));
  const secrets = [...known, ...resolved];
  const request = parseActionFile(substitute(file, values), 'request');
  const targets = getTargetIds(request);
  const command = isSigned(request) ? undefined : getSigner();
  if (command === undefined) return { body: request.text, targets, secrets };
  const { sign } = await import('./signer.ts');
  const signature = await sign(getActionText(request), { command, timeout: SIGNER_TIMEOUT, secrets, signal });
  return { body: getSignedBody(request, signature), targets, secrets };
}
