/** Copied commands: a real `sh`, and PowerShell by its rules, pass every argument unchanged. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { formatRunnerCommand } from '../../../../src/actions/copy/runner-command.ts';
import { listCredentialVariables } from '../../../../src/connections/session/session-curl.ts';
import { formatCommandLine, formatCurlCommand, quoteShellArgument } from '../../../../src/model/text/shell.ts';
import { defaultCredentialHeaderNames } from '../../../../src/platform/http/credential-headers.ts';

const run = promisify(execFile);

/**
 * The words of a PowerShell command line, by the rules of about_Parsing and about_Quoting_Rules, as far as our commands
 * need them. Throws for everything that would be evaluated, split or joined otherwise.
 */
function splitPowerShell(line: string): string[] {
  const isQuote = (char: string | undefined): boolean => char !== undefined && /['\u2018-\u201b]/.test(char);
  const parts: string[] = [];
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
    parts.push(word);
  }
  return parts;
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
  const target = {
    name: 'Live & kicking',
    baseUrl: 'http://127.0.0.1:1',
    credentialHeaderNames: defaultCredentialHeaderNames,
  };

  test('the runner’s command evaluates nothing of a file’s name', () => {
    assert.equal(
      formatRunnerCommand('/opt/cli.mjs', file, target, 'posix'),
      `node /opt/cli.mjs run 'a'\\''$(calc)'\\''b.action.json' --base-url http://127.0.0.1:1 --name 'Live & kicking'`,
    );
    const command = formatRunnerCommand('C:\\it is\\cli.mjs', file, target, 'powershell');
    assert.equal(
      command,
      `node 'C:\\it is\\cli.mjs' run 'a''$(calc)''b.action.json' --base-url http://127.0.0.1:1 --name 'Live & kicking'`,
    );
    assert.deepEqual(splitPowerShell(command).slice(3, 4), [file]);
  });

  test('an empty value and one with a dash stay with their option', () => {
    const credentialHeaderNames = { apiKeyHeader: '-x', tokenHeader: 'Authorization', tokenPrefix: '' };
    const command = formatRunnerCommand(
      'cli.mjs',
      '-rf.action.json',
      { ...target, credentialHeaderNames },
      'powershell',
    );
    assert.match(command, /^node cli\.mjs run \.\/-rf\.action\.json .* --api-key-header=-x --token-prefix=$/);
  });

  test('sh passes any argument unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (parts) => {
        const { stdout } = await run('sh', ['-c', formatCommandLine(['printf', '%s\\n', ...parts], 'posix')]);
        assert.deepEqual(stdout.split('\n').slice(0, -1), parts);
      }),
      { numRuns: 60 },
    );
  });

  test('PowerShell passes any argument unchanged, or the argument is refused', () => {
    fc.assert(
      fc.property(fc.array(passable, { minLength: 1, maxLength: 4 }), (parts) => {
        assert.deepEqual(splitPowerShell(formatCommandLine(['node', ...parts], 'powershell')), ['node', ...parts]);
      }),
      { numRuns: 2000 },
    );
    for (const bad of ['a"b', 'a\\'])
      assert.throws(() => quoteShellArgument(bad, 'powershell'), /PowerShell can’t pass/);
  });

  test('control characters are refused', () => {
    for (const shell of ['posix', 'powershell'] as const)
      assert.throws(() => formatCommandLine(['node', 'a\u0003\ncalc\n.json'], shell), /control characters/);
  });

  test('cURL in PowerShell: the body through the pipe in ASCII, the credential from the environment', () => {
    const body = JSON.stringify({ action: { x: `it's ‘quoted’ "ü" 😀 $(calc) | \`id\`` } });
    const command = formatCurlCommand(
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
    const [piped = ''] = splitPowerShell(first.slice(0, -2));
    assert.match(piped, /^[\x20-\x7e]*$/);
    assert.deepEqual(JSON.parse(piped), JSON.parse(body));
    assert.deepEqual(options, [
      "  curl.exe --globoff --request POST 'https://a.example/x?y=''$(calc)''' `",
      "  --header 'accept: application/json' `",
      "  --header ('authorization: Bearer ' + $env:SMART_OBJECTS_ACCESS_TOKEN) `",
      "  --header 'content-type: application/json' `",
      "  --data-binary '@-'",
    ]);
    assert.equal(listCredentialVariables(command), '$env:SMART_OBJECTS_ACCESS_TOKEN');
    assert.equal(
      listCredentialVariables(
        formatCurlCommand(
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
