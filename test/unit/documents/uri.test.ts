/** A document's address survives VS Code's own parsing and printing, whatever connection, kind and id it names. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { URI } from 'vscode-uri';
import { kinds } from '../../../src/platform/registry.ts';
import { idSegments, pathOf, resourceOfPath, SCHEME } from '../../../src/documents/uri.ts';

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
  .filter((words) => words.isWellFormed());
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
          text.filter((words) => !words.includes('/')),
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
      URI.from({ scheme: SCHEME, path: pathOf({ connection: 'Local Sandbox', kind, id }) }).toString();
    assert.equal(at('objects', 'obj_1'), 'smartobject:/Local%20Sandbox/objects/obj_1.json');
    assert.equal(at('roles', 'org_1/myrole'), 'smartobject:/Local%20Sandbox/roles/org_1/myrole.json');
    assert.equal(at('objects', 'ü#?'), 'smartobject:/Local%20Sandbox/objects/%C3%BC%23%3F.json');
  });

  test('comes back as it went, through VS Code’s Uri and its text', () => {
    fc.assert(
      fc.property(resource, (given) => {
        const uri = URI.from({ scheme: SCHEME, path: pathOf(given) });
        assert.deepEqual(resourceOfPath(uri.path, isKind), given);
        assert.deepEqual(resourceOfPath(URI.parse(uri.toString()).path, isKind), given);
        assert.deepEqual(resourceOfPath(URI.revive(uri.toJSON()).path, isKind), given);
      }),
      { numRuns: 2000 },
    );
  });

  test('no two resources share an address, and none leaves its connection', () => {
    fc.assert(
      fc.property(resource, resource, (one, other) => {
        const path = pathOf(one);
        if (JSON.stringify(one) !== JSON.stringify(other)) assert.notEqual(path, pathOf(other));
        const segments = path.slice(1).split('/');
        assert.equal(segments.length, one.kind === 'roles' ? 4 : 3);
        assert.ok(segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..'));
      }),
      { numRuns: 2000 },
    );
  });

  test('an address with each segment percent-encoded once is understood', () => {
    fc.assert(
      fc.property(resource, (given) => {
        // What looks like an escape after one decoding, or like a kind in a wrong place, cannot be told from one.
        fc.pre(!given.connection.includes('%') && !given.id.includes('%'));
        fc.pre(!given.connection.split('/').slice(1).some(isKind) && !given.connection.startsWith('/'));
        fc.pre(!given.connection.includes('/') || !given.id.split('/').some(isKind));
        fc.pre(given.connection !== '' && !given.connection.endsWith('/') && !/[\\]/.test(given.connection));
        const segments = [given.connection, given.kind, ...idSegments(given.kind, given.id)].map(encodeURIComponent);
        const uri = URI.parse(`${SCHEME}:/${segments.join('/')}.json`);
        assert.deepEqual(resourceOfPath(uri.path, isKind), given);
      }),
      { numRuns: 2000 },
    );
  });

  test('what names nothing is nothing', () => {
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
      assert.equal(resourceOfPath(path, isKind), undefined, path);
    for (const path of ['/a/roles/org.json', '/a/roles//x.json', '/a/roles/org/.json', '//objects/x.json'])
      assert.equal(resourceOfPath(path, isKind), undefined, path);
  });
});
