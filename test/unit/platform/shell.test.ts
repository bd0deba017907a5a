/** Copied commands: a real `sh`, and PowerShell by its rules, take every word as it stands and evaluate nothing. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { runnerCommand } from '../../../src/actions/runner-command.ts';
import { variablesOf } from '../../../src/connections/curl.ts';
import { commandLine, curlCommand, shellWord } from '../../../src/platform/shell.ts';
import { defaultPresentation } from '../../../src/platform/target.ts';

const run = promisify(execFile);

/**
 * The words of a PowerShell command line, by the rules of about_Parsing and about_Quoting_Rules, as far as our commands
 * need them. Throws for everything that would be evaluated, split or joined otherwise.
 */
function powerShellWords(line: string): string[] {
  const isQuote = (char: string | undefined): boolean => char !== undefined && /['\u2018-\u201b]/.test(char);
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === ' ') {
      at++;
      continue;
    }
    let word = '';
    if (isQuote(line[at])) {
      at++;
      for (;;) {
        assert.ok(at < line.length, 'a string that does not end');
        if (isQuote(line[at])) {
          // Two are one, and it is the second that stays.
          if (!isQuote(line[at + 1])) break;
          at++;
        }
        word += line.charAt(at);
        at++;
      }
      at++;
      assert.ok(at === line.length || line[at] === ' ', `a string that goes on at ${String(at)}: ${line}`);
    } else {
      while (at < line.length && line[at] !== ' ') word += line.charAt(at++);
      assert.match(word, /^(?:--)?[\w./:][\w./:=@-]*$/, `evaluated: ${word}`);
    }
    words.push(word);
  }
  return words;
}

const nasty = fc.constantFrom(
  "'",
  '$(calc)',
  '`id`',
  '"',
  '‘',
  '’',
  '‚',
  '‛',
  '“',
  '$env:PATH',
  ';',
  '|',
  '&',
  '@',
  '#',
);
const other = fc.constantFrom('--%', '%PATH%', '(', ')', '{', ',', ' ', '*', '~', '\\', '!', '-', '=', 'ü', '😀', '..');
const word = fc
  .array(fc.oneof(nasty, other, fc.string({ minLength: 1 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
  .filter((text) => text.isWellFormed() && !/\p{Cc}/u.test(text));
const passable = word.filter((text) => !/"|\\$/.test(text));

suite('commands for a shell', () => {
  const file = "a'$(calc)'b.action.json";
  const target = { name: 'Live & kicking', baseUrl: 'http://127.0.0.1:1', presentation: defaultPresentation };

  test('the runner’s command evaluates nothing of a file’s name', () => {
    assert.equal(
      runnerCommand('/opt/cli.mjs', file, target, 'posix'),
      `node /opt/cli.mjs 'a'\\''$(calc)'\\''b.action.json' --base-url http://127.0.0.1:1 --name 'Live & kicking'`,
    );
    const command = runnerCommand('C:\\it is\\cli.mjs', file, target, 'powershell');
    assert.equal(
      command,
      `node 'C:\\it is\\cli.mjs' 'a''$(calc)''b.action.json' --base-url http://127.0.0.1:1 --name 'Live & kicking'`,
    );
    assert.deepEqual(powerShellWords(command).slice(2, 3), [file]);
  });

  test('an empty value and one with a dash stay with their option', () => {
    const presentation = { apiKeyHeader: '-x', tokenHeader: 'Authorization', tokenPrefix: '' };
    const command = runnerCommand('cli.mjs', '-rf.action.json', { ...target, presentation }, 'powershell');
    assert.match(command, /^node cli\.mjs \.\/-rf\.action\.json .* --api-key-header=-x --token-prefix=$/);
  });

  test('sh takes any words as they stand', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (words) => {
        const { stdout } = await run('sh', ['-c', commandLine(['printf', '%s\\n', ...words], 'posix')]);
        assert.deepEqual(stdout.split('\n').slice(0, -1), words);
      }),
      { numRuns: 60 },
    );
  });

  test('PowerShell takes any words as they stand, and what it cannot pass on is refused', () => {
    fc.assert(
      fc.property(fc.array(passable, { minLength: 1, maxLength: 4 }), (words) => {
        assert.deepEqual(powerShellWords(commandLine(['node', ...words], 'powershell')), ['node', ...words]);
      }),
      { numRuns: 2000 },
    );
    for (const bad of ['a"b', 'a\\']) assert.throws(() => shellWord(bad, 'powershell'), /PowerShell cannot pass on/);
  });

  test('what a terminal would obey is not copied', () => {
    for (const shell of ['posix', 'powershell'] as const)
      assert.throws(() => commandLine(['node', 'a\u0003\ncalc\n.json'], shell), /control characters/);
  });

  test('cURL in PowerShell: the body through the pipe in ASCII, the credential from the environment', () => {
    const body = JSON.stringify({ action: { x: `it's ‘quoted’ "ü" 😀 $(calc) | \`id\`` } });
    const command = curlCommand(
      {
        method: 'POST',
        url: "https://a.example/x?y='$(calc)'",
        secrets: [{ header: 'authorization', prefix: 'Bearer ', variable: 'SMART_OBJECTS_ACCESS_TOKEN' }],
        body,
      },
      'powershell',
    );
    const [first = '', ...options] = command.split('\n');
    assert.ok(first.endsWith(' |'));
    const [piped = ''] = powerShellWords(first.slice(0, -2));
    assert.match(piped, /^[\x20-\x7e]*$/);
    assert.deepEqual(JSON.parse(piped), JSON.parse(body));
    assert.deepEqual(options, [
      "  curl.exe --globoff --request POST 'https://a.example/x?y=''$(calc)''' `",
      "  --header 'accept: application/json' `",
      "  --header ('authorization: Bearer ' + $env:SMART_OBJECTS_ACCESS_TOKEN) `",
      "  --header 'content-type: application/json' `",
      "  --data-binary '@-'",
    ]);
    assert.equal(variablesOf(command), '$env:SMART_OBJECTS_ACCESS_TOKEN');
    assert.equal(
      variablesOf(
        curlCommand(
          {
            method: 'POST',
            url: 'https://a.example',
            secrets: [],
            body: '{"a": "\' |\\n  curl.exe $env:SMART_OBJECTS_API_KEY"}',
          },
          'powershell',
        ),
      ),
      '',
    );
  });
});
