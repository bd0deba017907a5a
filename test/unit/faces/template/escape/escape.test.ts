/** Contextual escaping of html/template beyond the fixture. */
import assert from 'node:assert/strict';
import { fillTemplate } from '../../../../../src/faces/template/fill-template.ts';

const data = {
  C: '<Cincinatti>',
  E: [],
  T: true,
  F: false,
  A: ['<a>', '<b>'],
  N: 42,
  G: '',
  U: 'javascript:alert(1)',
  Q: 'a b&c=d?e#f',
  S: '\u2028</script>\'"`+',
  X: 'expression(alert(1))',
  nul: null,
  W: 'onclick',
  K: 'title',
  Z: 'red onclick=alert style=x',
};

/** [template, output] */
const escaped: readonly (readonly [string, string])[] = [
  ['{{if .T}}Hello{{end}}, {{.C}}!', 'Hello, &lt;Cincinatti&gt;!'],
  ['<a href="{{.U}}">', '<a href="#ZgotmplZ">'],
  ['<a href="/x/{{.U}}">', '<a href="/x/javascript:alert%281%29">'],
  ['<a href="?q={{.Q}}">', '<a href="?q=a%20b%26c%3dd%3fe%23f">'],
  ['<a href="/{{.Q}}">', '<a href="/a%20b&amp;c=d?e#f">'],
  ['<a href={{.C}}>', '<a href=%3cCincinatti%3e>'],
  ['<a href="{{if .T}}/a{{else}}/b{{end}}/{{.C}}">', '<a href="/a/%3cCincinatti%3e">'],
  ['<a xlink:href="{{.U}}">', '<a xlink:href="#ZgotmplZ">'],
  ['<a data-url="{{.U}}" data-x="{{.U}}">', '<a data-url="#ZgotmplZ" data-x="javascript:alert(1)">'],
  [
    '<button onclick="alert({{.A}})">',
    '<button onclick="alert([&#34;\\u003ca\\u003e&#34;,&#34;\\u003cb\\u003e&#34;])">',
  ],
  [
    "<button onclick='f(&quot;{{.S}}&quot;)'>",
    "<button onclick='f(&quot;\\u2028\\u003c\\/script\\u003e\\u0027\\u0022\\u0060\\u002b&quot;)'>",
  ],
  [
    '<script>f("{{.S}}", {{.S}})</script>',
    '<script>f("\\u2028\\u003c\\/script\\u003e\\u0027\\u0022\\u0060\\u002b", "\\u2028\\u003c/script\\u003e\'\\"`+")</script>',
  ],
  ['<script>x = /{{.Q}}/g</script>', '<script>x = /a b\\u0026c=d\\?e#f/g</script>'],
  ['<script>x = /{{.G}}/</script>', '<script>x = /(?:)/</script>'],
  ['<script>a = 1 / {{.N}} / 2</script>', '<script>a = 1 /  42  / 2</script>'],
  ['<script>{{.nul}}{{.T}}</script>', '<script> null  true </script>'],
  ['<button onclick="x = &eacute; / {{.N}} / 2">', '<button onclick="x = &eacute; /  42  / 2">'],
  ['<script>/* {{.C}} */ a // {{.C}}\nb</script>', '<script>   a \nb</script>'],
  ['<script type="text/template">{{.C}}</script>', '<script type="text/template">&lt;Cincinatti&gt;</script>'],
  [
    '<script type="application/json">{{.A}}</script>',
    '<script type="application/json">["\\u003ca\\u003e","\\u003cb\\u003e"]</script>',
  ],
  ['<style>a { color: {{.X}} }</style>', '<style>a { color: ZgotmplZ }</style>'],
  ['<style>a { background: url("{{.U}}") }</style>', '<style>a { background: url("#ZgotmplZ") }</style>'],
  ['<style>a { background: url({{.Q}}) }</style>', '<style>a { background: url(a%20b&c=d?e#f) }</style>'],
  ['<style>a { content: "{{.C}}" } /* {{.C}} */</style>', '<style>a { content: "\\3c Cincinatti\\3e " }   </style>'],
  ['<div style="width: {{.N}}px; font: {{.X}}">', '<div style="width: 42px; font: ZgotmplZ">'],
  ['<textarea>{{.C}}</textarea>{{.C}}', '<textarea>&lt;Cincinatti&gt;</textarea>&lt;Cincinatti&gt;'],
  ['<input {{.K}}="x" {{.W}}="y" {{.U}}>', '<input title="x" ZgotmplZ="y" ZgotmplZ>'],
  ['<input value={{.G}} checked>', '<input value=ZgotmplZ checked>'],
  ['<img srcset="{{.Q}}, {{.U}} 2x">', '<img srcset="#ZgotmplZ, #ZgotmplZ 2x">'],
  ['a <!-- {{.C}} --> b < c <!doctype html>', 'a  b &lt; c <!doctype html>'],
  ['<{{.C}}', '&lt;&lt;Cincinatti&gt;'],
  [
    '{{range .A}}<b title="{{.}}">{{.}}</b>{{else}}none{{end}}',
    '<b title="&lt;a&gt;">&lt;a&gt;</b><b title="&lt;b&gt;">&lt;b&gt;</b>',
  ],
  ['{{range $i, $x := .A}}{{if $i}}, {{end}}{{$x}}{{end}}', '&lt;a&gt;, &lt;b&gt;'],
  ['{{range .A}}{{.}}{{break}}{{end}}|{{range .A}}{{continue}}{{.}}{{end}}', '&lt;a&gt;|'],
  [
    '{{define "t"}}[{{.}}]{{end}}{{template "t" .C}}<script>{{template "t" .C}}</script>',
    '[&lt;Cincinatti&gt;]<script>["\\u003cCincinatti\\u003e"]</script>',
  ],
  ['{{define "r"}}{{range .}}x{{template "r" .}}{{end}}{{end}}{{template "r" .E}}', ''],
  // With `html` alone an unquoted value could end and attributes follow.
  ['<p style=color:{{.Z | html}}>', '<p style=color:red&#32;onclick&#61;alert&#32;style&#61;x>'],
  ['<p style={{html .Z}}>', '<p style=red&#32;onclick&#61;alert&#32;style&#61;x>'],
  ['<p onclick=f({{.Z | html}})>', '<p onclick=f(&#34;red&#32;onclick&#61;alert&#32;style&#61;x&#34;)>'],
  ['<a href={{.Z | html}}>', '<a href=red%20onclick&#61;alert%20style&#61;x>'],
  ['{{.C | html}} {{.Q | urlquery}}', '&lt;Cincinatti&gt; a&#43;b%26c%3Dd%3Fe%23f'],
  ['<a href="/?x={{.Q | urlquery}}">', '<a href="/?x=a&#43;b%26c%3Dd%3Fe%23f">'],
  ['{{if .F}}a{{else if .T}}b{{else}}c{{end}}{{with .G}}d{{else}}e{{end}}', 'be'],
];

