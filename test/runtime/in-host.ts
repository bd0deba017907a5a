/** Runs the in-editor tests with mocha inside the extension host; bundled, and started by VS Code as `extensionTestsPath`. */
import { Console } from 'node:console';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import util from 'node:util';
import type Mocha from 'mocha';
import { tally, type Tally } from './tally.ts';

/** How the runner outside tells the host what to do: the value of HARNESS, as JSON. */
export interface HostOrder {
  readonly tests: readonly string[];
  /** gets what the tests print, as they print it */
  readonly output: string;
  /** gets the counts at the end, as JSON */
  readonly result: string;
  readonly mocha: string;
  readonly grep?: string;
  readonly color: boolean;
}

export async function run(): Promise<void> {
  const order = JSON.parse(process.env['HARNESS'] ?? '{}') as HostOrder;
  // At once, so that nothing is lost should the host die.
  const print = (text: string): void => {
    fs.appendFileSync(order.output, text);
  };
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      print(chunk.toString());
      done();
    },
  });
  // The host's own methods cannot be replaced and print to the window's log, so the whole object is.
  const host = globalThis.console;
  globalThis.console = new Console(sink);
  process.setSourceMapsEnabled(true);
  try {
    const counts = await runMocha(order, print);
    fs.writeFileSync(order.result, JSON.stringify(counts));
  } catch (error) {
    print(`\nThe test run broke: ${util.inspect(error)}\n`);
    throw error;
  } finally {
    globalThis.console = host;
  }
}

/** One mocha for each module: a module is loaded when those before it have run, so that the first meets an unused extension. */
async function runMocha(order: HostOrder, print: (text: string) => void): Promise<Tally> {
  // Not bundled: mocha looks up its reporters by path.
  const Runner = createRequire(order.mocha)(order.mocha) as typeof Mocha;
  Runner.reporters.Base.consoleLog = (...words: unknown[]) => {
    print(`${util.format(...words)}\n`);
  };
  const { color } = order;
  const total = { passed: 0, failed: 0 };
  for (const file of order.tests) {
    // As for windows: a busy VS Code may be late once; the report names each test that passed on its second try.
    const mocha = new Runner({ ui: 'tdd', color, timeout: 20_000, retries: 1, forbidPending: true, forbidOnly: true });
    if (order.grep !== undefined) mocha.grep(order.grep);
    mocha.addFile(file);
    await mocha.loadFilesAsync();
    const { passed, failed } = await tally(mocha);
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}
