import fs from 'node:fs/promises';
import path from 'node:path';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { parseSource, type PreparedRun } from '../../actions/run/prepare.ts';
import { getSourceLocation, readTestCases, type TestCase } from '../../actions/testing/test-cases.ts';
import { isScenarioPath } from '../../actions/file/file-names.ts';
import { TestFileError } from '../../actions/testing/test-file-error.ts';
import { getStepErrorTexts, readTextFile, resolveWorkspaceFile } from '../../model/files/read-workspace-file.ts';
import type { RunOptions } from './options.ts';
import { UsageError, type UsageProblem } from '../usage-error.ts';

/** Bytes that are read of a file; the parser refuses a smaller one too if it is larger than an action file can be. */
const MAX_FILE = 8 * 1024 * 1024;

/** Name of the file that standard input stands for. */
const STDIN_NAME = 'stdin.action.json';

/**
 * The prepare stage of the command line: reads and parses the actions of files, suites and folders, in order. `cwd`: the
 * working folder; `printNote`: for scenarios in folders, which are left out. Rejects with UsageError, which lists every
 * problem of the files.
 */
export async function collectCases(
  { files, stdin }: Pick<RunOptions, 'files' | 'stdin'>,
  cwd: string,
  printNote?: (note: string) => void,
): Promise<readonly PreparedRun<TestCase>[]> {
  const prepared: PreparedRun<TestCase>[] = [];
  /** those of the files of folders */
  const found = new Set<PreparedRun<TestCase>>();
  const problems: UsageProblem[] = [];
  const add = (file: string, message: string, place = { line: 1, column: 1 }): void => {
    const relative = path.relative(cwd, file);
    problems.push({
      location: `${relative}:${String(place.line)}:${String(place.column)}`,
      path: relative,
      message,
    });
  };
  const collect = async (file: string, read = readOptionalFile): Promise<void> => {
    try {
      const cases = await readTestCases(file, read, (from, relative) => resolveSuiteFile(from, relative, cwd));
      for (const testCase of cases) {
        const run = parseSource(testCase);
        if ('file' in run) prepared.push(run);
        else {
          const { path: source, ...place } = getSourceLocation(testCase, run.offset);
          add(source, run.message, place);
        }
      }
    } catch (error) {
      if (error instanceof TestFileError)
        for (const { message, ...place } of error.problems) add(error.path ?? file, message, place);
      else add(file, getErrorMessage(error));
    }
  };
  for (const name of files) {
    if (name === '-') {
      const input = path.resolve(cwd, STDIN_NAME);
      await collect(input, (file) => Promise.resolve(file === input ? stdin : undefined));
      continue;
    }
    const file = path.resolve(cwd, name);
    const stat = await fs.stat(file).catch(() => undefined);
    if (stat === undefined) problems.push({ path: name, message: `File ${name} was not found` });
    else {
      const isFolder = stat.isDirectory();
      const all = isFolder ? await findActionFiles(file) : [file];
      if (isFolder && all.every(isScenarioPath))
        problems.push({ path: name, message: `The folder ${name} contains no action files` });
      const start = prepared.length;
      for (const one of all)
        if (isFolder && isScenarioPath(one))
          printNote?.(`note: ${path.relative(cwd, one)} is a scenario, which is run by itself: it is left out`);
        else await collect(one);
      if (isFolder) for (const run of prepared.slice(start)) found.add(run);
    }
  }
  if (problems.length > 0) throw new UsageError(problems);
  return omitSteps(prepared, found);
}

/** Without the files that were found in a folder and are a step of a suite: they are run there. */
async function omitSteps(
  prepared: readonly PreparedRun<TestCase>[],
  found: ReadonlySet<PreparedRun<TestCase>>,
): Promise<readonly PreparedRun<TestCase>[]> {
  const isStep = ({ source: { path: file, location } }: PreparedRun<TestCase>): boolean => location.path !== file;
  // The path of a step has its links resolved.
  const paths = new Map(
    await Promise.all(
      prepared.map(async (run) => [run, await fs.realpath(run.source.path).catch(() => run.source.path)] as const),
    ),
  );
  const steps = new Set(prepared.filter(isStep).map((run) => paths.get(run)));
  return prepared.filter((run) => isStep(run) || !found.has(run) || !steps.has(paths.get(run)));
}

async function readOptionalFile(file: string): Promise<string | undefined> {
  const real = await fs.realpath(file).catch(() => undefined);
  return real === undefined ? undefined : readTextFile(real, MAX_FILE, path.basename(file));
}

/** The file of a step must be in the working folder, or in the folder of a suite outside it; links are resolved first. */
async function resolveSuiteFile(suite: string, relative: string, cwd: string): Promise<string> {
  const toSuite = path.relative(cwd, suite);
  const isInside = toSuite !== '..' && !toSuite.startsWith(`..${path.sep}`) && !path.isAbsolute(toSuite);
  const folder = isInside ? 'working' : 'suite';
  return resolveWorkspaceFile(
    isInside ? cwd : path.dirname(suite),
    suite,
    relative,
    getStepErrorTexts(relative, folder),
  );
}

async function findActionFiles(folder: string): Promise<readonly string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:actions?|scenario)\.jsonc?$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${path.sep}node_modules${path.sep}`))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
