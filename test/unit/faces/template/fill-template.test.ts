import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fillInSteps, fillTemplate, LIMITS, NOT_SUPPORTED } from '../../../../src/faces/template/fill-template.ts';

const data = {
  id: 'o_1',
  nil: null,
  name: '<Tom>',
  list: ['a', 'b', { x: 1 }],
  map: { k: 'v', deep: { er: [1, 2.5, true, null] } },
  n: 12,
  // Stored with all digits by the client.
  big: JSON.rawJSON('12345678901234567890'),
};

suite('face template: reports', () => {
  test('a missing value is reported once, with its position', () => {
    const { text, unresolved, errors } = fillTemplate(
      '<p>\n  {{.gone}} {{.map.gone}}{{range .list}}{{$.no}}{{end}}</p>',
      data,
    );
    assert.equal(text, '<p>\n   </p>');
    assert.deepEqual(errors, []);
    assert.deepEqual(unresolved, [
      { placeholder: '{{.gone}}', line: 2, column: 3, reason: 'Field .gone does not exist' },
      { placeholder: '{{.map.gone}}', line: 2, column: 13, reason: 'Field .map.gone does not exist' },
      { placeholder: '{{$.no}}', line: 2, column: 41, reason: 'Field .no does not exist' },
    ]);
  });

  test('conditions on missing values and nulls are not reported', () => {
    assert.deepEqual(fillTemplate('{{if .gone}}x{{end}}{{or .gone "y"}}{{.nil}}', data).unresolved, []);
  });

  test('an action at which Go stops is left out and reported, and the rest continues', () => {
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

  test('after an action at which Go stops, values are printed only in the contexts for which they are escaped', () => {
    const values = { id: 'a', script: 'alert(1)', address: 'javascript:alert(1)', attribute: 'x onclick=alert(1)' };
    const filled: Readonly<Record<string, string>> = {
      '<p onclick={{.id.x}} title={{.script}}>': '<p onclick=&#34;&#34; title=alert(1)>',
      '<p title={{.id.x}} data-a={{.script}}>': '<p title=ZgotmplZ data-a=alert(1)>',
      '<p o{{.id.x}}nclick={{.script}}>': '<p oZgotmplZnclick=alert(1)>',
      '<p {{if .id.x}}title="{{else}}alt="{{end}}{{.attribute}}">': '<p alt="x onclick=alert(1)">',
      '<a href="{{with $v := .id.x}}/a{{else}}/b{{$v}}{{end}}{{.address}}">': '<a href="/bjavascript:alert%281%29">',
      '{{range .id}}<script>{{else}}<script>{{end}}{{.script}}</script>': '<script>"alert(1)"</script>',
      '{{define "end"}}</script>{{end}}<script>{{template "end" .id.x}}{{.script}}': '<script></script>alert(1)',
    };
    for (const [template, expected] of Object.entries(filled)) {
      const { text, errors } = fillTemplate(template, values);
      assert.equal(text, expected);
      assert.deepEqual(
        errors.map(({ phase }) => phase),
        ['execute'],
      );
    }
  });

  test('each placeholder stays and is listed where Go rejects the template', () => {
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

  test('without an object the source is unchanged, and each placeholder is listed', () => {
    const { text, unresolved, errors } = fillTemplate('<b>{{.id}}</b>', undefined);
    assert.equal(text, '<b>{{.id}}</b>');
    assert.deepEqual(unresolved, [{ placeholder: '{{.id}}', line: 1, column: 4, reason: 'No object selected' }]);
    assert.deepEqual(errors, []);
  });

  test('integers past 2^53 are float64, as in Go', () => {
    assert.equal(fillTemplate('<i title="{{.big}}">', data).text, '<i title="1.2345678901234567e&#43;19">');
    assert.equal(fillTemplate('<script>{{.big}}</script>', data).text, '<script> 12345678901234567000 </script>');
  });

  test('inherited properties are not data', () => {
    const { text, unresolved } = fillTemplate('{{.constructor}}{{.__proto__}}{{index .map "toString"}}', data);
    assert.equal(text, '');
    assert.equal(unresolved.length, 2);
  });

  test('a text without placeholders is returned unchanged', () => {
    const text = '<!-- kept --> <b>x < y</b> }}';
    assert.deepEqual(fillTemplate(text, data), { text, unresolved: [], errors: [] });
  });

  test('unsupported features are listed', () => {
    assert.ok(
      NOT_SUPPORTED.some((line) => line.includes('%[1]d')) && NOT_SUPPORTED.some((line) => line.includes('1i')),
    );
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
  test('length of the face; the output before is kept', () => {
    const { text, errors } = fillTemplate('ab{{.id}}{{.name}}', data, { ...LIMITS, output: 6 });
    assert.equal(text, 'abo_1');
    assert.equal(errors[0]?.phase, 'limit');
  });
  test('work: ranges in ranges', () => {
    limited(`${'{{range $.list}}'.repeat(40)}x${'{{end}}'.repeat(40)}`);
  });
  test('work: functions and conditions cost the size of their values', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => [`k${String(index)}`, index] as const);
    const big = {
      list: Array.from({ length: 100 }, () => 0),
      s: 'x'.repeat(100_000),
      t: 'x'.repeat(100_000),
      long: Array.from({ length: 100_000 }, () => 0),
      lists: Array.from({ length: 100_000 }, () => []),
      map: Object.fromEntries(keys),
    };
    const actions = [
      '{{len $.s}}',
      '{{len $.map}}',
      '{{slice $.s 1 2}}',
      '{{$x := slice $.long 1}}',
      '{{index $.s 1}}',
      '{{lt $.s $.t}}',
      '{{eq $.s $.t}}',
      '{{if $.map}}{{end}}',
      '{{with $.map}}{{end}}',
      '{{and $.map 1}}',
      '{{not $.map}}',
      '{{range $.map}}{{break}}{{end}}',
      '{{printf "%.0s" $.s}}',
      '{{$x := print $.lists}}',
      '<script>{{$.lists}}</script>',
    ];
    for (const action of actions) {
      const { errors } = fillTemplate(`{{range .list}}${action}{{end}}`, big);
      assert.equal(errors[0]?.phase, 'limit', action);
    }
    const precise = fillTemplate(`{{range .long}}{{printf "%.9999g" 0.1}}{{end}}`, big, { ...LIMITS, work: 200_000 });
    assert.ok(precise.text.length < 2000);
  });
  test('work: variables in scope', () => {
    const declare = (count: number): string =>
      Array.from({ length: count }, (_, index) => `{{$v${String(index)} := 1}}`).join('');
    limited(declare(1001));
    assert.equal(fillTemplate(`${declare(900)}{{if .id}}${declare(90)}{{end}}{{$v0}}`, data).text, '1');
  });
  test('long work is done in steps', () => {
    const steps = (template: string): number => {
      const filling = fillInSteps(template, data);
      let count = 0;
      while (filling.next().done !== true) count++;
      return count;
    };
    assert.equal(steps('{{range .list}}<b>{{.}}</b>{{end}}'), 0);
    assert.ok(steps('{{range $.list}}'.repeat(40) + '{{end}}'.repeat(40)) >= 30, 'executing');
    assert.ok(steps(`{{.id}}<script>${"''".repeat(200_000)}</script>`) >= 5, 'escaping');
  });
  test('work: a variable that doubles', () => {
    limited(`{{$x := "aaaaaaaa"}}${'{{$x = print $x $x}}'.repeat(60)}`);
  });
  test('work: ranges whose context changes at each level', () => {
    const depth = 60;
    const template = `<script>${'{{range .list}}/'.repeat(depth)}${'{{end}}'.repeat(depth)}</script>`;
    // As Go does, and not after 2 to the power of 60 contexts.
    assert.match(fillTemplate(template, data).errors[0]?.message ?? '', /branches end in different contexts/);
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

  const name = fc.constantFrom(
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
    .tuple(fc.constantFrom('{{', '{{- '), fc.array(name, { maxLength: 5 }), fc.constantFrom('}}', ' -}}', '}', ''))
    .map(([open, names, close]) => open + names.join(' ') + close);
  const statement = fc.constantFrom(
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
    .array(fc.oneof(html, statement, action, fc.string({ maxLength: 8 })), { maxLength: 30 })
    .map((parts) => parts.join(''));
  // Well-formed pages, with actions of every kind in every place.
  const validAction = fc.constantFrom(
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
  const validTemplate = fc
    .array(fc.tuple(frame, validAction), { maxLength: 8 })
    .map((pieces) => pieces.map(([outer, inner]) => outer.replaceAll('@', () => inner)).join('\n'));
  /** maximum output of a short template */
  const small = { source: 100_000, output: 20_000, work: 100_000 };

  test('10,000 random templates: none throws, runs forever or lets a script in', () => {
    let filledOnes = 0;
    fc.assert(
      fc.property(fc.oneof(template, validTemplate), (source) => {
        const { text, errors, unresolved } = fillTemplate(source, data, small);
        assert.ok(text.length <= Math.max(small.output, source.length));
        if (errors.length === 0 && source.includes('{{')) filledOnes++;
        for (const { line, column, placeholder } of [...errors, ...unresolved])
          assert.ok(line >= 1 && column >= 1 && source.includes(placeholder));
        // Markup of the object never becomes markup of the page.
        assert.ok(!text.includes('<Tom>'));
      }),
      { numRuns: 10_000 },
    );
    // A generator with only rejected templates would prove nothing.
    assert.ok(filledOnes > 1500, String(filledOnes));
  });
});
