/** Profiles from settings: valid ones load, invalid ones are reported, and a workspace cannot override the user's. */
import assert from 'node:assert/strict';
import { readProfiles } from '../../../../src/connections/profiles/read-profiles.ts';

const one = { name: 'One', baseUrl: 'https://one.example/api/' };

suite('profiles', () => {
  test('an entry with only name and address has the defaults', () => {
    const { profiles, problems } = readProfiles([one], undefined);
    assert.deepEqual(problems, []);
    assert.deepEqual(profiles, [
      {
        name: 'One',
        baseUrl: 'https://one.example/api',
        organizations: [],
        credentialHeaderNames: { tokenHeader: 'Authorization', tokenPrefix: 'Bearer ', apiKeyHeader: 'x-api-key' },
        links: {},
        queryFormat: { ascending: 'asc', descending: 'desc', flag: 'true', dateFormat: 'iso8601' },
        source: 'user',
      },
    ]);
  });

  test('all fields of an entry are parsed', () => {
    const entry = {
      ...one,
      environment: 'staging',
      organizations: ['a', { id: 'b', label: 'Bee' }, 'a'],
      auth: { tokenHeader: 'X-Token', tokenPrefix: '', apiKeyHeader: 'X-Key', refreshPath: '/auth/refresh' },
      links: { transaction: 'https://scan.example/tx/{hash}' },
      query: { ascending: '1', dateFormat: 'unixSeconds' },
      pageSize: 50,
    };
    const [profile] = readProfiles([entry], undefined).profiles;
    assert.equal(profile?.environment, 'staging');
    assert.deepEqual(profile.organizations, [
      { id: 'a', source: 'settings' },
      { id: 'b', label: 'Bee', source: 'settings' },
    ]);
    assert.deepEqual(profile.credentialHeaderNames, { tokenHeader: 'X-Token', tokenPrefix: '', apiKeyHeader: 'X-Key' });
    assert.equal(profile.refreshPath, '/auth/refresh');
    assert.deepEqual(profile.links, { transaction: 'https://scan.example/tx/{hash}' });
    assert.deepEqual(profile.queryFormat, {
      ascending: '1',
      descending: 'desc',
      flag: 'true',
      dateFormat: 'unixSeconds',
    });
    assert.equal(profile.pageSize, 50);
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['a string', 'x', /not an object/],
    ['null', null, /not an object/],
    ['no name', { baseUrl: one.baseUrl }, /name must be of type string/],
    ['an empty name', { ...one, name: '  ' }, /name is empty/],
    ['a long name', { ...one, name: 'x'.repeat(65) }, /longer than 64/],
    ['a name with a line break', { ...one, name: 'a\nb' }, /invisible/],
    ['the name of the sandbox', { ...one, name: 'Local Sandbox' }, /reserved for the local sandbox/],
    ['a hostile address', { ...one, baseUrl: 'https://a@b' }, /baseUrl: .*user name/],
    ['an unknown environment', { ...one, environment: 'prod' }, /environment must be one of sandbox/],
    ['a page of 101', { ...one, pageSize: 101 }, /pageSize/],
    ['a header with a colon', { ...one, auth: { tokenHeader: 'A: b' } }, /not a valid header name/],
    ['the host header', { ...one, auth: { apiKeyHeader: 'Host' } }, /reserved header/],
    ['one header for both', { ...one, auth: { apiKeyHeader: 'authorization' } }, /the same header/],
    ['a prefix with a line break', { ...one, auth: { tokenPrefix: 'a\r\nX: ' } }, /not allowed in headers/],
    ['a refresh path elsewhere', { ...one, auth: { refreshPath: '@evil.example' } }, /start with \//],
    ['a refresh path that climbs', { ...one, auth: { refreshPath: '/../x' } }, /refreshPath: .*\.\./],
    ['a link of another scheme', { ...one, links: { object: 'command:x?{id}' } }, /not an http/],
    ['a link whose host is a value', { ...one, links: { object: 'https://{id}.example/' } }, /not an http/],
    ['a link without a place for a value', { ...one, links: { object: 'https://x.example/' } }, /not an http/],
  ];
  for (const [what, entry, problem] of bad) {
    test(`${what} skips only that entry, and is reported`, () => {
      const { profiles, problems } = readProfiles([entry, { ...one, name: 'Other' }], undefined);
      assert.deepEqual(
        profiles.map(({ name }) => name),
        ['Other'],
      );
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', problem);
    });
  }

  test('a duplicate name is skipped, and a setting that is not a list is reported', () => {
    assert.match(readProfiles([one, one], undefined).problems[0] ?? '', /name One is already used/);
    assert.match(readProfiles({ One: one }, undefined).problems[0] ?? '', /not a list/);
  });

  test('a secret in a setting is ignored and not repeated', () => {
    const { profiles, problems } = readProfiles([{ ...one, apiKey: 'CANARY-SECRET' }], undefined);
    assert.equal(profiles.length, 1);
    assert.match(problems[0] ?? '', /apiKey.*Sign In/);
    assert.ok(!JSON.stringify([profiles, problems]).includes('CANARY'));
  });

  test('auth.wallets is none or credential, and no workspace changes the user’s', () => {
    const entry = (wallets?: string): object => ({ name: 'One', baseUrl: 'https://one.example', auth: { wallets } });
    const read = (user: object, workspace?: object) =>
      readProfiles([user], workspace === undefined ? undefined : [workspace]);
    assert.equal(read(entry()).profiles[0]?.wallets, undefined);
    assert.equal(read(entry('credential')).profiles[0]?.wallets, 'credential');
    assert.match(read(entry('always')).problems.join(), /auth\.wallets must be one of none, credential/);
    const { profiles, problems } = read(entry(), entry('credential'));
    assert.equal(profiles[0]?.wallets, undefined);
    assert.match(problems.join(), /differ in auth/);
  });

  test('labels of organizations are one line without hidden characters, and cut', () => {
    const readLabel = (label: string): string | undefined =>
      readProfiles([{ name: 'One', baseUrl: 'https://one.example', organizations: [{ id: 'o', label }] }], undefined)
        .profiles[0]?.organizations[0]?.label;
    assert.equal(readLabel(' Ac\u202eme\n\u200bInc '), 'Ac me Inc');
    assert.equal(readLabel('\u202e'), undefined);
  });

  suite('user and workspace', () => {
    const merged = (user: object, workspace: object): ReturnType<typeof readProfiles> =>
      readProfiles([{ ...one, ...user }], [{ ...one, ...workspace }]);

    test('a workspace adds connections and organizations', () => {
      const { profiles, problems } = readProfiles(
        [{ ...one, organizations: ['a'] }],
        [
          { ...one, organizations: ['a', 'b'] },
          { ...one, name: 'Two' },
        ],
      );
      assert.deepEqual(
        profiles.map(({ name, source }) => [name, source]),
        [
          ['One', 'user'],
          ['Two', 'workspace'],
        ],
      );
      assert.deepEqual(
        profiles[0]?.organizations.map(({ id }) => id),
        ['a', 'b'],
      );
      assert.deepEqual(problems, []);
    });

    test('it cannot change destination, authentication or links', () => {
      const { profiles, problems } = merged(
        { links: { object: 'https://mine.example/{id}' } },
        {
          baseUrl: 'https://evil.example',
          auth: { apiKeyHeader: 'x-evil' },
          links: { object: 'https://evil.example/{id}', action: 'https://evil.example/{id}' },
        },
      );
      assert.equal(profiles[0]?.baseUrl, 'https://one.example/api');
      assert.equal(profiles[0].credentialHeaderNames.apiKeyHeader, 'x-api-key');
      assert.deepEqual(profiles[0].links, { object: 'https://mine.example/{id}' });
      assert.match(problems[0] ?? '', /One: .* differ in baseUrl, auth, links/);
    });

    test('a typo in the user’s entry does not activate the workspace’s', () => {
      const { profiles, problems, userNames } = merged(
        { environment: 'production', pageSize: 500 },
        { environment: 'sandbox', links: { object: 'https://evil.example/{id}' } },
      );
      assert.deepEqual(profiles, []);
      assert.match(problems.join('\n'), /Connection 1 of the user settings is ignored: pageSize/);
      assert.match(problems.join('\n'), /One: The workspace entry is ignored because the user entry/);
      assert.deepEqual([...userNames], ['One']);
    });

    test('it raises an environment, and never lowers one', () => {
      const environment = (user?: string, workspace?: string): string | undefined =>
        merged(
          user === undefined ? {} : { environment: user },
          workspace === undefined ? {} : { environment: workspace },
        ).profiles[0]?.environment;
      assert.equal(environment('development', 'production'), 'production');
      assert.equal(environment('production', 'sandbox'), 'production');
      assert.equal(environment('staging', 'development'), 'staging');
      assert.equal(environment(undefined, 'sandbox'), undefined);
      assert.equal(environment(undefined, 'production'), 'production');
      assert.equal(environment('sandbox'), 'sandbox');
    });
  });
});
