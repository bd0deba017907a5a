/** The options of `run`, besides those of the connection. */
import { Option, type Command } from 'commander';
import { createOptionWithDefault, createRepeatableOption, parseSeconds } from '../options.ts';
import { UsageError } from '../usage-error.ts';

const previewFormats = ['text', 'json'] as const;
type PreviewFormat = (typeof previewFormats)[number];

/** The options as the parser returns them. */
export interface RunValues {
  readonly allowProduction?: string;
  readonly input?: readonly string[];
  readonly allowEnv?: readonly string[];
  readonly follow: string;
  readonly batch: boolean;
  readonly keepGoing?: true;
  readonly junit?: string;
  readonly dryRun?: true;
  readonly check?: true;
  readonly format?: PreviewFormat;
}

export interface RunOptions {
  readonly files: readonly string[];
  /** the text of standard input, if `-` is among the files */
  readonly stdin?: string;
  readonly inputs: ReadonlyMap<string, string>;
  readonly allowedEnvironment: ReadonlySet<string>;
  /** milliseconds to wait for an action log and for a batch */
  readonly follow: number;
  readonly batch: boolean;
  readonly keepGoing: boolean;
}

/** Declares the options that only `run` has. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--dry-run', 'print what would be sent and what it would do; sends reads only')
    .addOption(new Option('--format <format>', 'format of --dry-run (default: text)').choices(previewFormats))
    .option('--check', 'check syntax, variables, expectations and, with a platform, live data; sends reads only')
    .option(
      '--allow-production <name>',
      'required for production, and for any other machine whose environment is not specified; the name of the platform',
    )
    .addOption(createRepeatableOption('--input <name=value>', 'value of ${input:NAME}'))
    .addOption(createRepeatableOption('--allow-env <name>', 'allow reading ${env:NAME}'))
    .addOption(
      createOptionWithDefault('--follow <seconds>', 'maximum time to wait for an action log and for a batch', '300'),
    )
    .option('--no-batch', 'do not wait for batches')
    .option('--keep-going', 'continue after a failure')
    .option('--junit <file>', 'write a JUnit report, even if nothing could be sent');
}

/** Reads the options. Throws UsageError. */
export function readRunOptions(files: readonly string[], values: RunValues): RunOptions {
  if (files.length === 0) throw new UsageError('No files specified: specify action files, suites or folders');
  return {
    files,
    inputs: new Map((values.input ?? []).map(parseInput)),
    allowedEnvironment: new Set(values.allowEnv ?? []),
    follow: parseSeconds('--follow', values.follow),
    batch: values.batch,
    keepGoing: values.keepGoing === true,
  };
}

function parseInput(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--input must be NAME=VALUE');
  return [text.slice(0, at), text.slice(at + 1)];
}
