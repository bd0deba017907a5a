import { parseArgs } from 'node:util';
import { isLoopback } from '../platform/http/proxy.ts';
import { defaultCredentialHeaderNames, type CredentialHeaderNames } from '../platform/http/credential-headers.ts';
import type { TestResult } from './junit.ts';

export const USAGE = `Usage: smart-object-actions FILES… --base-url URL [options]

FILES are action files (NAME.action.json, with an optional NAME.expect.json beside), suites (NAME.actions.json) or
folders. They run in order; each is sent once, and followed to its completed or failed action log.

  --base-url URL           base URL of the API (or SMART_OBJECTS_BASE_URL)
  --name NAME              what this platform is called; default: the URL's host
  --environment ENV        sandbox, development, staging or production
  --allow-production NAME  needed for production, and for any other machine whose environment is not given;
                           NAME is the platform's name as above
  --allow-plain-http       lets http reach another machine; everyone in between can read the credential
  --input NAME=VALUE       value of \${input:NAME}; may be repeated
  --allow-env NAME         lets \${env:NAME} be read; may be repeated
  --api-key-header NAME    default x-api-key
  --token-header NAME      default Authorization
  --token-prefix TEXT      default "Bearer "
  --timeout SECONDS        for each answer; default 60
  --follow SECONDS         longest wait for an action log and for a batch; default 300
  --no-batch               do not wait for batches
  --keep-going             go on after a failure
  --junit FILE             write a JUnit report, also where nothing could be sent
  --help

The credential comes from SMART_OBJECTS_API_KEY and/or SMART_OBJECTS_ACCESS_TOKEN, \${secret:NAME} from
SMART_OBJECTS_SECRET_NAME, a signer from SMART_OBJECTS_SIGNER (a JSON array: program and arguments), which inherits no SMART_OBJECTS_ variable.
Exit code: 0 all as expected, 1 something was not, 2 the command line or a file makes no sense and nothing was sent.
Ctrl-C sends nothing more; a second one, or SIGTERM, also stops waiting for the answer. Both end with 1 and the report.

Example: SMART_OBJECTS_API_KEY=… npm run actions -- mint.action.json --base-url http://127.0.0.1:PORT
`;

export interface CliOptions {
  readonly files: readonly string[];
  readonly baseUrl: URL;
  readonly name: string;
  readonly inputs: ReadonlyMap<string, string>;
  readonly allowedEnvironment: ReadonlySet<string>;
  readonly credentialHeaderNames: CredentialHeaderNames;
  /** milliseconds */
  readonly timeout: number;
  readonly follow: number;
  readonly batch: boolean;
  readonly keepGoing: boolean;
}

/** A reason why nothing was sent. */
export interface UsageProblem {
  /** `path:line:column`, for a problem of a file */
  readonly location?: string;
  readonly path?: string;
  /** a sentence */
  readonly message: string;
}

