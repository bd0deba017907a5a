/** Reads activation times of an extension and memory of its host. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import * as vscode from 'vscode';

/** Milliseconds, as VS Code measures them. */
export interface ActivationTimes {
  /** loading and evaluating the code */
  readonly load: number;
  /** the synchronous part of `activate` */
  readonly call: number;
  /** until the promise of `activate` settled */
  readonly finish: number;
}

/** Reads the row of an extension in `Developer: Startup Performance`. Times vary: use the median of several starts. */
export async function activationTimes(extension: string): Promise<ActivationTimes> {
  await vscode.commands.executeCommand('perfview.show');
  for (let attempt = 0; attempt < 50; attempt++) {
    const report = vscode.workspace.textDocuments.find((document) => document.uri.scheme === 'perf')?.getText() ?? '';
    // | id | eager | load | call | finish | event | by |
    const row = report.split('\n').find((line) => line.split('|')[1]?.trim() === extension);
    if (row !== undefined) {
      const [load = NaN, call = NaN, finish = NaN] = row.split('|').slice(3, 6).map(Number);
      assert.ok([load, call, finish].every(Number.isFinite), `unreadable: ${row}`);
      return { load, call, finish };
    }
    await sleep(100);
  }
  throw new Error(`${extension} is not among the activated extensions`);
}

export interface HostMemory {
  /** bytes after garbage collection */
  readonly heap: number;
  /** bytes of the process after garbage collection; varies more than the heap */
  readonly resident: number;
  /** bytes of buffers outside the heap */
  readonly external: number;
}

/** Memory of the current extension host. */
export async function hostMemory(): Promise<HostMemory> {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    collect();
    await sleep(50);
  }
  const { heapUsed, rss, external } = process.memoryUsage();
  return { heap: heapUsed, resident: rss, external };
}
