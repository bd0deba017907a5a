/**
 * Credentials of contexts in the keyring of the system, through its own program: `secret-tool` of libsecret, or `security`
 * of macOS. A secret is never among the arguments of a program, where others could read it.
 */
import { spawn } from 'node:child_process';
import * as z from 'zod/mini';
import type { Credential } from '../../platform/http/credential-headers.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';

type Environment = Readonly<Record<string, string | undefined>>;
/** The context: its credential is stored for the origin, so that an edited file cannot send it elsewhere. */
type Account = Readonly<Record<'name' | 'baseUrl', unknown>>;

const SERVICE = 'smart-objects';
/** Milliseconds: the keyring may ask the user to unlock it. */
const TIMEOUT = 60_000;
const schema = z.strictObject({ apiKey: z.optional(z.string()), accessToken: z.optional(z.string()) });

const isMac = process.platform === 'darwin';

/** Reads the credential of a context; empty if there is none, or no keyring. Never rejects. */
export async function readKeyring(context: Account, environment: Environment): Promise<Credential> {
  const account = formatAccount(context);
  const found = isMac
    ? await run('security', ['find-generic-password', '-s', SERVICE, '-a', account, '-w'], environment)
    : await run('secret-tool', ['lookup', 'service', SERVICE, 'account', account], environment);
  const { apiKey, accessToken } = z.safeParse(schema, tryParseJson(decode(found ?? ''))).data ?? {};
  return { ...(apiKey !== undefined && { apiKey }), ...(accessToken !== undefined && { accessToken }) };
}

/** Stores the credential of a context, or removes it. Resolves with false if there is no keyring, or it refuses. Never rejects. */
export async function storeKeyring(
  context: Account,
  credential: Credential | undefined,
  environment: Environment,
): Promise<boolean> {
  const account = formatAccount(context);
  const names = ['service', SERVICE, 'account', account];
  if (credential === undefined) {
    const [program, args] = isMac
      ? ['security', ['delete-generic-password', '-s', SERVICE, '-a', account]]
      : ['secret-tool', ['clear', ...names]];
    return (await run(program, args, environment)) !== undefined;
  }
  const secret = Buffer.from(JSON.stringify(credential)).toString('base64');
  const stored = isMac
    ? await run('security', ['-i'], environment, `add-generic-password -U -s ${SERVICE} -a ${account} -w ${secret}\n`)
    : await run('secret-tool', ['store', '--label', `Smart Objects ${account}`, ...names], environment, secret);
  // `security -i` ends with 0 whatever its commands result in.
  return stored !== undefined && Object.keys(await readKeyring(context, environment)).length > 0;
}

/** One word without characters that a keyring would interpret. */
function formatAccount({ name, baseUrl }: Account): string {
  const { origin } = new URL(String(baseUrl));
  return `${encodeURIComponent(String(name)).replace(/['"()!*~]/g, '_')}@${origin}`;
}

function decode(text: string): string {
  return Buffer.from(text.trim(), 'base64').toString();
}

/** The output of a program; `undefined` if there is none, or it fails. It gets no variable with a credential. Never rejects. */
function run(
  program: string,
  args: readonly string[],
  environment: Environment,
  input = '',
): Promise<string | undefined> {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^SMART_OBJECTS_/i.test(name)));
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      signal: AbortSignal.timeout(TIMEOUT),
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stdin.on('error', () => undefined).end(input);
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? output : undefined));
  });
}
