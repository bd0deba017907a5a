/** The commands of the program with their arguments and options, from which help and completion follow. */
import { Argument, Command, Option } from 'commander';
import type { StatisticsSeries } from '../platform/resources/statistics.ts';
import type { Kind } from '../platform/registry.ts';
import type { CommandContext } from './command-context.ts';
import { addSandboxOptions, serveSandbox } from './commands/sandbox.ts';
import { getCompletionScript, shells, type Shell } from './completion/scripts.ts';
import { addConnectionOptions, type ConnectionValues } from './connection/connection-options.ts';
import type { Manifest } from './manifest.ts';
import type { McpValues } from './mcp/serve.ts';
import { addRecordOptions, createReportFormatOption, type RecordValues } from './output/format-options.ts';
import { createOptionWithDefault, createRepeatableOption } from './options.ts';
import { addBatchOptions, type BatchValues } from './run/batch-options.ts';
import { addRunOptions, type RunValues } from './run/options.ts';
import type { RunEnvironment } from './run/run-command.ts';
import { UsageError } from './usage-error.ts';

/** How the program is embedded in its process. */
interface ProgramHost {
  /** of the extension, which the program is a part of */
  readonly manifest: Manifest;
  /** the context of a command that reads: Ctrl-C ends it */
  createContext(): CommandContext;
  /** the context of `run`: Ctrl-C sends nothing more, and what was sent is waited for */
  createRunContext(): RunEnvironment;
  setExitCode(code: number): void;
  /** writes to standard output */
  write(text: string): void;
}

/** The values that arguments and options accept: see `choices.ts`. */
export interface Choices {
  readonly readableKinds: readonly Kind[];
  readonly listKinds: readonly Kind[];
  readonly linkedKinds: readonly Kind[];
  readonly logStates: readonly string[];
  readonly series: readonly StatisticsSeries['id'][];
  /** The filters of each kind, a paragraph each, in columns of that number. */
  readonly formatFilters: (width: number) => string;
}

/** For the overview of the commands, which shows none of them. */
export const noChoices: Choices = {
  readableKinds: [],
  listKinds: [],
  linkedKinds: [],
  logStates: [],
  series: [],
  formatFilters: () => '',
};

const MAX_HELP_WIDTH = 80;

const HELP = `
The credential comes from SMART_OBJECTS_API_KEY or SMART_OBJECTS_ACCESS_TOKEN,
or from standard input; there is no argument for it.

Exit codes:
  0    done
  1    the platform refused or failed, or a check, comparison or run failed or
       was not complete
  2    the command line or a file is invalid; nothing was sent
  130  ended by Ctrl-C (143: by SIGTERM); an interrupted run ends with 1,
       a sandbox with 0

Shell completion: source <(smart-objects completion bash)

Example: smart-objects list templates --base-url https://api.example/v1`;

const RUN_HELP = `
Files are action files (NAME.action.json, with an optional NAME.expect.json
beside; - is standard input), suites (NAME.actions.json) or folders. They run in
order; each is sent once, and followed until its action log is completed or
failed. A file that is a step of a suite in a folder is run there only.

A scenario (NAME.scenario.json) is a suite with a local sandbox of its own:
"sandbox" has its seed and objects, or the file of a saved state, and "faults"
the failures that it simulates. It needs no platform and no credential.

"as": "buyer" in an expectation or a step runs it as another identity, whose
credential is in SMART_OBJECTS_API_KEY_BUYER or
SMART_OBJECTS_ACCESS_TOKEN_BUYER.

\${secret:NAME} comes from SMART_OBJECTS_SECRET_NAME, a signer from
SMART_OBJECTS_SIGNER (a JSON array: program and arguments), which inherits no
SMART_OBJECTS_ variable.

--dry-run and --check send no action: they need no --allow-production, and
without a platform they show and check what the files themselves say. A check
fails for each error and warning, and if live data could not be read; a secret
that is not set is only a note.

With --data, one action file is run for each row, in which \${row:COLUMN} stands
for a cell. Nothing is sent before all rows are checked. The journal records the
state of each row: --resume continues with it after Ctrl-C or a crash, no row is
sent twice, and rows whose response was lost are looked up in the action logs.

Exit codes:
  0  all passed; with --data: every row is completed
  1  something failed, or a check found a problem
  2  the command line or a file is invalid; nothing was sent
Ctrl-C sends nothing more; a second one, or SIGTERM, also stops waiting for the
response. Both end with 1 and the report.`;

