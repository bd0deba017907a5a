import { spawn } from 'node:child_process';
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

/** Bytes that a signer may print. */
const MAX_OUTPUT = 64 * 1024;

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
  readonly cwd?: string;
}

/** The environment without our variables, which contain credentials and values of `${secret:…}`. */
function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^SMART_OBJECTS_/i.test(name)));
}

function startProgram(program: string, args: readonly string[], cwd: string | undefined) {
  try {
    return spawn(program, args, {
      shell: false,
      windowsHide: true,
      env: childEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
    });
  } catch {
    // Thrown at once for a script (.cmd, .bat) on Windows, or an invalid name.
    throw new SignerError(
      stored(
        'The signer {0} could not be started. It must be an executable such as node, with a script as its argument',
        formatLine(program, 100),
      ),
    );
  }
}

/**
 * Runs the user's program with the canonical action as input, without a shell. Resolves with the signature, the one
 * line that it prints. Rejects with SignerError.
 */
export async function sign(actionText: string, options: SignerOptions): Promise<string> {
  const [program, ...args] = options.command;
  if (program === undefined || program === '')
    throw new SignerError(stored('The signer command does not specify a program'));
  const input = canonicalAction(actionText);
  const name = formatLine(program, 100);
  return new Promise<string>((resolve, reject) => {
    const child = startProgram(program, args, options.cwd);
    const out: Buffer[] = [];
    let size = 0;
    let errors = '';
    let done = false;
    const finish = (act: () => void): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', cancelled);
      child.stdout.destroy();
      child.stderr.destroy();
      child.stdin.destroy();
      if (child.exitCode === null) child.kill('SIGKILL');
      act();
    };
    const fail = (message: Message): void => {
      const errorOutput = formatLine(redactText(errors, options.secrets), 500);
      finish(() => reject(new SignerError(errorOutput === '' ? message : stored('{0}: {1}', message, errorOutput))));
    };
    const cancelled = (): void => fail(stored('The signer {0} was canceled', name));
    const timer = setTimeout(
      () => fail(stored('The signer {0} returned no signature within {1} s', name, options.timeout / 1000)),
      options.timeout,
    );
    options.signal?.addEventListener('abort', cancelled, { once: true });
    if (options.signal?.aborted === true) cancelled();
    child.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        error.code === 'ENOENT'
          ? stored('The signer {0} was not found', name)
          : stored('The signer {0} could not be started ({1})', name, error.code ?? error.message),
      ),
    );
    // A program need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input, 'utf8');
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT) fail(stored('The signer {0} printed more than {1} KB', name, MAX_OUTPUT / 1024));
      else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < 4096) errors += chunk.toString('utf8');
    });
    child.once('close', (code, signalName) => {
      if (code !== 0) {
        fail(
          code === null
            ? stored('The signer {0} was terminated by {1}', name, String(signalName))
            : stored('The signer {0} exited with code {1}', name, String(code)),
        );
        return;
      }
      const bytes = Buffer.concat(out);
      const text = bytes.toString('utf8').replace(/\r?\n$/, '');
      if (text.trim() === '') fail(stored('The signer {0} printed no signature', name));
      else if (!/^[\x21-\x7e]+$/.test(text))
        fail(stored('The signer {0} must print the signature as one line of ASCII characters without spaces', name));
      else finish(() => resolve(text));
    });
  });
}
