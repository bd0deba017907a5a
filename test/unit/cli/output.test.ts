/** What reaches terminals and pipes: sanitized, aligned, coloured only where it should be. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutput, type OutputStream } from '../../../src/cli/output/output.ts';
import { RecordWriter } from '../../../src/cli/output/record-writer.ts';
import { sanitizeJson } from '../../../src/cli/output/sanitize.ts';
import { formatTabSeparated, getTextWidth, TableFormatter, type Column } from '../../../src/cli/output/table.ts';
import { startProgram, runProgram, getProgram } from './support.ts';
import { CHILD_ENVIRONMENT } from '../../runtime/child-process.ts';

interface Row {
  readonly id: string;
  readonly name: string;
}

const columns: readonly Column<Row>[] = [
  { label: 'ID', getValue: ({ id }) => id },
  { label: 'Name', getValue: ({ name }) => name, shrinks: true, getStyle: () => 'green' },
  { label: 'Empty', getValue: () => undefined },
  { label: 'Size', getValue: ({ id }) => String(10 ** id.length), isNumber: true },
  { label: 'Note', getValue: () => 'n' },
];

function createStream(properties: Partial<OutputStream> = {}): OutputStream & { text: string } {
  return {
    text: '',
    ...properties,
    write(text: string, done: () => void) {
      this.text += text;
      done();
      return true;
    },
  };
}

suite('output of the command line', () => {
  test('a table is aligned, fits the terminal, and leaves out empty columns', () => {
    const output = createOutput(createStream({ isTTY: true, columns: 40 }), createStream(), {});
    const table = new TableFormatter(columns, output);
    const text = table.format([
      { id: 'a', name: 'short' },
      { id: 'bbb', name: '海の物語 🌊 and a name that is much too long for it' },
    ]);
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(lines.slice(0, 2), [
      'ID   NAME                     SIZE  NOTE',
      'a    short                      10  n',
    ]);
    for (const line of lines) assert.ok(getTextWidth(line) <= 40, line);
    assert.match(lines[2] ?? '', /^bbb {2}海の物語 🌊 and a .*… +1000 {2}n$/);
    // Later rows keep the widths.
    assert.match(table.format([{ id: 'c', name: 'd' }]), /^c {4}d {26}10 {2}n\n$/);
  });

  test('CSV of chosen fields has the values of CSV of all fields', async () => {
    const stream = createStream();
    const writer = new RecordWriter({
      output: createOutput(stream, createStream(), {}),
      values: { format: 'csv', fields: 'n,big,none,empty,list,text' },
      columns: [],
      toJson: (row: unknown) => row,
    });
    const big = JSON.rawJSON('-9007199254740993');
    await writer.write([{ n: -12.5, big, none: null, empty: '', list: [-1, 'a;=b'], text: '-a' }]);
    await writer.end();
    const list = String.raw`"[-1,""a;\u003db""]"`;
    assert.equal(stream.text, `n,big,none,empty,list,text\r\n-12.5,-9007199254740993,,"",${list},'-a\r\n`);
  });

  test('CSV contains no control character and no command of a CI system, in a pipe too', async () => {
    for (const isTTY of [false, true]) {
      const stream = createStream({ isTTY, columns: 80 });
      const writer = new RecordWriter({
        output: createOutput(stream, createStream(), {}),
        values: { format: 'csv' },
        columns: columns.slice(0, 2),
        toJson: (row) => row,
      });
      await writer.write([
        { id: 'a', name: '\u001b]0;title\u0007 \u202e\u009b31m red' },
        { id: 'b', name: 'two\r\n::set-env name=A::b\n##vso[task.setvariable]c' },
      ]);
      await writer.end();
      assert.equal(
        stream.text,
        'id,name\r\na, ]0;title 31m red\r\nb,"two\r\n: :set-env name=A::b\n# #vso[task.setvariable]c"\r\n',
      );
    }
  });

  test('a labelled value is shown with its label on a terminal, and alone for programs', () => {
    const output = createOutput(createStream({ isTTY: true, columns: 80 }), createStream(), {});
    const labels = {
      get: (value: string) => (value === 'a' ? ({ value, text: 'Gate', source: 'user' } as const) : undefined),
    };
    const records = [{ id: 'a', name: 'short' }];
    assert.match(new TableFormatter(columns, output, labels).format(records), /^Gate \(a\) {2}short/m);
    assert.match(formatTabSeparated(columns, records), /^a\tshort/);
  });

  test('colours need a terminal that has them and no NO_COLOR', () => {
    const terminal = { isTTY: true, columns: 80, hasColors: () => true };
    const style = (stream: Partial<OutputStream>, environment: Readonly<Record<string, string>>): string =>
      createOutput(createStream(stream), createStream(), environment).style('red', 'x');
    assert.equal(style(terminal, {}), '\u001b[31mx\u001b[39m');
    assert.equal(style(terminal, { NO_COLOR: '1' }), 'x');
    assert.equal(style({ ...terminal, hasColors: () => false }, {}), 'x');
    assert.equal(style({ hasColors: () => true }, {}), 'x');
  });

  test('JSON keeps its value without a character that a terminal or a CI system acts upon', () => {
    const value = { '##[group]': '\u001b[31m\u009b2J\u202e\u2028 ##vso[task] \u{e0041} é 海' };
    const text = sanitizeJson(JSON.stringify(value, undefined, 2));
    assert.deepEqual(JSON.parse(text), value);
    assert.equal(/[^\n\P{C}]|##\w*\[/u.test(text), false);
    assert.ok(text.includes('é 海'));
    assert.equal(sanitizeJson('"\u3164 ☺️👩‍👩‍👧"'), '"\\u3164 ☺️👩‍👩‍👧"');
  });

  suite('of a hostile platform', () => {
    let server: http.Server;
    let baseUrl = '';
    let answer: (url: string) => unknown;
    suiteSetup(async () => {
      server = http.createServer((request, response) => {
        const body = answer(request.url ?? '');
        if (body === undefined) return;
        response.writeHead(body instanceof Error ? 400 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body instanceof Error ? { message: body.message } : body));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    });
    suiteTeardown(() => {
      server.closeAllConnections();
      server.close();
    });
    const KEY = 'a-key-that-is-never-shown';
    const environment = (): Readonly<Record<string, string>> => ({
      SMART_OBJECTS_BASE_URL: baseUrl,
      SMART_OBJECTS_API_KEY: KEY,
    });
    const HOSTILE = '::set-output name=x::\u001b]0;title\u0007\u202eevil\n##vso[task.x]\tnext';

    for (const args of [
      ['list', 'objects'],
      ['list', 'objects', '--format', 'ndjson'],
      ['get', 'objects', 'x'],
      ['logs'],
      ['history', 'x'],
      ['stats', 'executions'],
      ['check'],
      ['check', '--format', 'json'],
      ['check', '--format', 'markdown'],
    ])
      test(`${args.join(' ')}: neither control characters nor commands of CI systems, nor the credential`, async () => {
        const text = `${HOSTILE} ${KEY}`;
        const object = { id: text, metadata: { name: text, category: text }, owner: text, state_root: text };
        const log = { id: text, action_name: text, action_alias: text, status: text, signer: text, error: text };
        const affected = { ...log, affected_objects: [{ id: 'x', next_state_root: text }], status: 'completed' };
        answer = (url) => {
          if (url.startsWith('/objects/')) return { ...object, id: 'x' };
          if (url.startsWith('/objects')) return { objects: [object] };
          if (url.startsWith('/ebus')) return { action_logs: [log, affected] };
          if (url.startsWith('/stats')) return { data: [{ key: text, when: '2026-01-01T00:00:00Z', count: 1 }] };
          return new Error(text);
        };
        const { stdout, stderr } = await runProgram(args, { environment: environment() });
        assert.notEqual(stdout, '', stderr);
        for (const part of [stdout, stderr]) {
          assert.equal(/[^\n\t\P{C}]|^ *::|##\w*\[/mu.test(part), false, JSON.stringify(part));
          assert.equal(part.includes(KEY), false);
        }
      });

    test('an error message of the platform is one line, without the credential', async () => {
      answer = () => new Error(`${HOSTILE} ${KEY}`);
      const { code, stderr } = await runProgram(['list', 'objects'], { environment: environment() });
      assert.equal(code, 1);
      assert.equal(stderr.split('\n').length, 2);
      assert.equal(/[^\n\P{C}]|##\w*\[/u.test(stderr) || stderr.includes(KEY), false, stderr);
    });

    test('a message of an agent that is too long ends the server with one sentence', async () => {
      const { child, ended } = startProgram(['mcp'], { environment: environment(), keepInput: true });
      // It ends before it has read everything.
      child.stdin?.on('error', () => undefined);
      child.stdin?.write('x'.repeat(11 * 1024 * 1024));
      const { code, stdout, stderr } = await ended;
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^error: The connection to the agent was closed: it sent a message over 10 MB\.\n$/);
    });

    // Only Linux has a device that is always full.
    if (fs.existsSync('/dev/full'))
      test('output that cannot be written is one sentence', async () => {
        answer = () => ({ id: 'x' });
        for (const args of [['get', 'objects', 'x'], ['--help']]) {
          const full = fs.openSync('/dev/full', 'w');
          const child = spawn(process.execPath, [getProgram(), ...args], {
            env: { ...CHILD_ENVIRONMENT, ...environment() },
            stdio: ['ignore', full, 'pipe'],
          });
          let errors = '';
          child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
          const [code] = (await once(child, 'close')) as unknown[];
          fs.closeSync(full);
          assert.equal(code, 1);
          assert.match(errors, /^error: The output cannot be written: ENOSPC: .*\.\n$/);
        }
      });

    test('a platform that does not answer is left after --timeout, or at Ctrl-C', async () => {
      answer = () => undefined;
      const late = await runProgram(['list', 'objects', '--timeout', '0.3'], { environment: environment() });
      assert.equal(late.code, 1);
      assert.match(late.stderr, /Try again, or specify a longer --timeout\.$/m);
      const arrived = Promise.withResolvers<undefined>();
      // Its request may arrive only now.
      answer = (url) => {
        if (!url.startsWith('/objects')) arrived.resolve(undefined);
      };
      const { child, ended } = startProgram(['list', 'templates'], { environment: environment() });
      await arrived.promise;
      child.kill('SIGINT');
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 130);
      assert.equal(stdout + stderr, '');
    });
  });
});
