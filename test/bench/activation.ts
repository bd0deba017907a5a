/** Measures activation and memory of the packed extension against an empty one, in real VS Code. */
import path from 'node:path';
import { startHostEditor, type HostEditor } from '../runtime/npm-editor.ts';
import { packExtension } from '../runtime/pack.ts';
import { ROOT, createTemporaryFolder } from '../runtime/paths.ts';
import { median } from './list-reading.ts';
import type { ActivationTimes, HostMemory } from './activation-metrics.ts';

export interface ActivationResult {
  /** milliseconds, medians of load plus call */
  readonly ours: number;
  readonly empty: number;
  /** of the package to compare with */
  readonly other?: number;
  /** bytes of heap and buffers beyond those of an empty extension, with the tree open */
  readonly memory: number;
}

/** Runs one test in the extension host and collects its `BENCH` lines. */
async function measure(editor: HostEditor, grep: string): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  const write = process.stdout.write.bind(process.stdout);
  const lines: string[] = [];
  // The output of the host goes to stdout; only `BENCH` lines are collected.
  process.stdout.write = (chunk: string | Uint8Array) => lines.push(Buffer.from(chunk).toString()) > 0;
  try {
    const { failed, passed } = await editor.run({ tests: ['bench/activation.test.mjs'], grep });
    if (failed > 0 || passed === 0) throw new Error(lines.join(''));
  } finally {
    process.stdout.write = write;
  }
  for (const [, what, json] of lines.join('').matchAll(/^\s*BENCH (\w+) (.*)$/gm)) {
    if (what !== undefined && json !== undefined) found.set(what, JSON.parse(json) as unknown);
  }
  return found;
}

/**
 * Starts the editor several times. `other` is another .vsix of this extension, say the last release, whose starts
 * alternate with ours. Rejects when an editor does not start.
 */
export async function measureActivation(starts: number, other?: string): Promise<ActivationResult> {
  const dir = createTemporaryFolder('bench');
  const empty = path.join(dir, 'empty.vsix');
  await packExtension(path.join(ROOT, 'test/bench/empty-ext'), empty);
  const options = { extensions: [empty], testEntry: false };
  const editor = await startHostEditor(options);
  const otherEditor =
    other === undefined ? undefined : await startHostEditor({ ...options, vsix: path.resolve(other) });
  const time = ({ load, call }: ActivationTimes): number => load + call;
  try {
    const ours: number[] = [];
    const none: number[] = [];
    const others: number[] = [];
    for (let start = 0; start < starts; start++) {
      const found = await measure(editor, '^bench activation$');
      ours.push(time(found.get('ours') as ActivationTimes));
      none.push(time(found.get('empty') as ActivationTimes));
      if (otherEditor === undefined) continue;
      others.push(time((await measure(otherEditor, '^bench activation$')).get('ours') as ActivationTimes));
    }
    const bytes: number[] = [];
    for (let start = 0; start < Math.min(starts, 3); start++) {
      const open = (await measure(editor, 'memory of ours')).get('memory') as HostMemory;
      const idle = (await measure(editor, 'memory of the empty')).get('memory') as HostMemory;
      bytes.push(open.heap + open.external - idle.heap - idle.external);
    }
    return {
      ours: median(ours),
      empty: median(none),
      memory: median(bytes),
      ...(otherEditor !== undefined && { other: median(others) }),
    };
  } finally {
    await editor.close();
    await otherEditor?.close();
  }
}
