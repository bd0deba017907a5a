/** What shells offer, and the script of bash in a real bash. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { complete } from '../../../src/cli/completion/complete.ts';
import { choices } from '../../../src/cli/choices.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { registry } from '../../../src/platform/registry.ts';
import { runProgram, getProgram } from './support.ts';
import { CHILD_ENVIRONMENT } from '../../runtime/child-process.ts';

suite('completion of the command line', () => {
  const unused = (): never => {
    throw new Error('not run');
  };
  const host = {
    manifest: { version: '1', describeTools: () => [] },
    createContext: unused,
    createRunContext: unused,
    setExitCode: unused,
    write: unused,
  };
  const program = createProgram(host, choices);
  const offer = (line: string): readonly string[] => complete(program, line.split(' '));

  test('commands, kinds, options and their values', () => {
    assert.ok(offer('').includes('list') && offer('').includes('completion'));
    assert.deepEqual(offer('hi'), ['history']);
    assert.deepEqual(offer('list te'), ['templates']);
    for (const [kind, { read }] of Object.entries(registry))
      assert.equal(offer('get ').includes(kind), read.by !== 'cache', kind);
    assert.deepEqual(offer('list objects --fo'), ['--format']);
    assert.deepEqual(offer('list objects --format '), ['table', 'json', 'ndjson', 'csv']);
    assert.deepEqual(offer('list objects --format=c'), ['--format=csv']);
    assert.deepEqual(offer('check --format m'), ['markdown']);
    assert.deepEqual(offer('face '), ['render']);
    assert.deepEqual(offer('face render --v'), ['--variant', '--verbose']);
    assert.deepEqual(offer('sandbox --no'), ['--no-gzip']);
    // A value and a second argument are not completed as commands or kinds.
    assert.deepEqual(offer('list objects --name '), []);
    assert.deepEqual(offer('list objects '), []);
  });

  test('filters of the kind and their values', () => {
    assert.deepEqual(offer('list objects --filter when_'), ['when_created>=', 'when_modified>=']);
    assert.deepEqual(offer('logs --filter stat'), ['status=']);
    assert.deepEqual(offer('logs --filter status='), ['status=pending', 'status=completed', 'status=failed']);
    assert.deepEqual(offer('list --filter owner='), []);
  });

  test('every shell has a script, which asks the program', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await runProgram(['completion', shell]);
      assert.equal(code, 0);
      assert.match(stdout, /smart-objects __complete -- /);
    }
    assert.equal((await runProgram(['completion', 'csh'])).code, 2);
  });

  test('bash completes a word', async function () {
    if (spawnSync('bash', ['--version']).status !== 0) this.skip();
    const { stdout } = await runProgram(['completion', 'bash']);
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-completion-'));
    try {
      fs.writeFileSync(
        path.join(dir, 'smart-objects'),
        `#!/bin/sh\nexec '${process.execPath}' '${getProgram()}' "$@"\n`,
        {
          mode: 0o755,
        },
      );
      // The line, and its words as bash splits them.
      const offerInBash = (line: string, ...words: readonly string[]): string => {
        const script = `
          source <(printf '%s' "$1")
          shift
          compopt() { :; }
          COMP_LINE=$1 COMP_WORDS=("\${@:2}") COMP_CWORD=$(($# - 2))
          _smart_objects
          echo "\${COMPREPLY[*]}"`;
        return execFileSync(
          'bash',
          ['--norc', '-c', script, 'bash', stdout, `smart-objects ${line}`, 'smart-objects', ...words],
          {
            encoding: 'utf8',
            env: { ...CHILD_ENVIRONMENT, PATH: `${dir}${path.delimiter}${CHILD_ENVIRONMENT.PATH}` },
          },
        ).trimEnd();
      };
      assert.equal(offerInBash('list obj', 'list', 'obj'), 'objects');
      assert.equal(offerInBash('logs --filter status=', 'logs', '--filter', 'status', '='), 'pending completed failed');
      assert.equal(offerInBash('logs --filter status=f', 'logs', '--filter', 'status', '=', 'f'), 'failed');
      assert.equal(offerInBash('logs --format=c', 'logs', '--format', '=', 'c'), 'csv');
      // An operator that is not quoted would redirect the output to a file.
      const when = ['list', 'objects', '--filter'];
      assert.equal(offerInBash('list objects --filter when_c', ...when, 'when_c'), String.raw`when_created\>=`);
      assert.equal(offerInBash('list objects --filter "when_c', ...when, '"when_c'), 'when_created>=');
      assert.equal(
        offerInBash('list --base-url http://x obj', 'list', '--base-url', 'http', ':', '//x', 'obj'),
        'objects',
      );
    } finally {
      fs.rmSync(dir, { recursive: true });
    }
  });
});
