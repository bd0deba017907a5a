/** Helpers for tests of the program: a platform written from the contract, and the program, also as a process. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ProgramRun } from '../../../src/cli/run-program.ts';
import { CHILD_ENVIRONMENT, killOnExit } from '../../runtime/child-process.ts';
import { ROOT, createTemporaryFolder } from '../../runtime/paths.ts';

let program: string | undefined;
const { XDG_DATA_HOME } = process.env;
/** The data of this run instead of the user's. */
const OWN_ENVIRONMENT = { ...CHILD_ENVIRONMENT, XDG_DATA_HOME, XDG_CONFIG_HOME: XDG_DATA_HOME };

/**
 * The main file of the program `smart-objects` in its npm package, which is built once a process of tests: it starts in
 * half the time of the sources.
 */
export function getProgram(): string {
  if (program === undefined) {
    const cwd = createTemporaryFolder('program');
    execFileSync(process.execPath, ['esbuild.mjs', '--program', cwd], { cwd: ROOT });
    const tarballs = fs.readdirSync(cwd);
    assert.match(tarballs.join(), /^smart-objects-\d+\.\d+\.\d+\.tgz$/);
    execFileSync('tar', ['-xzf', tarballs.join()], { cwd });
    program = path.join(cwd, 'package/dist/cli.mjs');
  }
  return program;
}

/** A response: status and JSON body; `undefined`: none. */
type Answer = { readonly status: number; readonly body: unknown } | undefined;

export interface Platform {
  readonly baseUrl: string;
  /** bodies of `POST /ebus/execute`, in order */
  readonly executed: readonly unknown[];
  /** response to the nth execute, counted from 1 */
  onExecute: (count: number, body: unknown) => Answer;
  /** response to `GET /ebus/action-logs` */
  onLogs: (query: URLSearchParams) => Answer;
  /** response to `GET /batches/{batchId}` */
  onBatch: (id: string) => Answer;
  /** response to `GET /objects/{objectId}` */
  onObject: (id: string) => Answer;
  /** resolves when this many executes have arrived */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Accepts executions as `act_1`, `act_2` …, with completed logs and batches, unless a test overrides it. */
export async function startPlatform(): Promise<Platform> {
  const executed: unknown[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = getAnswer(request.method ?? '', url, Buffer.concat(chunks).toString());
      if (answer === undefined) return;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  });
  const getAnswer = (method: string, url: URL, text: string): Answer => {
    const [, kind, id = ''] = url.pathname.split('/');
    if (method === 'POST') {
      const body: unknown = JSON.parse(text);
      executed.push(body);
      for (const { count, resolve } of waiting) if (executed.length >= count) resolve();
      return platform.onExecute(executed.length, body);
    }
    if (kind === 'ebus') return platform.onLogs(url.searchParams);
    if (kind === 'batches') return platform.onBatch(id);
    return platform.onObject(id);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const platform: Platform = {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    executed,
    onExecute: (count) => ({ status: 200, body: { action_id: `act_${String(count)}`, steps: [{ action: 'update' }] } }),
    onLogs: (query) => {
      const id = query.get('action_id') ?? query.get('id');
      return { status: 200, body: { action_logs: id === null ? [] : [createLog(id)] } };
    },
    onBatch: (id) => ({ status: 200, body: createBatch(id) }),
    onObject: (id) => ({ status: 200, body: { id, custom: {} } }),
    arrived: (count) =>
      new Promise((resolve) => {
        if (executed.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  return platform;
}

/** An action log with the contract's required fields. */
export function createLog(id: string, more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const now = new Date().toISOString();
  return {
    id,
    batch_id: 'batch_1',
    action_name: 'update',
    params: [{ id: 'obj_1' }],
    params_hash: '0x1',
    signer: '0xabc',
    signature: '0x2',
    affected_objects: [{ id: 'obj_1', template_id: 'tpl_1', next_state_root: '0x3' }],
    status: 'completed',
    fee: '0.1',
    version: 1,
    state_root: '0x3',
    when_created: now,
    when_modified: now,
    ...more,
  };
}

function createBatch(id: string): Readonly<Record<string, unknown>> {
  return {
    id,
    hash: '0x1',
    sender: '0x2',
    l1_tx_hash: '0xfeed',
    l1_block_num: 1,
    commitment: '0x3',
    affected_actions: [],
    actions_count: 1,
    version: 1,
    status: 'completed',
    when_created: new Date().toISOString(),
  };
}

export interface ProgramResult {
  /** null after a signal */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** both, as they were written */
  readonly out: string;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramResult>;
  /** Resolves once standard output matches; rejects if the program ends before. */
  readonly waitFor: (pattern: RegExp) => Promise<void>;
  /** As `waitFor`, for standard error. */
  readonly waitForError: (pattern: RegExp) => Promise<void>;
}

export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** standard input; default: closed */
  readonly input?: string;
  /** leaves standard input open */
  readonly keepInput?: boolean;
  /** default: `getProgram` */
  readonly main?: string;
}

/** Starts the program `smart-objects` with separate output streams. */
export function startProgram(args: readonly string[], options: ProgramOptions = {}): RunningProgram {
  const { environment, cwd, input, keepInput, main = getProgram() } = options;
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { ...OWN_ENVIRONMENT, ...environment } });
  killOnExit(child);
  const getResult = collectOutput(child.stdout, child.stderr);
  if (keepInput !== true) child.stdin.end(input);
  const ended = new Promise<ProgramResult>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, ...getResult() });
    });
  });
  const createWait =
    (stream: Readable, getText: () => string) =>
    (pattern: RegExp): Promise<void> =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (pattern.test(getText())) resolve();
        };
        stream.on('data', check);
        child.once('close', () => {
          reject(new Error(`ended without ${String(pattern)}: ${getResult().out}`));
        });
        check();
      });
  return {
    child,
    ended,
    waitFor: createWait(child.stdout, () => getResult().stdout),
    waitForError: createWait(child.stderr, () => getResult().stderr),
  };
}

/** Runs the program `smart-objects` to its end, in this process: one of its own takes ten times as long. */
export async function runProgram(
  args: readonly string[],
  { environment, cwd = process.cwd(), input }: Pick<ProgramOptions, 'environment' | 'cwd' | 'input'> = {},
): Promise<ProgramResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const getResult = collectOutput(stdout, stderr);
  const ownProcess = Object.assign(new EventEmitter(), {
    env: { ...OWN_ENVIRONMENT, ...environment },
    stdin: Readable.from(input === undefined ? [] : [input]),
    stdout,
    stderr,
    cwd: () => cwd,
    exit: () => assert.fail('ended by the program'),
  });
  const code = await new ProgramRun(ownProcess).run(args);
  await Promise.all([stdout, stderr].map((stream) => finished(stream.end())));
  return { code, ...getResult() };
}

function collectOutput(stdout: Readable, stderr: Readable): () => Omit<ProgramResult, 'code'> {
  const texts = { stdout: '', stderr: '', out: '' };
  for (const [name, stream] of [
    ['stdout', stdout],
    ['stderr', stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
      texts.out += chunk;
    });
  return () => ({ ...texts });
}
