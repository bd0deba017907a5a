import assert from 'node:assert/strict';
import { RESOURCE_SCHEME } from '../../../src/model/resources/resource-schemes.ts';
import { formatResourcePath } from '../../../src/model/resources/resource-uri.ts';
import { getFilters, parseArgument } from '../../../src/logs/command-argument.ts';
import type { Filters } from '../../../src/webviews/protocol/logs.ts';

suite('arguments of log commands', () => {
  const base: Filters = { connections: ['A'], organizations: [], range: 'latest' };

  test('parses resources, rows and document URIs, and ignores anything else', () => {
    assert.deepEqual(
      getFilters(parseArgument({ resource: { connection: 'A', kind: 'objects', id: 'o' }, organization: 'g' })),
      { ...base, organizations: ['g'], object: 'o' },
    );
    assert.deepEqual(getFilters(parseArgument('A')), base);
    // A document's URI with escaped characters; a URI of another scheme is ignored.
    const path = formatResourcePath({ connection: 'A/B %', kind: 'objects', id: 'o/1.json' });
    assert.deepEqual(parseArgument({ scheme: RESOURCE_SCHEME, path }), {
      connection: 'A/B %',
      kind: 'objects',
      id: 'o/1.json',
    });
    assert.deepEqual(parseArgument({ scheme: 'file', path }), {});
    for (const odd of [
      undefined,
      null,
      5,
      [],
      { connection: 7 },
      { resource: { id: 'x' } },
      { scheme: RESOURCE_SCHEME },
    ])
      assert.equal(getFilters(parseArgument(odd)), undefined);
  });
});
