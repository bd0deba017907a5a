/** The signer: canonical JSON as input, a signature as output, and failing programs. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { canonicalAction, sign, SignerError } from '../../../../src/actions/run/signer.ts';

const ACTION = '{"mint":{"template_id":"t","num":1,"é":[3,1.50,2e1]}}';
/** A signer that runs a script, without a shell. */
const program = (code: string): readonly string[] => [process.execPath, '-e', code];
const signWith = (command: readonly string[], timeout = 60_000, secrets: readonly string[] = []): Promise<string> =>
  sign(ACTION, { command, timeout, secrets });
const refused =
  (why: RegExp) =>
  (error: unknown): boolean =>
    error instanceof SignerError && why.test(error.message);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

suite('signer', () => {
  test('the program reads RFC 8785 and its line is the signature', async () => {
    assert.equal(canonicalAction(ACTION), '{"mint":{"num":1,"template_id":"t","é":[3,1.5,20]}}');
    const echo =
      "let t='';process.stdin.on('data',(d)=>t+=d).on('end',()=>console.log(Buffer.from(t).toString('hex')))";
    assert.equal(await signWith(program(echo)), Buffer.from(canonicalAction(ACTION)).toString('hex'));
  });

  test('arguments are passed unchanged, without a shell', async () => {
    const signature = await signWith([process.execPath, '-e', 'console.log(process.argv[1])', '$(id);`id`&&x']);
    assert.equal(signature, '$(id);`id`&&x');
  });

  test('the program inherits no credential and no value of ${secret:…}', async () => {
    const names = [
      'SMART_OBJECTS_API_KEY',
      'SMART_OBJECTS_ACCESS_TOKEN',
      'SMART_OBJECTS_SECRET_PIN',
      'smart_objects_x',
    ];
    for (const name of names) process.env[name] = 'leaked';
    process.env['SIGNER_SMART_OBJECTS_SETTING'] = 'kept';
    try {
      const show =
        "console.log(Object.entries(process.env).filter(([,v])=>v==='leaked'||v==='kept').map(([n])=>n).join())";
      assert.equal(await signWith(program(show)), 'SIGNER_SMART_OBJECTS_SETTING');
    } finally {
      for (const name of [...names, 'SIGNER_SMART_OBJECTS_SETTING']) Reflect.deleteProperty(process.env, name);
    }
  });

  test('a number that canonical JSON would round is not signed', () => {
    for (const text of ['{"n":9007199254740993}', '{"a":1,"b":null,"c":[0,{"n":9007199254740993}]}'])
      assert.throws(() => canonicalAction(text), refused(/can’t represent exactly/));
    assert.equal(canonicalAction('{"b":null,"a":1}'), '{"a":1,"b":null}');
  });

  test('half of a surrogate pair has no canonical form', () => {
    assert.throws(() => canonicalAction(String.raw`{"a":"\ud800"}`), refused(/no canonical form: Lone surrogate/));
  });

  test('a missing program is reported', () => assert.rejects(signWith(['/no/such/program']), refused(/was not found/)));
  test('a program that cannot be started is reported', () =>
    assert.rejects(signWith(['sign\0.cmd']), refused(/could not be started. It must be an executable such as node/)));
  test('a file that is no program is reported', () =>
    assert.rejects(signWith([import.meta.filename]), refused(/could not be started \([A-Z]+\)$/)));
  test('a command without a program is reported', async () => {
    for (const command of [[], ['', 'x']])
      await assert.rejects(signWith(command), refused(/does not specify a program/));
  });
  test('need not read its input', async () => {
    const text = JSON.stringify({ mint: { note: 'x'.repeat(5_000_000) } });
    const command = program("process.stdin.destroy();console.log('0xab')");
    assert.equal(await sign(text, { command, timeout: 60_000, secrets: [] }), '0xab');
  });
  test('a program that is left is ended', async () => {
    let pid: number | undefined;
    // A busy machine may not start the program in time.
    for (let timeout = 500; pid === undefined; timeout *= 2)
      await assert.rejects(
        signWith(program('console.error(process.pid);setInterval(()=>{},1000)'), timeout),
        (error: unknown) => {
          assert.ok(error instanceof SignerError);
          const [match, printed] = /within [\d.]+ s(?:: (\d+))?$/.exec(error.message) ?? [];
          if (printed !== undefined) pid = Number(printed);
          return match !== undefined;
        },
      );
    while (isRunning(pid)) await setImmediate();
  });
  test('a program that does not end when it is asked to is ended after a cancel, too', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'signer-'));
    try {
      const file = path.join(folder, 'pid');
      const script =
        "process.on('SIGTERM',()=>{});setInterval(()=>{},1000);require('fs').writeFileSync(process.argv[1],String(process.pid))";
      const stop = new AbortController();
      const options = { command: [...program(script), file], timeout: 60_000, secrets: [], signal: stop.signal };
      const canceled = assert.rejects(sign(ACTION, options), refused(/was canceled/));
      let pid = 0;
      while (pid === 0) {
        await setImmediate();
        pid = Number(await fs.readFile(file, 'utf8').catch(() => ''));
      }
      stop.abort();
      await canceled;
      while (isRunning(pid)) await setImmediate();
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  });
  test('hangs', () => assert.rejects(signWith(program('setInterval(()=>{},1000)'), 150), refused(/within 0.15 s/)));
  test('prints nothing', async () => {
    for (const text of ['', ' ', '\n\n'])
      await assert.rejects(
        signWith(program(`process.stdout.write(${JSON.stringify(text)})`)),
        refused(/printed no signature$/),
      );
  });
  test('prints megabytes', () =>
    assert.rejects(
      signWith(program("const w=()=>process.stdout.write('x'.repeat(1e6),w);w()")),
      refused(/more than 1,024 KB/),
    ));
  test('ends with another exit code', () =>
    assert.rejects(signWith(program("console.log('sig');process.exitCode=3")), refused(/exited with code 3/)));
  test('is terminated', () =>
    assert.rejects(
      signWith(program("process.kill(process.pid,'SIGKILL')")),
      refused(process.platform === 'win32' ? /exited with code 1/ : /was terminated by SIGKILL/),
    ));
  test('leaves no timer that keeps this process alive', async () => {
    await signWith(program("console.log('0xab')"));
    const countTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = countTimers();
    await signWith(program("console.log('0xab')"));
    assert.ok(countTimers() <= before);
  });
  test('writes to standard error alone', () =>
    assert.rejects(
      signWith(program("console.error('no key\\u001b[31m here')")),
      refused(/no signature: no key .*here$/),
    ));
  test('values of variables are redacted in its error output', async () => {
    const secret = 'TOP "secret" value';
    const script = `console.error('x'.repeat(480)+' bad payload '+${JSON.stringify(JSON.stringify({ a: secret }))});process.exitCode=1`;
    await assert.rejects(
      signWith(program(script), 60_000, [secret]),
      (error: unknown) =>
        error instanceof SignerError && error.message.includes('xx bad') && !/TOP|secret/.test(error.message),
    );
  });
  test('ends its line with CRLF', async () => {
    assert.equal(await signWith(program("process.stdout.write('0xab\\r\\n')")), '0xab');
  });
  test('prints more than one word', async () => {
    for (const text of ['0xab done', 'é0xab', '0xabé', '0xab\n0xcd', '0xab\n\n'])
      await assert.rejects(
        signWith(program(`process.stdout.write(${JSON.stringify(text)})`)),
        refused(/one line of ASCII characters/),
      );
  });
  test('prints binary', () =>
    assert.rejects(
      signWith(program('process.stdout.write(Buffer.from([0xff,0,1,2]))')),
      refused(/one line of ASCII characters/),
    ));

  test('cancelling ends the program', async () => {
    const controller = new AbortController();
    const signing = sign(ACTION, {
      command: program('setInterval(()=>{},1000)'),
      timeout: 60_000,
      secrets: [],
      signal: controller.signal,
    });
    controller.abort();
    await assert.rejects(signing, refused(/was canceled/));
    const [command, signal] = [program("console.log('0xab')"), AbortSignal.abort()];
    await assert.rejects(sign(ACTION, { command, timeout: 60_000, secrets: [], signal }), refused(/was canceled/));
  });
});
