/** Runs action files outside the editor: the same parser, rules and following, with values from the command line. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { checkAnswer } from '../actions/answer-check.ts';
import { checkFile } from '../actions/check.ts';
import { mismatchesOf } from '../actions/expect.ts';
import { actionTextOf, isSigned, parseActionFile, signedBodyOf } from '../actions/file.ts';
import { isDecided, isFinalBatch, usualLimits } from '../actions/follow.ts';
import { readInside, readText, resolveInside, stepWords } from '../actions/inside.ts';
import { hidingText } from '../actions/hiding.ts';
import { effectOf, targetsOf } from '../actions/kinds.ts';
import { casesOf, lineAndColumn, placeIn, type Case } from '../actions/plan.ts';
import { realTime, runPlatform } from '../actions/platform.ts';
import { durationText, lineOf, resultOf, stateText, type RunRecord } from '../actions/record.ts';
import { performRun } from '../actions/run.ts';
import { sign } from '../actions/signer.ts';
import { TestFileError } from '../actions/test-file-error.ts';
import { distinctVariables, substitute, valueOfRun } from '../actions/variables.ts';
import { PlatformClient } from '../platform/client.ts';
import { defaultQueryWords } from '../platform/target.ts';
import { createTransport } from '../platform/undici.ts';
import type { Result } from './junit.ts';
import { UsageError, type CliOptions, type UsageProblem } from './options.ts';
import { deniedExecution, type Credentials } from './permission.ts';
import { sentence } from './terminal.ts';

export interface CliParts {
  readonly options: CliOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** sends nothing more, and ends following */
  readonly signal: AbortSignal;
  /** gives up waiting for the answer of a request that was sent */
  readonly stopWaiting: AbortSignal;
  /** one line */
  readonly print: (line: string) => void;
}

/** Bytes of a file that is run. What is larger than an action file can be is refused by the parser, with a sentence. */
const MAX_FILE = 8 * 1024 * 1024;
/** Bytes of a file that a variable sends. */
const MAX_CONTENT = 1024 * 1024;

/** Results in order. Throws UsageError before anything is sent where files make no sense. */
export async function runFiles(given: CliParts): Promise<readonly Result[]> {
  const secrets: string[] = [];
  const parts: CliParts = {
    ...given,
    print: (line) => {
      given.print(hidingText(line, secrets));
    },
  };
  const { options, cwd, print, signal } = parts;
  const cases = await collect(options.files, cwd);
  const client = makeClient(parts, secrets);
  try {
    const denied = await deniedExecution(client.client, credentialsOf(parts), signal);
    if (denied !== undefined) print(`warning: ${sentence(denied)}`);
    const results: Result[] = [];
    const runs = new Map<string, unknown>();
    const knownLogs = new Set<string>();
    let broken: string | undefined;
    for (const one of cases) {
      const shown = path.relative(cwd, one.path);
      if (broken !== undefined || signal.aborted) {
        const why = signal.aborted ? 'cancelled' : `not sent, since ${broken ?? ''} failed`;
        results.push({ name: one.name, path: shown, took: 0, failures: [], skipped: why });
        print(`skip  ${one.name}: ${why}`);
        continue;
      }
      const run = await runCase(one, parts, client.client, { runs, knownLogs, secrets });
      // A failed run takes an older one's place too: nothing old passes for new.
      if (run.sentAt !== undefined) runs.set(one.name, resultOf(run));
      for (const id of [run.logId, run.actionId]) if (id !== undefined) knownLogs.add(id);
      const failures = (await mismatchesOf(run, one.expect)).map(({ path: at, expected, actual }) =>
        hidingText(sentence(`${at}: expected ${lineOf(expected, 300)}, got ${lineOf(actual, 600)}`), secrets),
      );
      const took = (run.ended ?? run.started) - run.started;
      results.push({ name: one.name, path: shown, took, failures, properties: propertiesOf(run, secrets) });
      print(`${failures.length === 0 ? 'ok   ' : 'FAIL '} ${one.name}: ${stateText(run)} (${durationText(took)})`);
      printProof(run, print);
      const { line, column } = lineAndColumn(one.blame.text, one.blame.offset);
      const place = `${path.relative(cwd, one.blame.path)}:${String(line)}:${String(column)}`;
      for (const failure of failures) print(`${place}: error: ${failure}`);
      if (failures.length > 0 && (run.outcome === 'refused' || run.outcome === 'failed'))
        for (const { message, offset } of checkAnswer(parseActionFile(one.text), run.reason ?? '')) {
          const { path: where, ...at } = placeIn(one, offset);
          print(`${path.relative(cwd, where)}:${String(at.line)}:${String(at.column)}: warning: ${sentence(message)}`);
        }
      const next = failures.length === 0 ? undefined : nextStep(run, parts);
      if (next !== undefined) print(`      next step: ${sentence(next)}`);
      if (failures.length > 0 && !options.keepGoing) broken = one.name;
    }
    return results;
  } finally {
    await client.close();
  }
}

