/**
 * `npm run bench`: each measurement with its baseline from the same run.
 *   npm run bench -- [listing] [loadAll] [tree] [memory] [drawing] [logs] [table] [bulk] [starts] [--against VSIX]
 * `--against` compares activation with that of another package, say the last release.
 */
import v8 from 'node:v8';
import { parseArgs } from 'node:util';
import vm from 'node:vm';
import { runNode } from '../runtime/child-process.ts';
import { measureBatch } from './batch-rows.ts';
import { measureDrawing } from './chart.ts';
import { measureListing, measureLoadAll, measureMemory } from './list-reading.ts';
import { measureTableScrolling, measureTableSorting } from './list-table.ts';
import { measureLogTable } from './log-table.ts';
import { measureActivation } from './activation.ts';
import { measureExport, measureFirstRows } from './tree-rows.ts';

// Each start adds an exit listener that removes its folder.
process.setMaxListeners(100);
v8.setFlagsFromString('--expose-gc');
globalThis.gc ??= vm.runInNewContext('gc') as typeof globalThis.gc;

const { values, positionals: names } = parseArgs({ options: { against: { type: 'string' } }, allowPositionals: true });
const MiB = 1024 * 1024;
const figure = (value: number, unit: string): string => `${value.toFixed(2)} ${unit}`;

function row(what: string, value: string, comparison: string, target: string): void {
  console.log(`${what.padEnd(44)} ${value.padStart(14)}   ${comparison.padEnd(34)} aim ${target}`);
}

const benches: Readonly<Record<string, () => Promise<void>>> = {
  async listing() {
    const { items, raw, client, ratio } = await measureListing(100_000, 5);
    row(
      `list ${items.toLocaleString('en')} objects, raw and view`,
      figure(client, 's'),
      `bare undici + JSON.parse ${figure(raw, 's')}`,
      `≤ 1.30, is ${ratio.toFixed(2)}`,
    );
  },
  async loadAll() {
    const { bare, ours, ratio } = await measureLoadAll(100_000, 5);
    row(
      'load all 100,000 objects',
      figure(ours.seconds, 's'),
      `bare undici + JSON.parse ${figure(bare.seconds, 's')}`,
      `≤ 1.30, is ${ratio.toFixed(2)}`,
    );
    row('heap that they take', figure(ours.bytes / MiB, 'MiB'), `bare ${figure(bare.bytes / MiB, 'MiB')}`, '≤ half');
  },
  async tree() {
    const objects = 1_000_000;
    const { rows, bare, tree, more } = await measureFirstRows(objects, 30);
    row(
      `first ${String(rows)} rows of ${objects.toLocaleString('en')} objects`,
      figure(tree, 'ms'),
      `bare undici + JSON.parse ${figure(bare, 'ms')}`,
      `≤ 50 ms over it, is ${figure(more, 'ms')}`,
    );
    const { early, late } = await measureExport(objects, 200_000);
    row(
      'heap at the end of an export of 200,000 of them',
      figure(late / MiB, 'MiB'),
      `after 20,000: ${figure(early / MiB, 'MiB')}`,
      'flat',
    );
  },
  async memory() {
    const { early, late } = await measureMemory(1_000_000);
    row(
      'heap at the end of 1,000,000 objects',
      figure(late / MiB, 'MiB'),
      `after 100,000: ${figure(early / MiB, 'MiB')}`,
      'flat',
    );
  },
  async drawing() {
    const { points, first, ours, bare, ratio } = await measureDrawing(100_000, 9);
    row(
      `draw ${points.toLocaleString('en')} points`,
      figure(ours, 'ms'),
      `bare uPlot ${figure(bare, 'ms')}`,
      `≤ 1.30, is ${ratio.toFixed(2)}; first ${figure(first, 'ms')}`,
    );
  },
  async logs() {
    const { rows, frame, slowFrame, bareFrame, filter, bareFilter, drawn } = await measureLogTable(100_000);
    const all = rows.toLocaleString('en');
    row(
      `frame while ${all} logs scroll`,
      figure(frame, 'ms'),
      `95th ${figure(slowFrame, 'ms')}, an empty page ${figure(bareFrame, 'ms')}`,
      `≤ 16.7 ms; ${String(drawn)} rows drawn`,
    );
    row(
      `filter ${all} logs, shown`,
      figure(filter, 'ms'),
      `bare loop, nothing shown ${figure(bareFilter, 'ms')}`,
      '≤ 33 ms',
    );
  },
  async table() {
    const count = 100_000;
    const all = count.toLocaleString('en');
    const { frame, slowFrame, bareFrame, drawn } = await measureTableScrolling(count);
    row(
      `frame while ${all} rows of a table scroll`,
      figure(frame, 'ms'),
      `95th ${figure(slowFrame, 'ms')}, an empty page ${figure(bareFrame, 'ms')}`,
      `≤ 16.7 ms; ${String(drawn)} rows drawn`,
    );
    const { first, later, bare } = measureTableSorting(count, 7);
    row(
      `sort ${all} rows of a table by name`,
      figure(later, 'ms'),
      `bare sort of the names ${figure(bare, 'ms')}`,
      `≤ 200 ms; first ${figure(first, 'ms')}`,
    );
  },
  async bulk() {
    const [rows, concurrency, latency] = [10_000, 10, 20];
    const { bare, ours, early, late } = await measureBatch(rows, concurrency, latency);
    row(
      `batch of ${rows.toLocaleString('en')} rows, ${String(concurrency)} at once, answers in ${String(latency)} ms`,
      figure(ours, 'rows/s'),
      `bare POSTs ${figure(bare, 'rows/s')}`,
      `≥ 0.90, is ${(ours / bare).toFixed(2)}`,
    );
    row('heap near the end of it', figure(late / MiB, 'MiB'), `after a tenth ${figure(early / MiB, 'MiB')}`, 'flat');
  },
  async starts() {
    const { code, output } = await runNode(['esbuild.mjs', '--production', '--package']);
    if (code !== 0) throw new Error(output);
    const { ours, empty, other, memory } = await measureActivation(9, values.against);
    // Both extensions activate at the same point of the start, so both times include the load of the host.
    row(
      'activation, median of 9 starts',
      figure(ours, 'ms'),
      `an empty extension ${figure(empty, 'ms')}`,
      `≤ 15 ms over it, is ${figure(ours - empty, 'ms')}`,
    );
    if (other !== undefined) row('the same of the other package', figure(other, 'ms'), '', `≥ ${figure(ours, 'ms')}`);
    row('host memory with the tree open', figure(memory / MiB, 'MiB'), 'over an empty extension', '≤ 8 MiB');
  },
};

for (const [name, bench] of Object.entries(benches)) if (names.length === 0 || names.includes(name)) await bench();
process.exit();
