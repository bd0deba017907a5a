/**
 * `npm test`: every check of the project, in phases; the last line counts what passed and failed.
 *   npm test -- [check] [lint] [unit] [package] [editor] [window] [canary] [--grep X]
 * Without a name all phases run. With `--grep` only the mocha phases do, and those that match nothing are fine.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endOnSignal, runNode } from './runtime/child.ts';
import { ROOT, temporary, usesDesktop } from './runtime/paths.ts';
import { setup } from './runtime/setup.ts';
import type { Tally } from './runtime/tally.ts';

interface Phase {
  /** parts of one phase share it */
  readonly name: string;
  readonly title: string;
  /** phases that must have passed, where they run at all */
  readonly after: readonly string[];
  readonly run: (env: Readonly<Record<string, string>>) => Promise<{ readonly code: number; readonly output: string }>;
  /** mocha writes its counts for these; of the others only a failure counts */
  readonly mocha: boolean;
}

const { values, positionals } = parseArgs({
  options: { grep: { type: 'string' } },
  allowPositionals: true,
});
const grep = values.grep === undefined ? [] : ['--grep', values.grep];
const tool = (file: string): string => path.join(ROOT, 'node_modules', file);
const suite = (files: readonly string[], yielding = false): Phase['run'] => {
  return (env) => runNode(['test/runtime/mocha-suite.ts', ...files, ...grep], { env, yielding });
};
// In three parts, of about the same time: the first two mostly wait.
const units = fs.globSync('test/unit/**/*.test.ts', { cwd: ROOT });
const unitsOf = (rooms: RegExp): readonly string[] =>
  units.filter((file) => rooms.test(file.split(path.sep).join('/').slice('test/unit/'.length)));
// Gives way to the suites with an editor, where every gesture has its patience.
const yielding = { yielding: true } as const;
// Begun at once, for it mostly waits for the network; who needs the editor waits for this.
let editor: Promise<string> | undefined;
function editorReady(): Promise<string> {
  const lines: string[] = [];
  editor ??= usesDesktop() ? Promise.resolve('') : setup((line) => lines.push(line)).then(() => lines.join('\n'));
  return editor;
}