/** Declares the program. The implementation of a command is loaded when it runs. */
export function createProgram(host: ProgramHost, choices: Choices): Command {
  const program = new Command('smart-objects');
  program
    .description('Reads the resources of a Smart Object Platform and runs actions, from a terminal.')
    .version(host.manifest.version, '-V, --version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'Show help of a command')
    .addHelpText('after', HELP)
    .exitOverride()
    .showSuggestionAfterError()
    // Errors are printed where the exit code is decided.
    .configureOutput({
      outputError: () => undefined,
      writeOut: (text) => host.write(text),
      getOutHelpWidth: () => MAX_HELP_WIDTH,
    });
  addReadCommands(program, host, choices);
  addConnectionOptions(
    addBatchOptions(
      addRunOptions(
        addCommand(program, 'run', 'Run action files, suites and folders', 'run mint.action.json --dry-run'),
      ),
    ),
  )
    .argument('[files...]', 'action files, suites or folders')
    .addHelpText('after', RUN_HELP)
    .action(async (files: readonly string[], values: RunValues & BatchValues & ConnectionValues) => {
      const { runCommand } = await import('./run/run-command.ts');
      host.setExitCode(await runCommand(host.createRunContext(), files, values));
    });
  addContextCommands(program, host);
  addOtherCommands(program, host);
  return program;
}

/** Creates the handler of a command that reads, which is loaded when it runs. Its result `false` is exit code 1. */
function createReader<Args extends readonly unknown[]>(
  host: ProgramHost,
  load: () => Promise<(context: CommandContext, ...args: Args) => Promise<unknown>>,
) {
  return async (...args: Args): Promise<void> => {
    const command = await load();
    if ((await command(host.createContext(), ...args)) === false) host.setExitCode(1);
  };
}

/** `example`: the arguments of a command line, which stands at the end of the help. */
function addCommand(program: Command, name: string, description: string, example: string): Command {
  return program
    .command(name)
    .description(description)
    .allowExcessArguments(false)
    .addHelpText('after', `\nExample: smart-objects ${example}`);
}

function addReadCommands(
  program: Command,
  host: ProgramHost,
  { readableKinds, listKinds, linkedKinds, logStates, series, formatFilters }: Choices,
): void {
  addConnectionOptions(
    addCommand(program, 'get', 'Print one resource as JSON, secrets masked', 'get templates tpl_7c6d9d32da64')
      .addArgument(new Argument('<kind>', 'kind of the resource').choices(readableKinds))
      .argument('<id>', 'its ID; a role is ORGANIZATION/ID'),
  ).action(createReader(host, async () => (await import('./commands/get.ts')).get));
  addConnectionOptions(
    addCommand(
      program,
      'api',
      'Print the response to any request that only reads, secrets masked',
      "api GET '/objects?limit=3'",
    )
      .argument('<method>', 'GET')
      .argument('<path>', 'below the base URL, with its query'),
  ).action(createReader(host, async () => (await import('./commands/api.ts')).api));
  addConnectionOptions(
    addCommand(
      program,
      'open',
      'Print the address of a resource in the web console of the connection',
      'open obj_117de336dd9a --connection staging.json',
    )
      .argument('<id>', 'ID of the resource')
      .addOption(
        new Option('--kind <kind>', 'kind of the resource').choices(linkedKinds).default('objects', 'objects'),
      ),
  ).action(createReader(host, async () => (await import('./commands/open.ts')).open));
  addConnectionOptions(
    addRecordOptions(
      addCommand(program, 'list', 'List the resources of a kind', 'list templates --filter name=Ticket')
        .addArgument(new Argument('<kind>', 'kind of the resources').choices(listKinds))
        .addOption(createRepeatableOption('--filter <condition>', 'such as name=value or "when_created>=-24h"'))
        .addOption(createOptionWithDefault('--limit <count>', 'maximum number of resources', '50'))
        .option('--all', 'all resources, page by page'),
    ).addHelpText('after', () => `\nFilters:\n${formatFilters(MAX_HELP_WIDTH)}`),
  ).action(createReader(host, async () => (await import('./commands/list.ts')).list));
  addConnectionOptions(
    addRecordOptions(
      addCommand(program, 'logs', 'Print the latest action logs, oldest first', 'logs --status failed --follow')
        .option('--follow', 'keep printing new logs until Ctrl-C; a log whose status changes is printed again')
        .addOption(new Option('--status <status>', 'only logs of a status').choices(logStates))
        .addOption(createRepeatableOption('--filter <condition>', 'as for list action-logs'))
        .addOption(createOptionWithDefault('--limit <count>', 'number of past logs', '20'))
        .addOption(createOptionWithDefault('--interval <seconds>', 'with --follow: time between two requests', '3')),
    ),
  ).action(createReader(host, async () => (await import('./commands/logs.ts')).logs));
  addConnectionOptions(
    addRecordOptions(
      addCommand(program, 'history', 'Print the chain of the states of an object', 'history obj_117de336dd9a').argument(
        '<object>',
        'ID of the object',
      ),
    ),
  ).action(createReader(host, async () => (await import('./commands/history.ts')).history));
  addConnectionOptions(
    addRecordOptions(
      addCommand(program, 'stats', 'Print the points of a statistics series', 'stats fees --period 7d --interval day')
        .addArgument(new Argument('<series>').choices(series))
        .addOption(createOptionWithDefault('--period <length>', 'such as 24h, 7d, 30d, 1y', '30d'))
        .addOption(createOptionWithDefault('--interval <length>', 'hour, day, week or month', 'day'))
        .addOption(new Option('--from <date>', 'start, instead of --period').conflicts('period'))
        .option('--until <date>', 'end (default: now)')
        .option('--action <name>', 'only for one action')
        .option('--template <id>', 'only for one template')
        .option('--signer <account>', 'only for one signer'),
    ),
  ).action(createReader(host, async () => (await import('./commands/stats.ts')).stats));
  addConnectionOptions(
    addCommand(
      program,
      'check',
      'Report how the platform responds to each operation of the contract',
      'check --format markdown > report.md',
    ).addOption(createReportFormatOption()),
  ).action(createReader(host, async () => (await import('./commands/check.ts')).check));
  addConnectionOptions(
    addRecordOptions(
      addCommand(
        program,
        'watch',
        'Print a resource each time it changes, an action log or batch until it is completed or failed; or what changes in a list',
        'watch action-logs log_5d41402abc4b --interval 5',
      )
        .addArgument(new Argument('<kind>', 'kind of the resource').choices(readableKinds))
        .argument('[id]', 'its ID; a role is ORGANIZATION/ID; without it, the newest items of the list')
        .addOption(createRepeatableOption('--filter <condition>', 'of a list, as for list'))
        .option('--action <name>', 'of action-logs: only those of one action')
        .addOption(createOptionWithDefault('--interval <seconds>', 'time between two requests', '3')),
    ),
  ).action(createReader(host, async () => (await import('./commands/watch.ts')).watch));
  addConnectionOptions(
    addCommand(
      program,
      'generate',
      'Generate a TypeScript client: types of the data of templates, and a function for each action',
      'generate tpl_7c6d9d32da64 --out platform.ts',
    )
      .argument('<templates...>', 'IDs of templates')
      .option('--out <file>', 'write to a file')
      .option('--check', 'write nothing, and fail if the file is not current'),
  ).action(createReader(host, async () => (await import('./commands/generate.ts')).generate));
  addConnectionOptions(
    addCommand(
      program,
      'pull',
      'Write the templates and faces of an organization as files, without overwriting changes in the folder',
      'pull platform --organization org_3d4e5f --check',
    )
      .argument('<folder>', 'folder of the files')
      .option('--organization <id>', 'organization (default: the only one of the connection)')
      .option('--check', 'write nothing, and fail if a file differs from the platform'),
  ).action(createReader(host, async () => (await import('./commands/pull.ts')).pull));
  addCommand(
    program,
    'diff',
    'Print what differs between two environments: organizations, templates, faces, assets, message templates, default roles',
    'diff --from staging --to production --fail-on any',
  )
    .requiredOption(
      '--from <side>',
      'a context, a pulled folder or a connection file; its credential is SMART_OBJECTS_API_KEY_NAME',
    )
    .requiredOption('--to <side>', 'the other one')
    .option('--from-origin <origin>', 'origin that the first file may send its credential to')
    .option('--to-origin <origin>', 'the same for the other file')
    .option('--mapping <file>', 'JSON object of IDs of the first with those of the other, if names differ')
    .option('--kind <kinds...>', 'only these, such as templates faces: all that a pulled folder has')
    .addOption(
      new Option(
        '--fail-on <change>',
        'exit with 0 only if everything was compared, without such a difference; else with 1',
      ).choices(['added', 'removed', 'changed', 'any']),
    )
    .option('--allow-plain-http', 'allow unencrypted HTTP to another computer')
    .addOption(createOptionWithDefault('--timeout <seconds>', 'maximum time for each response', '60'))
    .addOption(createReportFormatOption())
    .action(createReader(host, async () => (await import('./commands/diff.ts')).diff));
  const face = addCommand(
    program,
    'face',
    'Faces of objects',
    'face render ticket.face.html --object obj_117de336dd9a',
  );
  addConnectionOptions(
    addCommand(
      face,
      'render',
      'Print a face file, filled with an object, as one HTML document',
      'face render ticket.face.html --object obj_117de336dd9a',
    )
      .argument('<file>', 'HTML, SVG or the JSON of a face')
      .option('--object <id>', 'the object that fills the placeholders')
      .option('--variant <name>', 'variant of the face (default: the first)')
      .addOption(createRepeatableOption('--allow-images <origin>', 'allow the document to load images from a server')),
  ).action(createReader(host, async () => (await import('./commands/face.ts')).renderFaceFile));
}

function addContextCommands(program: Command, host: ProgramHost): void {
  const contexts = addRecordOptions(
    addCommand(
      program,
      'context',
      'List the named connections of the user',
      'context add staging --base-url https://api.example/v1',
    ),
  )
    .allowExcessArguments()
    .action(async (values: RecordValues, { args: [word], commands }: Command) => {
      const names = commands.map((command) => command.name()).join(', ');
      if (word !== undefined) throw new UsageError(`context ${word} is not a command; these are: ${names}`);
      const { listContexts } = await import('./commands/context.ts');
      await listContexts(host.createContext(), values);
    });
  addConnectionOptions(
    addCommand(
      contexts,
      'add',
      'Add or replace a connection; its credential is stored in the keyring with --api-key-stdin or --access-token-stdin, or comes from SMART_OBJECTS_API_KEY_NAME or SMART_OBJECTS_ACCESS_TOKEN_NAME',
      'context add staging --base-url https://api.example/v1',
    ).argument('<context>', 'name'),
  ).action(createReader(host, async () => (await import('./commands/context.ts')).addContext));
  for (const [change, description] of [
    ['use', 'Use a connection if no option or variable names another platform'],
    ['remove', 'Remove a connection'],
  ] as const)
    addCommand(contexts, change, description, `context ${change} staging`)
      .argument('<context>', 'name')
      .action(async (name: string) => {
        const { changeContext } = await import('./commands/context.ts');
        await changeContext(host.createContext(), name, change);
      });
}

function addOtherCommands(program: Command, host: ProgramHost): void {
  addConnectionOptions(
    addCommand(
      program,
      'mcp',
      'Serve agents over standard input and output (Model Context Protocol); reads only',
      'mcp --context staging',
    ).option('--allow-execute', 'also offer a tool that sends actions; refused for production'),
  ).action(async (values: McpValues) => {
    const { serveMcp } = await import('./mcp/serve.ts');
    await serveMcp(host.createContext(), values, host.manifest);
  });
  addSandboxOptions(
    addCommand(program, 'sandbox', 'Serve a platform on this computer until Ctrl-C', 'sandbox --port 0'),
  ).action(serveSandbox);
  addCommand(program, 'completion', 'Print the completion script of a shell', 'completion bash')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: Shell) => {
      host.write(getCompletionScript(shell));
    });
}