/** Every action of the files, in order. Throws UsageError with all that is wrong in them. */
async function collect(files: readonly string[], cwd: string): Promise<readonly Case[]> {
  const found: Case[] = [];
  const problems: UsageProblem[] = [];
  const add = (file: string, message: string, place?: { readonly line: number; readonly column: number }): void => {
    const shown = path.relative(cwd, file);
    const { line, column } = place ?? { line: 1, column: 1 };
    problems.push({ place: `${shown}:${String(line)}:${String(column)}`, path: shown, message });
  };
  for (const given of files) {
    const file = path.resolve(cwd, given);
    const stat = await fs.stat(file).catch(() => undefined);
    if (stat === undefined) problems.push({ path: given, message: `There is no file ${given}` });
    else if (stat.isDirectory() && (await filesIn(file)).length === 0)
      problems.push({ path: given, message: `The folder ${given} holds no action files` });
    else
      for (const one of stat.isDirectory() ? await filesIn(file) : [file])
        try {
          const cases = await casesOf(one, readIfThere, (from, relative) => besideSuite(from, relative, cwd));
          for (const { name, path: at, text, start, blame, expect } of cases) {
            const [problem] = parseActionFile(text).problems;
            const made = { name, path: at, text, ...(start !== undefined && { start }), blame, expect };
            if (problem === undefined) found.push(made);
            else {
              const { path: where, ...place } = placeIn(made, problem.offset);
              add(where, problem.message, place);
            }
          }
        } catch (error) {
          if (error instanceof TestFileError)
            for (const { message, ...place } of error.problems) add(error.path ?? one, message, place);
          else add(one, error instanceof Error ? error.message : 'The file cannot be read');
        }
  }
  if (problems.length > 0) throw new UsageError(problems);
  return found;
}

async function readIfThere(file: string): Promise<string | undefined> {
  const real = await fs.realpath(file).catch(() => undefined);
  return real === undefined ? undefined : readText(real, MAX_FILE, path.basename(file));
}