const phases: readonly Phase[] = [
  {
    name: 'package',
    title: 'Build, size budgets, package',
    after: [],
    mocha: false,
    run: () => runNode(['esbuild.mjs', '--production', '--package', '--editor-tests']),
  },
  {
    name: 'window',
    title: 'The window, as a person sees it',
    after: ['package'],
    mocha: true,
    run: async (env) => {
      await editorReady();
      return suite(['test/window/**/*.test.ts'])(env);
    },
  },
  {
    name: 'lint',
    title: 'Lint and format',
    after: [],
    mocha: false,
    run: async () => {
      const rules = await runNode([tool('eslint/bin/eslint.js'), '-c', '.config/eslint.config.mjs', '.'], yielding);
      const format = await runNode(
        [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
        yielding,
      );
      return { code: rules.code || format.code, output: rules.output + format.output };
    },
  },
  {
    name: 'check',
    title: 'Types',
    after: [],
    mocha: false,
    run: () => runNode([tool('typescript/bin/tsc'), '--noEmit', '--pretty', 'false'], yielding),
  },
  {
    name: 'editor',
    title: 'Suites inside real VS Code',
    after: ['package'],
    mocha: true,
    run: async (env) => {
      const set = await editorReady();
      const { code, output } = await runNode(['test/runtime/editor-suite.ts', ...grep], { env });
      return { code, output: `${set}\n${output}` };
    },
  },
  ...(
    [
      ['actions, command line', /^(?:actions|cli)\//],
      ['action logs', /^logs\//],
      ['all others', /^(?!(?:actions|cli|logs)\/)/],
    ] as const
  ).map(([rooms, files]) => ({
    name: 'unit',
    title: `Unit tests: ${rooms}`,
    after: [],
    mocha: true,
    run: suite(unitsOf(files), true),
  })),
  {
    name: 'canary',
    title: 'Canary: no secret in what the run left behind',
    after: ['unit', 'editor', 'window'],
    mocha: false,
    run: (env) => runNode(['test/canary.ts'], { env }),
  },
];

/** Phases that this machine or this state of the project has no use for, each with its reason. */
function absent(name: string): string | undefined {
  if (name === 'canary' && !fs.existsSync(path.join(ROOT, 'test/canary.ts'))) return 'there is no test/canary.ts';
  if (name === 'window' && usesDesktop()) return 'window tests drive the npm editor, which is for Linux on x64';
  return undefined;
}

function needsEditor(name: string): boolean {
  return name === 'editor' || name === 'window';
}

function chosen(): readonly Phase[] {
  const unknown = positionals.filter((name) => !phases.some((phase) => phase.name === name));
  if (unknown.length > 0) throw new Error(`No such phase: ${unknown.join(', ')}`);
  const needsPackage = positionals.some(needsEditor);
  return phases.filter(({ name, mocha }) => {
    if (absent(name) !== undefined && !positionals.includes(name)) return false;
    if (positionals.length > 0) return positionals.includes(name) || (name === 'package' && needsPackage);
    return values.grep === undefined || mocha || name === 'package';
  });
}

const started = Date.now();
const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;
const dir = temporary('all');
const total = { passed: 0, failed: 0 };

async function runPhase(phase: Phase): Promise<boolean> {
  const since = Date.now();
  const slug = `${phase.name}-${String(phases.indexOf(phase))}`;
  const file = path.join(dir, `${slug}.json`);
  const { code, output } = await phase
    // RUN_DIR: all that a phase leaves behind lies there until the last one has run.
    .run({ TALLY: file, RUN_DIR: dir })
    .catch((error: unknown) => ({ code: 1, output: String(error instanceof Error ? error.stack : error) }));
  const counts = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Tally) : undefined;
  const passed = counts?.passed ?? 0;
  let failed = counts?.failed ?? 0;
  let remark = '';
  if (phase.mocha && passed + failed === 0 && (values.grep === undefined || counts === undefined)) {
    failed = 1;
    remark = counts === undefined ? ' - broke before it could count' : ' - ran no test';
  } else if (code !== 0 && failed === 0) {
    failed = 1;
  }
  total.passed += passed;
  total.failed += failed;
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  const counted = phase.mocha ? `, ${String(passed)} passing, ${String(failed)} failing` : '';
  // Printed as a whole, so that phases side by side do not mix.
  console.log(`\n=== ${phase.title} [${phase.name}] ===\n${output.trimEnd()}`);
  console.log(`--- ${phase.name}: ${verdict}${counted} (${seconds(since)})${remark}`);
  fs.writeFileSync(path.join(dir, `${slug}.log`), output);
  return failed === 0;
}

/** Two phases at a time, in their order, since a third would cost those with an editor their time limits; else three. */
async function runAll(list: readonly Phase[]): Promise<void> {
  const done = new Map<Phase, boolean>();
  const toDo = [...list];
  const running = new Map<Phase, Promise<void>>();
  const named = (name: string): readonly Phase[] => list.filter((phase) => phase.name === name);
  const isReady = ({ after }: Phase): boolean => after.every((name) => named(name).every((phase) => done.has(phase)));
  while (toDo.length > 0 || running.size > 0) {
    const most = [...running.keys()].some(({ name }) => needsEditor(name)) ? 2 : 3;
    const next = running.size < most ? toDo.findIndex(isReady) : -1;
    const phase = next >= 0 ? toDo.splice(next, 1)[0] : undefined;
    if (phase === undefined) {
      await Promise.race(running.values());
      continue;
    }
    if (phase.after.includes('package') && named('package').some((of) => done.get(of) === false)) {
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

endOnSignal();
const list = chosen();
for (const { name } of phases) {
  const why = absent(name);
  if (why !== undefined && positionals.length === 0) console.log(`Without the phase ${name}: ${why}.`);
}
console.log(`Phases: ${[...new Set(list.map((phase) => phase.name))].join(', ')}`);
if (list.some(({ name }) => needsEditor(name))) editorReady().catch(() => undefined);
await runAll(list);
if (total.passed + total.failed === 0 && list.some((phase) => phase.mocha)) {
  console.log('No test ran.');
  total.failed = 1;
}
console.log(`\nAll phases: ${seconds(started)}`);
console.log(`${String(total.passed)} passed, ${String(total.failed)} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
