/** A document's address survives VS Code's own parsing and printing, whatever connection, kind and id it names. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { URI } from 'vscode-uri';
import { kinds } from '../../../../src/platform/registry.ts';
import { RESOURCE_SCHEME } from '../../../../src/model/resources/resource-schemes.ts';
import {
  splitResourceId,
  formatResourcePath,
  parseResourcePath,
} from '../../../../src/model/resources/resource-uri.ts';

const isKind = (text: string): boolean => (kinds as readonly string[]).includes(text);
const nasty = fc.constantFrom(
  '/',
  '%',
  '..',
  '.',
  '\\',
  '.json',
  '%2F',
  '%25',
  'C:',
  '?',
  '#',
  ' ',
  '\u202e',
  'ü',
  '漢',
  '😀',
  '\0',
);
const text = fc
  .oneof(
    fc.string({ minLength: 1, unit: 'binary' }),
    fc.array(fc.oneof(nasty, fc.string({ minLength: 1 })), { minLength: 1 }).map((parts) => parts.join('')),
    fc.constantFrom(...kinds),
  )
  .filter((text) => text.isWellFormed());
const resource = fc.oneof(
  fc.record(
    { connection: text, kind: fc.constantFrom(...kinds.filter((kind) => kind !== 'roles')), id: text },
    { noNullPrototype: true },
  ),
  fc.record(
    {
      connection: text,
      kind: fc.constant('roles'),
      id: fc
        .tuple(
          text.filter((segment) => !segment.includes('/')),
          text,
        )
        .map((both) => both.join('/')),
    },
    { noNullPrototype: true },
  ),
);

suite('document address', () => {
  test('reads as the interface names it', () => {
    const at = (kind: string, id: string): string =>
      URI.from({
        scheme: RESOURCE_SCHEME,
        path: formatResourcePath({ connection: 'Local Sandbox', kind, id }),
      }).toString();
    assert.equal(at('objects', 'obj_1'), 'smartobject:/Local%20Sandbox/objects/obj_1.json');
    assert.equal(at('roles', 'org_1/myrole'), 'smartobject:/Local%20Sandbox/roles/org_1/myrole.json');
    assert.equal(at('objects', 'ü#?'), 'smartobject:/Local%20Sandbox/objects/%C3%BC%23%3F.json');
  });

  test('survives VS Code’s Uri and its text form', () => {
    fc.assert(
      fc.property(resource, (argument) => {
        const uri = URI.from({ scheme: RESOURCE_SCHEME, path: formatResourcePath(argument) });
        assert.deepEqual(parseResourcePath(uri.path, isKind), argument);
        assert.deepEqual(parseResourcePath(URI.parse(uri.toString()).path, isKind), argument);
        assert.deepEqual(parseResourcePath(URI.revive(uri.toJSON()).path, isKind), argument);
      }),
      { numRuns: 2000 },
    );
  });

  test('no two resources share an address, and none leaves its connection', () => {
    fc.assert(
      fc.property(resource, resource, (one, other) => {
        const path = formatResourcePath(one);
        if (JSON.stringify(one) !== JSON.stringify(other)) assert.notEqual(path, formatResourcePath(other));
        const segments = path.slice(1).split('/');
        assert.equal(segments.length, one.kind === 'roles' ? 4 : 3);
        assert.ok(segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..'));
      }),
      { numRuns: 2000 },
    );
  });

  test('an address with each segment percent-encoded once is understood', () => {
    fc.assert(
      fc.property(resource, (argument) => {
        // Ambiguous: text that looks like an escape after decoding, or like a kind elsewhere in the path.
        fc.pre(!argument.connection.includes('%') && !argument.id.includes('%'));
        fc.pre(!argument.connection.split('/').slice(1).some(isKind) && !argument.connection.startsWith('/'));
        fc.pre(!argument.connection.includes('/') || !argument.id.split('/').some(isKind));
        fc.pre(argument.connection !== '' && !argument.connection.endsWith('/') && !/[\\]/.test(argument.connection));
        const segments = [argument.connection, argument.kind, ...splitResourceId(argument.kind, argument.id)].map(
          encodeURIComponent,
        );
        const uri = URI.parse(`${RESOURCE_SCHEME}:/${segments.join('/')}.json`);
        assert.deepEqual(parseResourcePath(uri.path, isKind), argument);
      }),
      { numRuns: 2000 },
    );
  });

  test('invalid paths are rejected', () => {
    for (const path of [
      '',
      '/',
      '/a',
      '/a/objects',
      '/a/objects/.json',
      '/a/objects/x',
      '/a/nothing/x.json',
      'a/objects/x.json',
    ])
      assert.equal(parseResourcePath(path, isKind), undefined, path);
    for (const path of ['/a/roles/org.json', '/a/roles//x.json', '/a/roles/org/.json', '//objects/x.json'])
      assert.equal(parseResourcePath(path, isKind), undefined, path);
  });
});
