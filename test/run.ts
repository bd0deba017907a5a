/**
 * `npm test`: all checks of the project in phases. The last line is `N passed, N failed`.
 *   npm test -- [lint] [unit] [package] [editor] [window] [floor] [bench] [canary] [--grep X] [--shuffle SEED] [--inspect]
 * Without a name all phases run; with `--grep` only those with mocha, and a phase without matching tests passes. With
 * `--shuffle` test files run in the order that belongs to the seed, an integer. With `--inspect` the phase `editor` waits for a debugger on port 9229: see .vscode/launch.json.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { exitOnSignal, runNode } from './runtime/child-process.ts';
import { FLOOR_EDITOR, NEWEST_EDITOR, ROOT, createTemporaryFolder, usesDesktop } from './runtime/paths.ts';
import { installEditor } from './runtime/install-editor.ts';
import type { TestCounts } from './runtime/test-counts.ts';

interface Phase {
  /** shared by the parts of one phase */
  readonly name: string;
  readonly title: string;
  /** phases that must end first, if they are selected */
  readonly after: readonly string[];
  readonly run: (env: Readonly<Record<string, string>>) => Promise<{ readonly code: number; readonly output: string }>;
  /** mocha counts the tests; other phases count only if they fail */
  readonly mocha: boolean;
}

