/**
 * Stryker's plugin that runs mocha. It loads the test files once and then runs, for each mutant, the tests that reach it:
 * a folder takes minutes, with a process for each mutant an hour.
 */
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import Mocha from 'mocha';
import { createTemporaryFolder } from './paths.ts';

interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly timeSpentMs: number;
  readonly fileName?: string;
  /** 0: passed, 1: failed */
  readonly status: 0 | 1;
  readonly failureMessage?: string;
}

interface MutantRun {
  readonly activeMutant: { readonly id: string };
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly mutantActivation: 'runtime' | 'static';
}

/** What mutated sources read and write. */
interface MutationContext {
  activeMutant?: string | undefined;
  /** none while modules are loaded */
  currentTestId?: string | undefined;
  /** how often each mutant was reached, by test */
  readonly mutantCoverage?: { readonly perTest: Record<string, Record<string, number>> };
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

declare global {
  var __stryker__: MutationContext | undefined;
}

class MutationRunner {
  readonly #context: MutationContext = (globalThis.__stryker__ ??= {});
  #mocha: Mocha | undefined;

  capabilities(): { readonly reloadEnvironment: boolean } {
    return { reloadEnvironment: false };
  }

  async dryRun(): Promise<object> {
    const tests = await this.#run(false);
    const { mutantCoverage } = this.#context;
    if (mutantCoverage !== undefined) await this.#assignSetups(mutantCoverage.perTest);
    return { status: 'complete', tests, mutantCoverage };
  }

  async mutantRun({ activeMutant: { id }, testFilter, hitLimit, mutantActivation }: MutantRun): Promise<object> {
    // For processes that tests start.
    process.env['__STRYKER_ACTIVE_MUTANT__'] = id;
    this.#context.hitLimit = hitLimit;
    this.#context.hitCount = hitLimit === undefined ? undefined : 0;
    if (mutantActivation === 'static') this.#context.activeMutant = id;
    const mocha = await this.#load();
    this.#context.activeMutant = id;
    mocha.grep(
      new RegExp(
        testFilter?.map((title) => `^${title.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`).join('|') ?? '',
      ),
    );
    const tests = await this.#run(true);
    if (hitLimit !== undefined && (this.#context.hitCount ?? 0) > hitLimit)
      return { status: 'timeout', reason: 'Endless loop' };
    const failed = tests.find(({ status }) => status === 1);
    if (failed === undefined) return { status: 'survived', nrOfTests: tests.length };
    return {
      status: 'killed',
      nrOfTests: tests.length,
      killedBy: [failed.id],
      failureMessage: failed.failureMessage ?? '',
    };
  }

  /** What the setup of a suite reached counts for each of its tests. */
  async #assignSetups(perTest: Record<string, Record<string, number>>): Promise<void> {
    const assign = (suite: Mocha.Suite): void => {
      const reached = perTest[getSetupId(suite)] ?? {};
      suite.eachTest((test) => {
        const ofTest = (perTest[test.fullTitle()] ??= {});
        for (const [mutant, count] of Object.entries(reached)) ofTest[mutant] = (ofTest[mutant] ?? 0) + count;
      });
      for (const child of suite.suites) assign(child);
    };
    assign((await this.#load()).suite);
  }

  async #load(): Promise<Mocha> {
    if (this.#mocha !== undefined) return this.#mocha;
    process.env['XDG_DATA_HOME'] = createTemporaryFolder('data');
    this.#mocha = new Mocha({ ui: 'tdd', timeout: 60_000, reporter: Mocha.reporters.Base });
    this.#mocha.cleanReferencesAfterRun(false);
    // The copy of the project that Stryker mutates is the working folder.
    const globs = (process.env['MUTATION_TESTS'] ?? '').split(' ');
    for (const file of fs.globSync(globs).sort()) this.#mocha.addFile(path.resolve(file));
    await this.#mocha.loadFilesAsync();
    return this.#mocha;
  }

  async #run(bail: boolean): Promise<readonly TestResult[]> {
    const mocha = await this.#load();
    setBail(mocha.suite, bail);
    const results: TestResult[] = [];
    const add = (test: Mocha.Runnable, failure?: Error): void => {
      const id = test.fullTitle();
      const file = test.file === undefined ? {} : { fileName: test.file };
      const outcome =
        failure === undefined ? { status: 0 as const } : { status: 1 as const, failureMessage: failure.message };
      results.push({ id, name: id, timeSpentMs: test.duration ?? 0, ...file, ...outcome });
    };
    await new Promise<void>((resolve) => {
      const runner = mocha.run(() => {
        resolve();
      });
      runner.on('suite', (suite) => (this.#context.currentTestId = getSetupId(suite)));
      runner.on('test', (test) => (this.#context.currentTestId = test.fullTitle()));
      runner.on('pass', (test) => {
        add(test);
      });
      runner.on('fail', add);
    });
    return results;
  }
}

function getSetupId(suite: Mocha.Suite): string {
  return `setup of ${suite.fullTitle()}`;
}

function setBail(suite: Mocha.Suite, bail: boolean): void {
  suite.bail(bail);
  for (const child of suite.suites) setBail(child, bail);
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'mocha-in-process', injectableClass: MutationRunner }];
