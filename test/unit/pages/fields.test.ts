/** The fields of a page: names and values as a server may send them. */
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { createGroups, createHeaderFields } from '../../../src/pages/fields.ts';
import { registry } from '../../../src/platform/registry.ts';
import { pageProtocol, type PageField } from '../../../src/webviews/protocol/page.ts';

const context = {
  getName: () => undefined,
  findKind: () => undefined,
  redact: (text: string) => text,
  now: Date.parse('2026-01-01T00:00:00Z'),
};
const list = (raw: unknown): readonly PageField[] =>
  createGroups(registry.objects, raw, context).flatMap(({ fields }) => fields);

suite('fields of a page', () => {
  test('a name that each JavaScript object has is a name as any other', () => {
    const text = '{"constructor":"a","toString":"b","__proto__":"c","custom":{"valueOf":"d"}}';
    for (const definition of Object.values(registry)) {
      const groups = createGroups(definition, JSON.parse(text), context);
      assert.deepEqual(z.parse(pageProtocol.toView.state.shape.groups, groups), groups, definition.kind);
    }
    assert.deepEqual(
      list(JSON.parse(text)).map(({ value, link }) => [value, link]),
      ['d', 'a', 'b', 'c'].map((value) => [value, undefined]),
    );
  });

  test('a name with dots is shown whole', () => {
    assert.deepEqual(
      list({ custom: { 'a.b': 1, b: 2, 'schema.org/type_id': 3 } }).map(({ label }) => label),
      ['a.b', 'B', 'schema.org/type_id'],
    );
  });

  test('a URL that a message cannot contain is text', () => {
    const url = `https://cdn.example/${'a'.repeat(5000)}`;
    const facts = createHeaderFields(registry.assets, { id: 'ast_1', url }, context);
    assert.ok(facts.some(({ value }) => value.startsWith('https://cdn.example/')));
    assert.deepEqual(z.parse(pageProtocol.toView.state.shape.facts, facts), facts);
  });

  test('what is a fact of the header is not in a group again; what is none is', () => {
    const url = 'https://cdn.example/a';
    const listLabels = (raw: object): readonly (readonly string[])[] =>
      [createHeaderFields(registry.assets, raw, context), createGroups(registry.assets, raw, context)[0]?.fields].map(
        (fields = []) => fields.map(({ label }) => label),
      );
    const asset = { id: 'ast_1', url, size: 5, is_public: true, tag: 'a', fqdn: 'a.example' };
    assert.deepEqual(listLabels(asset), [
      ['URL', 'Size', 'Public'],
      ['Tag', 'FQDN'],
    ]);
    assert.deepEqual(listLabels({ ...asset, size: 'big' })[1], ['Size', 'Tag', 'FQDN']);
    assert.equal(createHeaderFields(registry.assets, asset, context)[0]?.copy, url);
  });

  test('HTML keeps its lines and their indentation, without invisible characters; a long one is cut', () => {
    const show = (content: string): PageField | undefined => {
      const groups = createGroups(registry.faces, { id: 'fac_1', name: 'Card', content }, context);
      assert.deepEqual(z.parse(pageProtocol.toView.state.shape.groups, groups), groups);
      return groups.at(-1)?.fields.find(({ label }) => label === 'Content');
    };
    const html = '<b>\r\n\t<i>\u202ea</i>\n</b>\n<p>{{ .metadata.name }}</p>';
    const shown = '<b>\n\t<i> a</i>\n</b>\n<p>{{ .metadata.name }}</p>';
    assert.deepEqual(show(html), { label: 'Content', value: shown, source: true, copy: html });
    const { value = '', copy } = show(`{{.id}}${'\t'.repeat(30_000)}x`) ?? {};
    assert.deepEqual([value, copy], ['{{.id}}…', undefined]);
    for (const text of ['Not HTML', '<3', '{{name}} invites you', `<3 ${'a'.repeat(50)}`])
      assert.equal(show(text)?.source, undefined, text);
  });

  test('no permissions are shown as such', () => {
    const listTexts = (permissions: unknown): unknown =>
      createGroups(registry['api-keys'], { id: 'key_1', permissions }, context).map(({ title, fields }) => [
        title,
        fields.map(({ label, value }) => `${label}: ${value}`),
      ]);
    assert.deepEqual(listTexts([]), [['Details', ['Permissions: Empty']]]);
    const crud = { create: false, read: true, update: false, delete: false };
    assert.deepEqual(listTexts([{ resource: 'faces', crud }]), [['Permissions', ['faces: read']]]);
  });

  test('what is nested too deep for names is shown as JSON, never as empty', () => {
    const nest = (depth: number, value: unknown): unknown => (depth === 0 ? value : [nest(depth - 1, value)]);
    assert.deepEqual(
      list({ custom: { deep: nest(9, 'x'), none: [], object: {} } }).map(({ value }) => value),
      ['[[[["x"]]]]', 'Empty', 'Empty'],
    );
  });
});
