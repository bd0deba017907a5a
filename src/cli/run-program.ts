/** A run of the program `smart-objects`: reads the command line, runs a command, and decides the exit code. */
import type { EventEmitter } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { CommanderError, type Command } from 'commander';
import { getErrorMessage } from '../model/text/error-message.ts';
import { observeProgress } from '../platform/requests/progress.ts';
import { COMPLETE_COMMAND } from './completion/scripts.ts';
import { readManifest } from './manifest.ts';
import { createOutput, type Output, type OutputStream } from './output/output.ts';
import { formatSentence, sanitizeTerminalLine } from './output/sanitize.ts';
import { createProgram, noChoices } from './program.ts';
import type { reportUsageError } from './run/run-command.ts';
import { UsageError } from './usage-error.ts';

/** Milliseconds to wait for the response of a sent request after SIGTERM. */
const GRACE_PERIOD = 2000;
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof SIGNAL_CODES;
const signals: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What the program uses of its process. */
interface ProgramProcess extends Pick<EventEmitter, 'on'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & OutputStream;
  readonly stderr: Writable & OutputStream;
  cwd(): string;
  exit(code: number): never;
}

/** One run of the program in a process. */
export class ProgramRun {
  readonly #process: ProgramProcess;
  readonly #output: Output;
  /** Aborted when nobody reads standard output. */
  readonly #outputClosed = new AbortController();
  #exitCode = 0;
  /** the exit code of the signal that ended the command */
  #interruptCode: number | undefined;
  readonly #print = (line: string): void => {
    if (!this.#outputClosed.signal.aborted) this.#process.stdout.write(`${sanitizeTerminalLine(line)}\n`);
  };
  readonly #printError = (line: string): void => {
    this.#process.stderr.write(`${sanitizeTerminalLine(line)}\n`);
  };

  constructor(process: ProgramProcess) {
    const { stdout, stderr } = process;
    this.#process = process;
    this.#output = createOutput(stdout, stderr, process.env);
    for (const stream of [stdout, stderr])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EPIPE') {
          if (stream === stdout) this.#outputClosed.abort();
        } else {
          // Nothing can be printed about standard error itself.
          if (stream === stdout)
            this.#printError(`error: The output cannot be written: ${formatSentence(error.message)}`);
          process.exit(1);
        }
      });
    // Node.js would print a part of the bundled source.
    process.on('uncaughtException', (error: unknown) => {
      this.#printError(`error: ${formatSentence(getErrorMessage(error))}`);
      process.exit(1);
    });
  }

  /** Resolves with the exit code. Never rejects. */
  async run(args: readonly string[]): Promise<number> {
    try {
      await this.#run(args);
    } catch (error) {
      this.#exitCode = this.#handleError(error);
    }
    return this.#interruptCode ?? this.#exitCode;
  }

  async #run(args: readonly string[]): Promise<void> {
    // Older versions would lose digits of long numbers. The types only know newer ones.
    if (!('rawJSON' in JSON)) throw new UsageError(`Node.js 22.12 or later is required; this is ${process.version}`);
    const manifest = readManifest(import.meta.url);
    const { env: environment, stdin, stdout } = this.#process;
    const cwd = this.#process.cwd();
    const output = this.#output;
    const input = { environment, cwd, stdin, printError: this.#printError, version: manifest.version };
    let words = args;
    // The overview starts at once: the registry of the kinds is most of the program.
    const isOverview = args.every((word) => /^(?:-h|--help|help|-V|--version)$/.test(word));
    const choices = isOverview ? noChoices : (await import('./choices.ts')).choices;
    const host: Parameters<typeof createProgram>[0] = {
      manifest,
      createContext: () => ({ ...input, output, signal: this.#handleReadSignals() }),
      createRunContext: () => ({ ...input, ...this.#handleRunSignals(), print: this.#print, output }),
      write: (text) => stdout.write(text),
      setExitCode: (code) => {
        this.#exitCode = code;
      },
    };
    const program = createProgram(host, choices);
    if (args[0] === COMPLETE_COMMAND) {
      const { complete } = await import('./completion/complete.ts');
      for (const word of complete(program, args.slice(args[1] === '--' ? 2 : 1))) stdout.write(`${word}\n`);
      return;
    }
    words = moveOptions(program, args, cwd);
    // Help of an unknown command would be that of all.
    const isKnown = program.commands.some((command) => command.name() === words[1]);
    if (words[0] === 'help' && words[1] !== undefined && !isKnown) words = words.slice(1);
    refuseFile(program, words, cwd);
    try {
      if (args.length === 0) program.outputHelp();
      else {
        const printWait = (sentence: string): void => this.#printError(`note: ${formatSentence(sentence)}`);
        await observeProgress(printWait, () => program.parseAsync(words, { from: 'user' }));
      }
    } catch (error) {
      if (!(error instanceof CommanderError || error instanceof UsageError)) throw error;
      const failure = error instanceof CommanderError ? this.#toUsageError(error) : error;
      if (failure === undefined) return;
      if (words[0] === 'run') await writeFailureReport(failure, words, { cwd, print: this.#printError });
      throw failure;
    }
  }

  /** The error of the parser; `undefined` if it printed help or the version. */
  #toUsageError({ code, exitCode: parserCode, message }: CommanderError): UsageError | undefined {
    if (parserCode !== 0 && code !== 'commander.help')
      return new UsageError(message.replace(/^error: ./, (start) => start.slice(-1).toUpperCase()));
    // Help in place of a missing sub-command.
    if (parserCode !== 0) this.#exitCode = 2;
    return undefined;
  }

  /** Prints an error and returns the exit code. */
  #handleError(error: unknown): number {
    if (this.#interruptCode !== undefined) return this.#interruptCode;
    if (this.#outputClosed.signal.aborted) return 0;
    if (!(error instanceof UsageError)) {
      // Not 2, since something may have been sent.
      this.#printError(`error: ${formatSentence(getErrorMessage(error))}`);
      return 1;
    }
    for (const { location, message } of error.problems)
      this.#printError(`${location === undefined ? '' : `${location}: `}error: ${formatSentence(message)}`);
    return 2;
  }

  /** Ends a command that only reads: the first signal cancels it, a second one exits. */
  #handleReadSignals(): AbortSignal {
    const cancel = new AbortController();
    for (const signal of signals)
      this.#process.on(signal, () => {
        if (this.#interruptCode !== undefined) this.#process.exit(this.#interruptCode);
        this.#interruptCode = SIGNAL_CODES[signal];
        cancel.abort();
      });
    return AbortSignal.any([cancel.signal, this.#outputClosed.signal]);
  }

  /**
   * The first Ctrl-C sends nothing more, and waits for the response of what was sent; a second one, or SIGTERM after a
   * moment, stops waiting too. The report is always written.
   */
  #handleRunSignals(): { readonly signal: AbortSignal; readonly stopWaiting: AbortSignal } {
    const cancel = new AbortController();
    const stopWaiting = new AbortController();
    let count = 0;
    const end = (signal: Signal): void => {
      count++;
      // A third Ctrl-C exits without the report.
      if (count > 2) this.#process.exit(130);
      cancel.abort();
      if (count > 1) stopWaiting.abort();
      else if (signal === 'SIGINT')
        this.#printError('Canceled: nothing more is sent. Press Ctrl-C again to stop waiting.');
      else setTimeout(() => stopWaiting.abort(), GRACE_PERIOD).unref();
    };
    for (const signal of signals) this.#process.on(signal, end);
    return { signal: cancel.signal, stopWaiting: stopWaiting.signal };
  }
}

/** Moves options that stand before the command behind it, if they are declared. Throws UsageError without a command. */
function moveOptions(program: Command, args: readonly string[], cwd: string): readonly string[] {
  const options = program.commands.flatMap((command) => [command, ...command.commands]).flatMap((one) => one.options);
  const takesValue = (word: string): boolean => options.some(({ long, required }) => long === word && required);
  let at = 0;
  while (args[at]?.startsWith('-') === true) at += takesValue(args[at] ?? '') ? 2 : 1;
  const leading = args.slice(0, at);
  if (leading.length === 0 || leading.some((word) => /^(?:-h|--help|-V|--version)$/.test(word))) return args;
  const [name, ...rest] = args.slice(at);
  const command = program.commands.find((one) => one.name() === name);
  if (name === undefined || (command === undefined && !fs.existsSync(path.resolve(cwd, name))))
    throw new UsageError(`No command after ${leading[0]?.split('=')[0] ?? ''}: smart-objects --help lists them`);
  const isNested = command?.commands.some((one) => one.name() === rest[0]) === true;
  return isNested ? [name, ...rest.slice(0, 1), ...leading, ...rest.slice(1)] : [name, ...leading, ...rest];
}

/** Throws UsageError for a file or folder in the place of the command: only `run` sends what it contains. */
function refuseFile(program: Command, [first = '']: readonly string[], cwd: string): void {
  const isCommand = program.commands.some((command) => command.name() === first) || first === 'help';
  if (
    !isCommand &&
    !first.startsWith('-') &&
    (/\.jsonc?$/i.test(first) || (first !== '' && fs.existsSync(path.resolve(cwd, first))))
  )
    throw new UsageError(`${first} is not a command: use “smart-objects run ${first}” to run it`);
}

/** Writes the report of `--junit`, also if the rest of the command line is wrong. */
async function writeFailureReport(
  failure: UsageError,
  words: readonly string[],
  context: Parameters<typeof reportUsageError>[2],
): Promise<void> {
  const at = words.findLastIndex((word) => /^--junit(?:=|$)/.test(word));
  const option = words[at];
  const junit = option?.startsWith('--junit=') === true ? option.slice('--junit='.length) : words[at + 1];
  if (option === undefined || junit === undefined) return;
  const report = await import('./run/run-command.ts');
  await report.reportUsageError(failure, junit, context);
}
