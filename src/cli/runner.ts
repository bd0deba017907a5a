/** Runs action files outside the editor: the same parser, rules and following, with values from the command line. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { checkFile } from '../actions/check.ts';
import { mismatchesOf } from '../actions/expect.ts';
import { actionTextOf, isSigned, parseActionFile, signedBodyOf } from '../actions/file.ts';
import { usualLimits } from '../actions/follow.ts';
import { readInside } from '../actions/inside.ts';
import { hidingText } from '../actions/hiding.ts';
import { effectOf, targetsOf } from '../actions/kinds.ts';
import { casesOf, lineAndColumn, type Case } from '../actions/plan.ts';
import { realTime, runPlatform } from '../actions/platform.ts';
import { durationText, lineOf, resultOf, stateText, type RunRecord } from '../actions/record.ts';
import { performRun } from '../actions/run.ts';
import { sign } from '../actions/signer.ts';
import { distinctVariables, substitute, valueOfRun } from '../actions/variables.ts';
import { PlatformClient } from '../platform/client.ts';
import { defaultQueryWords } from '../platform/target.ts';
import { createTransport } from '../platform/undici.ts';
import type { Result } from './junit.ts';
import { UsageError, type CliOptions } from './options.ts';

export interface CliParts {
  readonly options: CliOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** one line for a person */
  readonly print: (line: string) => void;
}

/** Results in order. Throws UsageError before anything is sent where files or values make no sense. */
export async function runFiles(parts: CliParts): Promise<readonly Result[]> {
  const { options, cwd, print, signal } = parts;
  const cases = await collect(options.files, cwd);
  for (const one of cases) demandSendable(one);
  const secrets: string[] = [];
  const client = makeClient(parts, secrets);
  try {
    const results: Result[] = [];
    const runs = new Map<string, unknown>();
    let broken: string | undefined;
    for (const one of cases) {
      const shown = path.relative(cwd, one.path);
      if (broken !== undefined || signal.aborted) {
        const why = signal.aborted ? 'cancelled' : `not sent, since ${broken ?? ''} failed`;
        results.push({ name: one.name, path: shown, took: 0, failures: [], skipped: why });
        print(`skip  ${one.name}: ${why}`);
        continue;
      }
      const run = await runCase(one, parts, client.client, runs, secrets);
      // A failed run takes an older one's place too: nothing old passes for new.
      if (run.sentAt !== undefined) runs.set(one.name, resultOf(run));
      const failures = (await mismatchesOf(run, one.expect)).map(
        ({ path: at, expected, actual }) => `${at}: expected ${lineOf(expected, 300)}, got ${lineOf(actual, 600)}`,
      );
      const took = (run.ended ?? run.started) - run.started;
      results.push({ name: one.name, path: shown, took, failures: failures.map((line) => hidingText(line, secrets)) });
      print(`${failures.length === 0 ? 'ok   ' : 'FAIL '} ${one.name}: ${stateText(run)} (${durationText(took)})`);
      const proof = proofOf(run);
      if (proof !== '') print(`      ${proof}`);
      const { line, column } = lineAndColumn(one.blame.text, one.blame.offset);
      for (const failure of failures)
        print(
          hidingText(
            `${path.relative(cwd, one.blame.path)}:${String(line)}:${String(column)}: error: ${failure}`,
            secrets,
          ),
        );
      for (const possible of run.possible)
        print(`      possibly its log: ${lineOf(possible.id)} signed by ${lineOf(possible.signer ?? 'nobody named')}`);
      if (failures.length > 0 && !options.keepGoing) broken = one.name;
    }
    return results;
  } finally {
    await client.close();
  }
}

async function collect(files: readonly string[], cwd: string): Promise<readonly Case[]> {
  const read = async (file: string): Promise<string | undefined> => fs.readFile(file, 'utf8').catch(() => undefined);
  const found: Case[] = [];
  try {
    for (const given of files) {
      const file = path.resolve(cwd, given);
      const stat = await fs.stat(file).catch(() => undefined);
      if (stat === undefined) throw new Error(`${given}: there is no such file`);
      for (const one of stat.isDirectory() ? await filesIn(file) : [file])
        found.push(...(await casesOf(one, read, (from, relative) => path.resolve(path.dirname(from), relative))));
    }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'files cannot be read');
  }
  if (found.length === 0) throw new UsageError('these folders hold no action files');
  return found;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.actions?\.jsonc?$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${path.sep}node_modules${path.sep}`))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

function demandSendable({ name, text }: Case): void {
  const [problem] = parseActionFile(text).problems;
  if (problem === undefined) return;
  throw new UsageError(`${name}, line ${String(lineAndColumn(text, problem.offset).line)}: ${problem.message}`);
}

function makeClient({ options, environment, print }: CliParts, secrets: string[]) {
  const apiKey = environment['SMART_OBJECTS_API_KEY'];
  const accessToken = environment['SMART_OBJECTS_ACCESS_TOKEN'];
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

async function runCase(
  one: Case,
  parts: CliParts,
  client: PlatformClient,
  runs: ReadonlyMap<string, unknown>,
  secrets: string[],
): Promise<RunRecord> {
  const { options, print, signal } = parts;
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
  for (const { severity, message, offset } of checkFile(file)) {
    if (severity !== 'warning') continue;
    const { line, column } = lineAndColumn(one.text, offset);
    // A step of a suite has its own text: its lines are not the file's.
    const own = one.path === one.blame.path && one.text !== one.blame.text;
    const place = `${path.relative(parts.cwd, one.path)}:${String(line)}:${String(column)}`;
    print(`${own ? one.name : place}: warning: ${message}`);
  }
  let body: string;
  try {
    body = await compose(one, parts, runs, secrets);
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
      limits: {
        ...usualLimits,
        indexing: options.follow,
        log: options.follow,
        batch: options.batch ? options.follow : 0,
      },
      report: (run) => {
        const state = stateText(run);
        if (run.phase !== 'ended' && state !== before) print(`      ${state}`);
        before = state;
      },
    },
  );
}

async function compose(
  one: Case,
  { options, environment, cwd, signal }: CliParts,
  runs: ReadonlyMap<string, unknown>,
  secrets: string[],
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
        values.set(text, await readInside(cwd, one.path, name, 1024 * 1024));
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

/** What to look it up by. */
function proofOf({ actionId, affected, transaction }: RunRecord): string {
  const ids = affected.map(({ id }) => id);
  const more = ids.length > 5 ? ` and ${String(ids.length - 5)} more` : '';
  return [
    actionId === undefined ? '' : `action ${lineOf(actionId)}`,
    ids.length === 0 ? '' : `objects ${lineOf(ids.slice(0, 5).join(', '))}${more}`,
    transaction === undefined ? '' : `transaction ${lineOf(transaction)}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
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