const { values, positionals } = parseArgs({
  options: { grep: { type: 'string' }, shuffle: { type: 'string' }, inspect: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const mochaOptions = [
  ...(values.grep === undefined ? [] : ['--grep', values.grep]),
  ...(values.shuffle === undefined ? [] : ['--shuffle', values.shuffle]),
];
// A busy workbench may lose a gesture: such a file of window tests runs once more in a new window, and the report names the test.
const rerun = values.grep === undefined ? ['--rerun'] : [];
const inspect = values.inspect ? ['--inspect'] : [];
const tool = (file: string): string => path.join(ROOT, 'node_modules', file);
// Tests have time limits, so the linters yield to them.
const { PRIORITY_LOW } = os.constants.priority;
const runSuite = (files: readonly string[]): Phase['run'] => {
  return (env) => runNode(['test/runtime/mocha-suite.ts', ...files, ...mochaOptions], { env });
};
// `floor` has the main workflow, and other files test its parts in the newest VS Code: there it only serves a look at it.
const ALL_WINDOWS = values.grep !== undefined || process.env['PICTURES'] === '1';
const windows = fs
  .globSync('test/window/**/*.test.ts', { cwd: ROOT })
  .filter((file) => ALL_WINDOWS || path.basename(file) !== 'main-workflow.test.ts');
// Four parts, the longest first. They wait more than they work, so they run side by side, and before the editors, which leave them no time.
const units = fs.globSync('test/unit/**/*.test.ts', { cwd: ROOT });
const selectUnitTests = (folders: RegExp): readonly string[] =>
  units.filter((file) => folders.test(file.split(path.sep).join('/').slice('test/unit/'.length)));
// Editors are installed beside the first phases, since that mostly waits for the network.
const installations = new Map<string, Promise<string>>();
function editorReady(editor = NEWEST_EDITOR): Promise<string> {
  let installation = installations.get(editor);
  if (installation === undefined) {
    const lines: string[] = [];
    const install = async (): Promise<string> => {
      if (editor === FLOOR_EDITOR) await editorReady();
      await installEditor((line) => lines.push(line), { editor });
      return lines.join('\n');
    };
    installation = usesDesktop() ? Promise.resolve('') : install();
    installations.set(editor, installation);
  }
  return installation;
}

const phases: readonly Phase[] = [
  {
    name: 'package',
    title: 'Build, size budgets, package',
    after: [],
    mocha: false,
    run: async () => {
      const { code, output } = await runNode(['esbuild.mjs', '--production', '--package']);
      const warning = /^ *(?:WARNING|::warning).*/m.exec(output)?.[0];
      return warning === undefined
        ? { code, output }
        : { code: 1, output: `${output}\nThe package has a warning: ${warning}` };
    },
  },
  ...(
    [
      ['actions', /^actions\//],
      // They share the package of the program.
      ['what starts the program', /^(?:agents|cli|docs|environments)\//],
      ['platform, sandbox, action logs', /^(?:logs|platform|sandbox)\//],
      ['all others', /^(?!(?:actions|agents|cli|docs|environments|logs|platform|sandbox)\/)/],
    ] as const
  ).map(([part, folders]) => ({
    name: 'unit',
    title: `Unit tests: ${part}`,
    after: [],
    mocha: true,
    run: runSuite(selectUnitTests(folders)),
  })),
  {
    name: 'window',
    title: 'Window tests',
    after: ['package', 'unit'],
    mocha: true,
    run: async (env) => {
      await editorReady();
      return runSuite([...windows, ...rerun])(env);
    },
  },
  {
    name: 'editor',
    title: 'Tests inside VS Code',
    after: ['package', 'unit'],
    mocha: true,
    run: async (env) => {
      const set = await editorReady();
      const { code, output } = await runNode(['test/runtime/editor-suite.ts', ...mochaOptions, ...inspect], { env });
      return { code, output: `${set}\n${output}` };
    },
  },
  {
    name: 'floor',
    title: 'Main workflow in the oldest VS Code',
    after: ['package', 'unit'],
    mocha: true,
    run: async (env) => {
      const set = await editorReady(FLOOR_EDITOR);
      const suite = runSuite(['test/window/main-workflow.test.ts', ...rerun]);
      const { code, output } = await suite({ ...env, VSCODE_VERSION: 'floor' });
      return { code, output: `${set}\n${output}` };
    },
  },
  {
    name: 'lint',
    title: 'Types, lint, imports, exports and format',
    after: [],
    mocha: false,
    run: async () => {
      let [code, output] = [0, ''];
      for (const command of [
        'knip/bin/knip.js -c .config/knip.json',
        'dependency-cruiser/bin/dependency-cruiser.mjs -c .config/dependency-cruiser.mjs src',
        'prettier/bin/prettier.cjs --check --log-level warn --cache --cache-strategy content --cache-location .cache/prettier .',
        'oxlint/bin/oxlint -c .config/oxlint.jsonc --ignore-pattern=*.js --ignore-pattern=*.cjs .',
        'eslint/bin/eslint.js -c .config/eslint.config.mjs .',
      ]) {
        const [file = '', ...args] = command.split(' ');
        const result = await runNode([tool(file), ...args], { priority: PRIORITY_LOW });
        code ||= result.code;
        output += result.output;
      }
      return { code, output };
    },
  },
  {
    name: 'bench',
    title: 'Measurements at a twentieth of their size',
    after: ['package', 'unit'],
    mocha: false,
    run: async (env) => {
      await editorReady();
      return runNode(['test/bench/run.ts', '--small'], { env });
    },
  },
  {
    name: 'canary',
    title: 'Canary: no secret in the files of the run',
    after: ['unit', 'editor', 'window', 'floor', 'bench'],
    mocha: false,
    run: (env) => runNode(['test/check-secret-canary.ts'], { env }),
  },
];

/** Why a phase cannot run here, or `undefined`. */
function getSkipReason(name: string): string | undefined {
  if (['window', 'floor', 'bench'].includes(name) && usesDesktop())
    return 'it drives the npm editor, which is for Linux on x64';
  return undefined;
}

function needsEditor(name: string): boolean {
  return ['editor', 'window', 'floor', 'bench'].includes(name);
}

function selectPhases(): readonly Phase[] {
  const unknown = positionals.filter((name) => !phases.some((phase) => phase.name === name));
  if (unknown.length > 0) throw new Error(`No such phase: ${unknown.join(', ')}`);
  const needsPackage = positionals.some(needsEditor);
  return phases.filter(({ name, mocha }) => {
    if (getSkipReason(name) !== undefined && !positionals.includes(name)) return false;
    if (positionals.length > 0) return positionals.includes(name) || (name === 'package' && needsPackage);
    // The tests of `floor` are found in `window`, too.
    return values.grep === undefined || (mocha && name !== 'floor') || name === 'package';
  });
}

const started = Date.now();
const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;
const dir = createTemporaryFolder('all');
const total = { passed: 0, failed: 0 };
/** What failed, repeated at the end, where a reader of a long log looks first. */
const failures: string[] = [];

async function runPhase(phase: Phase): Promise<boolean> {
  const since = Date.now();
  const slug = `${phase.name}-${String(phases.indexOf(phase))}`;
  const file = path.join(dir, `${slug}.json`);
  const { code, output } = await phase
    // RUN_DIR: temporary folders of all phases, searched by the last one.
    .run({ TALLY: file, RUN_DIR: dir })
    .catch((error: unknown) => ({ code: 1, output: String(error instanceof Error ? error.stack : error) }));
  const counts = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as TestCounts) : undefined;
  const passed = counts?.passed ?? 0;
  let failed = counts?.failed ?? 0;
  let remark = '';
  if (phase.mocha && passed + failed === 0 && (values.grep === undefined || counts === undefined)) {
    failed = 1;
    remark = counts === undefined ? ' - ended before it reported counts' : ' - ran no test';
  } else if (code !== 0 && failed === 0) {
    failed = 1;
  }
  total.passed += passed;
  total.failed += failed;
  failures.push(...(counts?.failures ?? []));
  // A phase without counted tests is told by what it printed last.
  if (failed > 0 && (counts?.failures ?? []).length === 0)
    failures.push([`${phase.title} [${phase.name}]${remark}`, ...output.trimEnd().split('\n').slice(-30)].join('\n'));
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  const counted = phase.mocha ? `, ${String(passed)} passing, ${String(failed)} failing` : '';
  // Printed at once, so that the output of parallel phases does not mix.
  console.log(`\n=== ${phase.title} [${phase.name}] ===\n${output.trimEnd()}`);
  console.log(`--- ${phase.name}: ${verdict}${counted} (${seconds(since)})${remark}`);
  fs.writeFileSync(path.join(dir, `${slug}.log`), output);
  return failed === 0;
}

/** Runs the phases in order: two with an editor at a time, and beside them one other; without them six. */
async function runAll(list: readonly Phase[]): Promise<void> {
  const done = new Map<Phase, boolean>();
  const pending = [...list];
  const running = new Map<Phase, Promise<void>>();
  const named = (name: string): readonly Phase[] => list.filter((phase) => phase.name === name);
  const canStart = ({ name, after }: Phase): boolean => {
    const editors = [...running.keys()].filter((phase) => needsEditor(phase.name)).length;
    const hasRoom = needsEditor(name) ? editors < 2 : running.size - editors < (editors > 0 ? 1 : 6);
    return hasRoom && after.every((other) => named(other).every((phase) => done.has(phase)));
  };
  while (pending.length > 0 || running.size > 0) {
    const next = pending.findIndex(canStart);
    const phase = next >= 0 ? pending.splice(next, 1)[0] : undefined;
    if (phase === undefined) {
      await Promise.race(running.values());
      continue;
    }
    if (phase.after.includes('package') && named('package').some((dependency) => done.get(dependency) === false)) {
      total.failed += 1;
      done.set(phase, false);
      console.log(`\n=== ${phase.title} [${phase.name}] ===\n--- ${phase.name}: FAILED - there is no package to test`);
      continue;
    }
    const work = runPhase(phase).then((passed) => {
      done.set(phase, passed);
      running.delete(phase);
    });
    running.set(phase, work);
  }
}

exitOnSignal();
const list = selectPhases();
for (const { name } of phases) {
  const reason = getSkipReason(name);
  if (reason !== undefined && positionals.length === 0) console.log(`Without the phase ${name}: ${reason}.`);
}
console.log(`Phases: ${[...new Set(list.map((phase) => phase.name))].join(', ')}`);
if (list.some(({ name }) => needsEditor(name))) editorReady().catch(() => undefined);
if (list.some(({ name }) => name === 'floor')) editorReady(FLOOR_EDITOR).catch(() => undefined);
await runAll(list);
if (total.passed + total.failed === 0 && list.some((phase) => phase.mocha)) {
  console.log('No test ran.');
  total.failed = 1;
}
for (const failure of failures) console.log(`\nFailed: ${failure}`);
console.log(`\nAll phases: ${seconds(started)}`);
console.log(`${String(total.passed)} passed, ${String(total.failed)} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