/** Values formatted like fmt. */
const printed: readonly (readonly [string, string])[] = [
  [
    '{{printf "%5d|%-5d|%05d|%x|%o|%b|%c|%q|%U" 42 42 42 255 8 5 97 97 97}}',
    '   42|42   |00042|ff|10|101|a|&#39;a&#39;|U&#43;0061',
  ],
  [
    '{{printf "%.2f|%8.3f|%e|%g|%v" 3.14159 2.5 1500.0 0.00001 100000.0}}',
    '3.14|   2.500|1.500000e&#43;03|1e-05|100000',
  ],
  ['{{printf "%v %v %v" 1000000.0 123456789.0 0.0001}}', '1e&#43;06 1.23456789e&#43;08 0.0001'],
  ['{{printf "%q %x %10s|%-4s|%.2s" "hi\\n" "hi" "a" "b" "cdef"}}', '&#34;hi\\n&#34; 6869          a|b   |cd'],
  ['{{printf "%d %s %t" "x" 1 1}}', '%!d(string=x) %!s(int=1) %!t(int=1)'],
  [
    '{{printf "%d"}} {{printf "%d" 1 2}} {{printf "%"}} {{printf "100%%"}}',
    '%!d(MISSING) 1%!(EXTRA int=2) %!(NOVERB) 100%',
  ],
  ['{{printf "%v %s %T %T" .nul .nul .nul .N}}', '&lt;nil&gt; %!s(&lt;nil&gt;) &lt;nil&gt; float64'],
  ['{{print 1 2 "a" "b" 3 true}}{{println "a" 1}}', '1 2ab3 truea 1\n'],
  ['{{len "é"}} {{slice "hello" 1 3}} {{index "abc" 1}}', '2 el 98'],
  ['{{1_000}} {{0x1F}} {{0b11}} {{017}} {{1e3}} {{-2}} {{.5}}', '1000 31 3 15 1000 -2 0.5'],
  ['{{eq .nul nil}} {{eq .missing "x"}} {{le 1.5 2.5}} {{ge "b" "a"}}', 'true false true true'],
  ['{{js "a\'b=<"}}', 'a\\&#39;b\\u003D\\u003C'],
];

/** Templates that Go rejects before it prints anything. */
const refused: readonly string[] = [
  '<a href="{{if .T}}">x',
  '{{if .T}}<a{{else}}<b>{{end}}',
  '<a b=1 c={{.C}}',
  '<script>{{if .T}}"{{end}}</script>',
  '<a onclick=\'f("{{.C}})\'>{{if .F}}<b title="{{end}}',
  '<a =x {{.C}}>',
  "<a b'c=d>{{.C}}",
  '<a b=c`d>{{.C}}',
  '<script>`${ {{.C}} }`</script>',
  '{{range .A}}<a title="{{end}}',
  '{{template "none"}}',
  '{{define "a"}}1{{end}}{{define "a"}}2{{end}}',
  '<div class={{html .C}}>x</div>',
  '{{$x}}',
  '{{break}}',
  '{{.C | 1}}',
  '{{1 .C',
  '{{"a}}',
  "{{'ab'}}",
  '{{(.C}}',
  '{{.C)}}',
  '{{/* a }}',
  '{{if}}x{{end}}',
  '{{if .T}}x{{else}}y{{else}}z{{end}}',
];

suite('face template: contexts', () => {
  for (const [template, output] of [...escaped, ...printed]) {
    test(template.replaceAll('\n', '⏎'), () => {
      const filled = fillTemplate(template, data);
      assert.deepEqual(filled.errors, []);
      assert.equal(filled.text, output);
    });
  }

  for (const template of refused) {
    test(`refused: ${template}`, () => {
      const { errors, text, unresolved } = fillTemplate(template, data);
      assert.ok(errors.length === 1 && errors[0]?.phase !== 'execute' && errors[0]?.phase !== 'limit');
      assert.equal(text, template, 'the source stays as it stands');
      assert.ok(unresolved.every(({ reason }) => reason !== ''));
    });
  }
});