/** A step's file lies in the working folder, or, for a suite from elsewhere, in the suite's own; links are followed first. */
async function besideSuite(suite: string, relative: string, cwd: string): Promise<string> {
  const inside = path.relative(cwd, suite);
  const isInside = inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
  const folder = isInside ? 'the working folder' : 'the folder of the suite';
  return resolveInside(isInside ? cwd : path.dirname(suite), suite, relative, stepWords(relative, folder));
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.actions?\.jsonc?$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${path.sep}node_modules${path.sep}`))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

function credentialsOf({ environment }: CliParts): Credentials {
  return { apiKey: environment['SMART_OBJECTS_API_KEY'], accessToken: environment['SMART_OBJECTS_ACCESS_TOKEN'] };
}

function makeClient(parts: CliParts, secrets: string[]) {
  const { options, environment, print } = parts;
  const { apiKey, accessToken } = credentialsOf(parts);
  if ((apiKey ?? '') === '' && (accessToken ?? '') === '')
    print('note: neither SMART_OBJECTS_API_KEY nor SMART_OBJECTS_ACCESS_TOKEN is set; sending without a credential');
  for (const secret of [apiKey, accessToken]) if (secret !== undefined && secret !== '') secrets.push(secret);
  const transport = createTransport({ environment });
  const timeouts = { connect: Math.min(options.timeout, 30_000), headers: options.timeout, body: options.timeout };
  const client = new PlatformClient({
    target: {
      name: options.name,
      baseUrl: options.baseUrl.href,
      presentation: options.presentation,
      words: defaultQueryWords,
    },
    transport,
    timeouts,
    credential: () =>
      Promise.resolve({
        ...(apiKey !== undefined && apiKey !== '' && { apiKey }),
        ...(accessToken !== undefined && accessToken !== '' && { accessToken }),
      }),
    secrets: () => secrets,
  });
  return { client, close: () => transport.close() };
}

/** What earlier actions of the same command left behind. */
interface Earlier {
  readonly runs: ReadonlyMap<string, unknown>;
  /** ids of logs and actions that are theirs */
  readonly knownLogs: ReadonlySet<string>;
  readonly secrets: string[];
}

async function runCase(one: Case, parts: CliParts, client: PlatformClient, earlier: Earlier): Promise<RunRecord> {
  const { options, print, signal, stopWaiting } = parts;
  const { secrets, knownLogs } = earlier;
  const file = parseActionFile(one.text);
  const record: RunRecord = {
    id: randomUUID(),
    name: one.name,
    connection: options.name,
    origin: options.baseUrl.origin,
    started: Date.now(),
    phase: 'preparing',
    effect: effectOf(file),
    source: one.text,
    steps: [],
    affected: [],
    possible: [],
  };
  print(`run   ${one.name}: ${record.effect}`);
  for (const { severity, message, offset } of checkFile(file, secrets)) {
    if (severity !== 'warning') continue;
    const { path: where, line, column } = placeIn(one, offset);
    print(`${path.relative(parts.cwd, where)}:${String(line)}:${String(column)}: warning: ${sentence(message)}`);
  }
  let body: string;
  try {
    body = await compose(one, parts, earlier);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    return { ...record, phase: 'ended', ended: Date.now(), outcome: 'notSent', reason };
  }
  let before = '';
  return performRun(
    { record, body, targets: targetsOf(parseActionFile(body, 'request')), secrets },
    {
      platform: runPlatform(client),
      time: realTime,
      signal,
      stopWaiting,
      knownLogs: () => knownLogs,
      limits: {
        ...usualLimits,
        indexing: options.follow,
        log: options.follow,
        batch: options.batch ? options.follow : 0,
      },
      report: (run) => {
        const state = waitText(run, options);
        if (run.phase !== 'ended' && state !== before) print(`      ${state}`);
        before = state;
      },
    },
  );
}

/** What a run waits for, and how long at most. */
function waitText(run: RunRecord, { timeout, follow, batch }: CliOptions): string {
  const most = (milliseconds: number): string => `${String(milliseconds / 1000)} s at most`;
  if (run.phase === 'sending') return `sent, waiting for the answer, ${most(timeout)}`;
  const state = stateText(run);
  // A refused request is looked up for a moment only.
  if (
    run.phase !== 'following' ||
    run.outcome === 'failed' ||
    (run.logStatus === undefined && run.actionId === undefined)
  )
    return state;
  if (run.logStatus === undefined) return `${state}, ${most(follow)}`;
  if (!isDecided(run.logStatus)) return `${state}, waiting for it to be completed or failed, ${most(follow)}`;
  if (!batch || run.logStatus === 'failed' || isFinalBatch(run.batchStatus)) return state;
  if (run.batchId === undefined) return `${state}, ${most(Math.min(follow, usualLimits.noBatch))}`;
  const log = `log ${lineOf(run.logStatus, 30)}, batch ${lineOf(run.batchId)}`;
  const status = run.batchStatus === undefined ? '' : ` ${lineOf(run.batchStatus, 30)}`;
  return `${log}${status}, waiting for it to be completed, ${most(follow)}`;
}

/** What the user can do about a run that went otherwise, without the full stop. */
function nextStep({ outcome, status }: RunRecord, { environment }: CliParts): string | undefined {
  const set = ['SMART_OBJECTS_API_KEY', 'SMART_OBJECTS_ACCESS_TOKEN'].filter(
    (name) => (environment[name] ?? '') !== '',
  );
  if (status === 401)
    return set.length === 0
      ? 'Set SMART_OBJECTS_API_KEY or SMART_OBJECTS_ACCESS_TOKEN'
      : `Check ${set.join(' and ')}: the platform does not accept it, or it has expired`;
  if (status === 403) return 'Use a credential whose role or API key may create ebus.actions';
  if (status === 404 && outcome !== 'completed') return 'Check --base-url: it is where the API begins';
  if (status === 429) return 'Wait as long as the platform asks, and run it again';
  if (outcome === 'unknown') return 'Look at the action logs before you run it again: it may have been executed';
  return undefined;
}

async function compose(
  one: Case,
  { options, environment, cwd, signal, print }: CliParts,
  { runs, secrets }: Earlier,
): Promise<string> {
  const file = parseActionFile(one.text);
  const values = new Map<string, unknown>();
  for (const { kind, name, text } of distinctVariables(file)) {
    switch (kind) {
      case 'input':
        values.set(text, demanded(options.inputs.get(name), `${text}: give --input ${name}=…`));
        break;
      case 'env': {
        if (!options.allowedEnvironment.has(name)) throw new Error(`${text}: give --allow-env ${name} to send it`);
        const value = demanded(environment[name], `${text} is not set`);
        secrets.push(value);
        values.set(text, value);
        break;
      }
      case 'secret': {
        const value = demanded(
          environment[`SMART_OBJECTS_SECRET_${name}`],
          `${text}: set SMART_OBJECTS_SECRET_${name}`,
        );
        secrets.push(value);
        values.set(text, value);
        break;
      }
      case 'file':
        // The real file: a link may have any name.
        print(`      sends the content of ${path.relative(cwd, await resolveInside(cwd, one.path, name))}`);
        values.set(text, await readInside(cwd, one.path, name, MAX_CONTENT));
        break;
      case 'run':
        values.set(text, valueOfRun(name, runs));
        break;
    }
  }
  const filled = parseActionFile(substitute(file, values), 'request');
  const command = environment['SMART_OBJECTS_SIGNER'];
  if (command === undefined || command === '' || isSigned(filled)) return filled.text;
  const signature = await sign(actionTextOf(filled), { command: commandOf(command), timeout: 30_000, secrets, signal });
  return signedBodyOf(filled, signature);
}

/** What to look the run up by. */
function printProof({ actionId, affected, transaction, possible }: RunRecord, print: (line: string) => void): void {
  const ids = affected.map(({ id }) => id);
  const more = ids.length > 5 ? ` and ${String(ids.length - 5)} more` : '';
  const proof = [
    actionId === undefined ? '' : `action ${lineOf(actionId)}`,
    ids.length === 0 ? '' : `objects ${lineOf(ids.slice(0, 5).join(', '))}${more}`,
    transaction === undefined ? '' : `transaction ${lineOf(transaction)}`,
  ].filter((part) => part !== '');
  if (proof.length > 0) print(`      ${proof.join(' · ')}`);
  for (const { id, signer } of possible)
    print(`      possibly its log: ${lineOf(id)} signed by ${lineOf(signer ?? 'nobody named')}`);
}

/** What a report says of a run besides its failures. */
function propertiesOf(run: RunRecord, secrets: readonly string[]): Readonly<Record<string, string>> {
  const { outcome, reason, actionId, logId, batchId, transaction } = run;
  const all = { outcome, reason, action_id: actionId, log_id: logId, batch_id: batchId, transaction };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, hidingText(lineOf(value, 1000), secrets)]],
    ),
  );
}

function demanded(value: string | undefined, why: string): string {
  if (value === undefined) throw new Error(why);
  return value;
}

function commandOf(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')) return value;
  throw new Error('SMART_OBJECTS_SIGNER is a JSON array: program and arguments');
}