/** A wrong command line or file, or a missing permission; nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly problems: readonly UsageProblem[];
  readonly isAboutReport: boolean;

  constructor(problems: string | readonly UsageProblem[], { isAboutReport = false } = {}) {
    const list = typeof problems === 'string' ? [{ message: problems }] : problems;
    super(list[0]?.message ?? 'The command line makes no sense');
    this.problems = list;
    this.isAboutReport = isAboutReport;
  }

  /** The problems as results of a report. */
  get results(): readonly TestResult[] {
    return this.problems.map(({ location, path = 'command line', message }) => ({
      name: location ?? 'command line',
      path,
      duration: 0,
      failures: [],
      error: message,
    }));
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the command line; `undefined` for `--help`. Throws UsageError. */
export function readOptions(args: readonly string[], environment: Environment): CliOptions | undefined {
  const { values, positionals } = parse(args);
  if (values.help === true) return undefined;
  const baseUrlText = values['base-url'] ?? environment['SMART_OBJECTS_BASE_URL'];
  if (baseUrlText === undefined) throw new UsageError('--base-url is missing: give the base URL of the API');
  if (positionals.length === 0) throw new UsageError('No files are given: name action files, suites or folders');
  const baseUrl = URL.canParse(baseUrlText) ? new URL(baseUrlText) : undefined;
  if (baseUrl === undefined || !/^https?:$/.test(baseUrl.protocol))
    throw new UsageError('--base-url is no http(s) URL');
  if (baseUrl.username !== '' || baseUrl.password !== '') throw new UsageError('--base-url must not hold a credential');
  if (baseUrl.protocol === 'http:' && !isLoopback(baseUrl.hostname) && values['allow-plain-http'] !== true)
    throw new UsageError(
      `--base-url sends to ${baseUrl.host} over plain http, where everyone in between can read the credential: use https, or give --allow-plain-http`,
    );
  const name = values.name ?? baseUrl.host;
  requireProductionPermission(values.environment, baseUrl, name, values['allow-production']);
  return {
    files: positionals,
    baseUrl,
    name,
    inputs: new Map((values.input ?? []).map(parseInput)),
    allowedEnvironment: new Set(values['allow-env'] ?? []),
    credentialHeaderNames: {
      apiKeyHeader: values['api-key-header'] ?? defaultCredentialHeaderNames.apiKeyHeader,
      tokenHeader: values['token-header'] ?? defaultCredentialHeaderNames.tokenHeader,
      tokenPrefix: values['token-prefix'] ?? defaultCredentialHeaderNames.tokenPrefix,
    },
    timeout: parseSeconds('--timeout', values.timeout ?? '60'),
    follow: parseSeconds('--follow', values.follow ?? '300'),
    batch: values['no-batch'] !== true,
    keepGoing: values['keep-going'] === true,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'base-url': { type: 'string' },
        name: { type: 'string' },
        environment: { type: 'string' },
        'allow-production': { type: 'string' },
        'allow-plain-http': { type: 'boolean' },
        input: { type: 'string', multiple: true },
        'allow-env': { type: 'string', multiple: true },
        'api-key-header': { type: 'string' },
        'token-header': { type: 'string' },
        'token-prefix': { type: 'string' },
        timeout: { type: 'string' },
        follow: { type: 'string' },
        'no-batch': { type: 'boolean' },
        'keep-going': { type: 'boolean' },
        junit: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    // Without the advice on positional arguments that Node adds.
    const [first = 'The command line is not understood'] = error instanceof Error ? error.message.split(/\. /) : [];
    throw new UsageError(first);
  }
}

/** The path of `--junit`, also if the rest of the command line is wrong. */
export function getJunitPath(args: readonly string[]): string | undefined {
  const { values } = parseArgs({ args: [...args], strict: false, options: { junit: { type: 'string' } } });
  return typeof values.junit === 'string' && values.junit !== '' ? values.junit : undefined;
}

/**
 * The confirm stage of the command line: production, and an unknown environment of another machine, must be named.
 * Throws UsageError.
 */
function requireProductionPermission(
  environment: string | undefined,
  baseUrl: URL,
  name: string,
  allowed: string | undefined,
): void {
  if (environment !== undefined && !['sandbox', 'development', 'staging', 'production'].includes(environment))
    throw new UsageError('--environment is sandbox, development, staging or production');
  const guarded = environment === 'production' || (environment === undefined && !isLoopback(baseUrl.hostname));
  if (!guarded || allowed === name) return;
  const what = environment === 'production' ? `${name} is production` : `the environment of ${name} is not given`;
  throw new UsageError(
    allowed === undefined
      ? `${what}: nothing is sent without --allow-production ${name}`
      : `${what}: --allow-production names ${allowed}, not ${name}`,
  );
}

function parseInput(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--input is NAME=VALUE');
  return [text.slice(0, at), text.slice(at + 1)];
}

function parseSeconds(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0 || value > 86_400) throw new UsageError(`${option} is a number of seconds`);
  return value * 1000;
}
