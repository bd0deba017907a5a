/** What the filler tells about a face: what stays unresolved, where, and that no template can take it too far. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fillTemplate, LIMITS, NOT_SUPPORTED } from '../../../../src/faces/template/index.ts';

const data = {
  id: 'o_1',
  nil: null,
  name: '<Tom>',
  list: ['a', 'b', { x: 1 }],
  map: { k: 'v', deep: { er: [1, 2.5, true, null] } },
  n: 12,
  // Kept to the digit by the client.
  big: JSON.rawJSON('12345678901234567890'),
};

suite('face template: what is told', () => {
  test('what is missing, once, with its place', () => {
    const { text, unresolved, errors } = fillTemplate(
      '<p>\n  {{.gone}} {{.map.gone}}{{range .list}}{{$.no}}{{end}}</p>',
      data,
    );
    assert.equal(text, '<p>\n   </p>');
    assert.deepEqual(errors, []);
    assert.deepEqual(unresolved, [
      { placeholder: '{{.gone}}', line: 2, column: 3, reason: 'there is no .gone' },
      { placeholder: '{{.map.gone}}', line: 2, column: 13, reason: 'there is no .map.gone' },
      { placeholder: '{{$.no}}', line: 2, column: 41, reason: 'there is no .no' },
    ]);
  });

  test('asking whether something is there, or a null, is no gap', () => {
    assert.deepEqual(fillTemplate('{{if .gone}}x{{end}}{{or .gone "y"}}{{.nil}}', data).unresolved, []);
  });

  test('an action where Go stops is left out, told, and the rest goes on', () => {
    const { text, unresolved, errors } = fillTemplate('a{{.id.x}}b{{index .list 9}}c', data);
    assert.equal(text, 'abc');
    assert.deepEqual(
      errors.map(({ phase, placeholder, column }) => [phase, placeholder, column]),
      [
        ['execute', '{{.id.x}}', 2],
        ['execute', '{{index .list 9}}', 12],
      ],
    );
    assert.equal(unresolved.length, 2);
  });

  test('where Go refuses the whole, each placeholder stays and is listed', () => {
    const { text, unresolved, errors } = fillTemplate('{{.id}}\n{{nope}}', data);
    assert.equal(text, '{{.id}}\n{{nope}}');
    assert.deepEqual(
      unresolved.map(({ placeholder, line }) => [placeholder, line]),
      [
        ['{{.id}}', 1],
        ['{{nope}}', 2],
      ],
    );
    assert.deepEqual([errors[0]?.placeholder, errors[0]?.line, errors[0]?.column], ['{{nope}}', 2, 1]);
  });

  test('without an object the source stays, and each placeholder is listed', () => {
    const { text, unresolved, errors } = fillTemplate('<b>{{.id}}</b>', undefined);
    assert.equal(text, '<b>{{.id}}</b>');
    assert.deepEqual(unresolved, [{ placeholder: '{{.id}}', line: 1, column: 4, reason: 'no object is chosen' }]);
    assert.deepEqual(errors, []);
  });

  test('integers past 2^53 are float64, as in Go', () => {
    assert.equal(fillTemplate('<i title="{{.big}}">', data).text, '<i title="1.2345678901234567e&#43;19">');
    assert.equal(fillTemplate('<script>{{.big}}</script>', data).text, '<script> 12345678901234567000 </script>');
  });

  test('what JavaScript objects inherit is not data', () => {
    const { text, unresolved } = fillTemplate('{{.constructor}}{{.__proto__}}{{index .map "toString"}}', data);
    assert.equal(text, '');
    assert.equal(unresolved.length, 2);
  });

  test('a text without placeholders is given back untouched', () => {
    const text = '<!-- kept --> <b>x < y</b> }}';
    assert.deepEqual(fillTemplate(text, data), { text, unresolved: [], errors: [] });
  });

  test('what is not supported is listed in words', () => {
    assert.ok(NOT_SUPPORTED.length > 0 && NOT_SUPPORTED.every((line) => line.length > 10));
    assert.match(fillTemplate('{{printf "%[1]d" 1}}', data).errors[0]?.message ?? '', /not supported/);
    assert.match(fillTemplate('{{1i}}', data).errors[0]?.message ?? '', /not supported/);
  });
});

suite('face template: bounds', () => {
  const limited = (template: string, limits = LIMITS): void => {
    assert.equal(fillTemplate(template, data, limits).errors[0]?.phase, 'limit');
  };

  test('length of the template', () => {
    limited(`{{.id}}${'x'.repeat(LIMITS.source)}`);
  });
  test('length of the face, and what came before it stays', () => {
    const { text, errors } = fillTemplate('ab{{.id}}{{.name}}', data, { ...LIMITS, output: 6 });
    assert.equal(text, 'abo_1');
    assert.equal(errors[0]?.phase, 'limit');
  });
  test('work: ranges in ranges', () => {
    limited(`${'{{range $.list}}'.repeat(40)}x${'{{end}}'.repeat(40)}`);
  });
  test('work: a variable that doubles', () => {
    limited(`{{$x := "aaaaaaaa"}}${'{{$x = print $x $x}}'.repeat(60)}`);
  });
  test('work: ranges whose context changes at each level', () => {
    const depth = 60;
    fillTemplate(`<script>${'{{range .list}}/'.repeat(depth)}${'{{end}}'.repeat(depth)}</script>`, data);
  });
  test('depth: lists, parentheses, calls', () => {
    limited(`${'{{if .id}}'.repeat(5000)}${'{{end}}'.repeat(5000)}`);
    limited(`{{${'('.repeat(5000)}.id${')'.repeat(5000)}}}`);
    limited('{{define "r"}}{{template "r" .}}{{end}}{{template "r" .}}');
  });
  test('depth: data', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    for (const template of ['{{.}}', '{{len .}}']) fillTemplate(template, deep);
    assert.equal(fillTemplate('{{.}}', deep).errors.length, 1);
  });

  const word = fc.constantFrom(
    ...['.', '.id', '.nil', '.gone', '.list', '.map.deep', '.n', '$', '$x', '$x := .n', '$x = 1', '$i, $e := .list'],
    ...[
      '1',
      '-2.5',
      '0x1F',
      '"s\\n"',
      '`raw`',
      "'c'",
      'true',
      'nil',
      '(index .list 0)',
      '(len .list).x',
      '|',
      ',',
      '=',
    ],
    ...[
      'and',
      'or',
      'not',
      'len',
      'index',
      'slice',
      'print',
      'printf "%5.2f %v %q"',
      'println',
      'html',
      'js',
      'urlquery',
    ],
    ...['eq', 'ne', 'lt', 'le', 'call', 'if', 'else', 'else if', 'end', 'range', 'with', 'break', 'continue'],
    ...['template "t"', 'define "t"', 'block "b"', '/* c */', '-', '(', ')', '"', '\\', '\u0000', '😀'],
  );
  const action = fc
    .tuple(fc.constantFrom('{{', '{{- '), fc.array(word, { maxLength: 5 }), fc.constantFrom('}}', ' -}}', '}', ''))
    .map(([open, words, close]) => open + words.join(' ') + close);
  const whole = fc.constantFrom(
    ...[
      '{{.id}}',
      '{{range .list}}',
      '{{if .n}}',
      '{{else}}',
      '{{end}}',
      '{{with .map}}',
      '{{define "t"}}',
      '{{template "t" .}}',
    ],
    '{{range $k, $v := .map}}{{$k}}{{end}}',
  );
  const html = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<a href="',
      '<a href=',
      '"',
      "'",
      '>',
      '<script>',
      '</script>',
      '<style>',
      '</style>',
      '<!--',
      '-->',
    ],
    ...[
      'url(',
      ')',
      '/*',
      '*/',
      '//',
      '/',
      '\n',
      '`',
      '=',
      ' onclick="',
      " style='",
      ' srcset="',
      '<textarea>',
      '</textarea>',
    ],
    ...['<svg>', '\\', '[', ']', '&quot;', '&#x2f;', '<', '<!doctype html>', 'x', '?', '#', ' ', '{', '}', '${', '++'],
  );
  const template = fc
    .array(fc.oneof(html, whole, action, fc.string({ maxLength: 8 })), { maxLength: 30 })
    .map((parts) => parts.join(''));
  // Pages that hang together, with actions of every kind in every place.
  const good = fc.constantFrom(
    ...[
      '{{.id}}',
      '{{.name}}',
      '{{.gone.x}}',
      '{{.map}}',
      '{{.list}}',
      '{{index .list 2}}',
      '{{len .list}}',
      '{{.id.x}}',
    ],
    ...['{{printf "%v|%5d|%q" .n 3 .name}}', '{{html .name}}', '{{.name | urlquery}}', '{{range .list}}{{.}}{{end}}'],
    ...[
      '{{if .n}}{{.name}}{{else}}{{.id}}{{end}}',
      '{{with .map.deep}}{{.er}}{{end}}',
      '{{$x := .name}}{{$x}}',
      '{{js .name}}',
    ],
  );
  const frame = fc.constantFrom(
    ...[
      '<p>@</p>',
      '<p title="@">',
      "<p title='@'>",
      '<p title=a@>',
      '<a href="@">',
      '<a href="/x?y=@">',
      '<script>x = @;</script>',
    ],
    ...[
      '<script>f("@")</script>',
      '<p onclick="f(@)">',
      '<style>p{color:@}</style>',
      '<p style="width:@">',
      '<!--@-->',
    ],
    ...[
      '<textarea>@</textarea>',
      '<img srcset="@ 2x">',
      '<style>p{background:url("@")}</style>',
      '<script>/[@]/.test(/*@*/1)</script>',
    ],
  );
  const tidy = fc
    .array(fc.tuple(frame, good), { maxLength: 8 })
    .map((pieces) => pieces.map(([outer, inner]) => outer.replaceAll('@', () => inner)).join('\n'));
  /** of a short template, no more than this may come */
  const small = { source: 100_000, output: 20_000, work: 100_000 };

  test('10,000 templates: none throws, none goes on for ever, none lets a script in', function () {
    this.timeout(120_000);
    let filledOnes = 0;
    fc.assert(
      fc.property(fc.oneof(template, tidy), (source) => {
        const { text, errors, unresolved } = fillTemplate(source, data, small);
        assert.ok(text.length <= Math.max(small.output, source.length));
        if (errors.length === 0 && source.includes('{{')) filledOnes++;
        for (const { line, column, placeholder } of [...errors, ...unresolved])
          assert.ok(line >= 1 && column >= 1 && source.includes(placeholder));
        // The object's own markup never becomes the page's.
        assert.ok(!text.includes('<Tom>'));
      }),
      { numRuns: 10_000 },
    );
    // A generator whose templates are all refused would prove nothing.
    assert.ok(filledOnes > 1500, String(filledOnes));
  });
});
