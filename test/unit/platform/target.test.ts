/** URLs of operations: escaping, dates, flags, and path segments. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PlatformError } from '../../../src/platform/errors.ts';
import { registry } from '../../../src/platform/registry.ts';
import { getRole } from '../../../src/platform/resources/roles.ts';
import { defaultCredentialHeaderNames } from '../../../src/platform/http/credential-headers.ts';
import { defaultQueryFormat, buildUrl, type Target } from '../../../src/platform/target.ts';

const target: Target = {
  name: 'Test',
  baseUrl: 'https://api.example/v1/',
  credentialHeaderNames: defaultCredentialHeaderNames,
  queryFormat: defaultQueryFormat,
};

suite('buildUrl', () => {
  test('every parameter as the contract names it', () => {
    const url = buildUrl(
      target,
      registry.objects.list.operation,
      {},
      {
        org_id: 'a b&c',
        faces: true,
        actions: false,
        order: 'descending',
        limit: 5,
        when_created: { gt: new Date(0), lte: '2026-01-02T03:04:05.123456Z' },
        when_modified: { lt: '2026-01-01T01:00:00+01:00' },
        unknown: 'not sent',
      },
    );
    assert.equal(url.pathname, '/v1/objects');
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      org_id: 'a b&c',
      faces: 'true',
      order: 'desc',
      limit: '5',
      'when_created[$gt]': '1970-01-01T00:00:00.000Z',
      'when_created[$lte]': '2026-01-02T03:04:05.123456Z',
      'when_modified[$lt]': '2026-01-01T00:00:00.000Z',
    });
  });

  test("the connection's formats of order, flags and dates", () => {
    const queryFormat = { ascending: '1', descending: '-1', flag: 'yes', dateFormat: 'unixSeconds' } as const;
    const url = buildUrl(
      { ...target, queryFormat },
      registry.objects.list.operation,
      {},
      { order: 'ascending', faces: true, when_created: { gte: '2026-01-01T00:00:00Z' } },
    );
    assert.equal(url.search, '?order=1&faces=yes&when_created%5B%24gte%5D=1767225600');
  });

  test('a filtering flag is also sent as false', () => {
    const query = (dropped: boolean, flag = 'true'): string =>
      buildUrl(
        { ...target, queryFormat: { ...target.queryFormat, flag } },
        registry.objects.list.operation,
        {},
        { dropped },
      ).search;
    assert.deepEqual([query(true), query(false)], ['?dropped=true', '?dropped=false']);
    assert.deepEqual([query(true, '1'), query(false, '1')], ['?dropped=1', '?dropped=0']);
  });

  test('no identifier changes other segments of the path', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.constantFrom('..', '.', '%2e%2e', '../x', 'a/b', '', '%', '\\', '?', '#', ';'),
        ),
        (id) => {
          let url: URL;
          try {
            url = buildUrl(target, registry.objects.read.operation, { objectId: id }, {});
          } catch (error) {
            assert.ok(error instanceof PlatformError && error.code === 'badRequest' && error.detail.sent === false);
            assert.ok(['', '.', '..'].includes(id));
            return;
          }
          const segments = url.pathname.split('/');
          assert.deepEqual(segments.slice(0, 3), ['', 'v1', 'objects']);
          assert.equal(segments.length, 4);
          assert.equal(decodeURIComponent(segments[3] ?? ''), id.toWellFormed());
          assert.equal(url.search + url.hash, '');
        },
      ),
    );
  });

  test('several identifiers each remain in their segment', () => {
    assert.throws(() => buildUrl(target, getRole, { organizationId: 'a', roleId: '..' }, {}), PlatformError);
    assert.throws(() => buildUrl(target, getRole, { organizationId: 'a' }, {}), PlatformError);
    assert.equal(
      buildUrl(target, getRole, { organizationId: 'a/b', roleId: 'c' }, {}).pathname,
      '/v1/organizations/a%2Fb/roles/c',
    );
  });
});
