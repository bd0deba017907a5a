import { execFile, type ExecFileException } from 'node:child_process';
import canonicalize from 'canonicalize';
import { parseJson } from '../../platform/json/parse-json.ts';
import { redactText } from './redact-variables.ts';
import { MessageError, stored, type Message } from '../../platform/text/message.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatLine } from '../../model/runs/run-record.ts';

/** The signer gave no signature; nothing is sent. */
export class SignerError extends MessageError {
  override readonly name = 'SignerError';
}

/** Bytes that a signer may print to standard output, and to standard error, where some print a log. */
const MAX_OUTPUT = 1024 * 1024;

/** Canonical JSON (RFC 8785) of an action. Throws SignerError for numbers that it would change. */
export function canonicalAction(actionText: string): string {
  const parsed = parseJson(actionText);
  if (hasRawNumber(parsed))
    throw new SignerError(
      stored('The action contains a number that canonical JSON (RFC 8785) can’t represent exactly'),
    );
  try {
    const text = canonicalize(JSON.parse(actionText) as unknown);
    if (typeof text === 'string') return text;
  } catch (error) {
    throw new SignerError(stored('The action has no canonical form: {0}', getErrorMessage(error)));
  }
  throw new SignerError(stored('The action has no canonical form'));
}

function hasRawNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return JSON.isRawJSON(value) || Object.values(value).some(hasRawNumber);
}

interface SignerOptions {
  /** program and arguments */
  readonly command: readonly string[];
  /** milliseconds */
  readonly timeout: number;
  /** values to redact in error messages */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal;
}

/** The environment without our variables, which contain credentials and values of `${secret:…}`. */
function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^SMART_OBJECTS_/i.test(name)));
}

/**
 * Runs the user's program with the canonical action as input, without a shell. Resolves with the signature, the one
 * line that it prints. Rejects with SignerError.
 */
export async function sign(actionText: string, { command, timeout, secrets, signal }: SignerOptions): Promise<string> {
  const [program, ...args] = command;
  if (program === undefined || program === '')
    throw new SignerError(stored('The signer command does not specify a program'));
  const input = canonicalAction(actionText);
  const name = formatLine(program, 100);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const settle = (error: ExecFileException | null, output: string, errorOutput: string): void => {
    const signature = output.replace(/\r?\n$/, '');
    const problem = error === null ? checkSignature(name, signature) : describeFailure(name, error, timeout);
    if (problem === undefined) {
      resolve(signature);
      return;
    }
    const details = formatLine(redactText(errorOutput, secrets), 500);
    reject(new SignerError(details === '' ? problem : stored('{0}: {1}', problem, details)));
  };
  const options = { timeout, signal, maxBuffer: MAX_OUTPUT, killSignal: 'SIGKILL', env: childEnvironment() } as const;
  try {
    const child = execFile(program, args, { ...options, windowsHide: true }, (...result) => {
      // The signal only asks it to end.
      child.kill('SIGKILL');
      settle(...result);
    });
    // A program need not read its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input, 'utf8');
  } catch {
    // Thrown at once for a script (.cmd, .bat) on Windows, or an invalid name.
    throw new SignerError(
      stored(
        'The signer {0} could not be started. It must be an executable such as node, with a script as its argument',
        name,
      ),
    );
  }
  return promise;
}

/** Why a program gave no output that can be used. */
function describeFailure(
  name: string,
  { name: kind, code, killed, signal }: ExecFileException,
  timeout: number,
): Message {
  if (kind === 'AbortError') return stored('The signer {0} was canceled', name);
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return stored('The signer {0} printed more than {1} KB', name, MAX_OUTPUT / 1024);
  if (killed === true) return stored('The signer {0} returned no signature within {1} s', name, timeout / 1000);
  if (code === 'ENOENT') return stored('The signer {0} was not found', name);
  if (typeof code === 'string') return stored('The signer {0} could not be started ({1})', name, code);
  return typeof code === 'number'
    ? stored('The signer {0} exited with code {1}', name, String(code))
    : stored('The signer {0} was terminated by {1}', name, String(signal));
}

/** The problem of what a program printed; `undefined` if it can be a signature. */
function checkSignature(name: string, text: string): Message | undefined {
  if (text.trim() === '') return stored('The signer {0} printed no signature', name);
  if (!/^[\x21-\x7e]+$/.test(text))
    return stored('The signer {0} must print the signature as one line of ASCII characters without spaces', name);
  return undefined;
}
