/** Two environments, one a copy of the other with planted differences: exactly these are shown. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { compareFolder, pullFiles } from '../../../src/environments/folder/pull.ts';
import { readOrganization } from '../../../src/environments/folder/read-organization.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { useServers } from '../../support/platform-client.ts';
import { runProgram, startProgram, type ProgramResult } from '../cli/support.ts';

type Resource = Record<string, unknown>;
type World = Record<'templates' | 'faces' | 'assets' | 'messages' | 'roles', Resource[]>;

const ORGANIZATION = 'org_1';

/** A platform by hand, which serves these resources in pages of seven; `getRepeated`: how many of a page are on the next, too. */
async function serve(
  world: World,
  refused: () => string | undefined,
  status = () => 403,
  getRepeated = () => 0,
): Promise<http.Server> {
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const [, first = '', second = ''] = pathname.split('/');
    const list = (key: string, items: readonly Resource[]): void => {
      const at = Number(searchParams.get('next') ?? 0);
      const next = at + 7 - getRepeated();
      send(200, { [key]: items.slice(at, at + 7), ...(at + 7 < items.length && { next: String(next) }) });
    };
    if (first === refused() || refused() === 'all') send(status(), { message: 'missing permission' });
    else if (first === 'public') list('templates', world.templates);
    else if (first === 'templates')
      send(
        200,
        world.templates.find(({ id }) => id === second),
      );
    else if (first === 'faces') list('faces', world.faces);
    else if (first === 'assets') list('assets', world.assets);
    else if (first === 'messages') list('templates', world.messages);
    else send(200, world.roles[0]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** What the sandbox has, and a role. */
async function readWorld(): Promise<World> {
  const sandbox = await startSandbox({ objects: 50 });
  const read = async (address: string, key: string): Promise<Resource[]> => {
    const response = await fetch(`${sandbox.baseUrl}${address}?limit=100`, {
      headers: { 'x-api-key': sandbox.apiKey },
    });
    const { [key]: items } = (await response.json()) as Record<string, Resource[]>;
    return items ?? assert.fail(address);
  };
  const role = { name: 'Member', when_created: '2026-01-01T00:00:00Z', when_modified: '2026-01-01T00:00:00Z' };
  const allow = { read: true, create: false, update: false, delete: false };
  try {
    return {
      templates: await read('/public/templates', 'templates'),
      faces: (await read('/faces', 'faces')).slice(0, 20),
      assets: (await read('/assets', 'assets')).slice(0, 20),
      messages: await read('/messages/templates', 'templates'),
      roles: [
        { id: 'role_1', ...role, permissions: ['objects', 'faces'].map((resource) => ({ resource, crud: allow })) },
      ],
    };
  } finally {
    await sandbox.close();
  }
}

/** The same under other ids, created later, in another order. */
function copyWorld(world: World): World {
  const ids = [...new Set(Object.values(world).flatMap((items) => items.map(({ id }) => String(id))))];
  const text = ids.reduce((copy, id) => copy.replaceAll(`"${id}"`, `"x${id}x"`), JSON.stringify(world));
  const copied = JSON.parse(text.replaceAll(/("when_\w+":)"[^"]*"/g, '$1"2026-10-10T10:10:10Z"')) as World;
  for (const [kind, items] of Object.entries(copied)) {
    items.reverse();
    for (const item of items) {
      if (Array.isArray(item['actions'])) item['actions'].reverse();
      if (Array.isArray(item['permissions'])) item['permissions'].reverse();
      if (kind === 'assets')
        Object.assign(item, { url: 'https://other.example/a', path: 'https://other.example/b', hash: '1' });
    }
  }
  return copied;
}

suite('smart-objects diff', () => {
  const { createClient } = useServers();
  let servers: http.Server[] = [];
  let folder = '';
  let refused: string | undefined;
  let refusal: number;
  let repeated: number;
  let original: World;
  let other: World;
  suiteSetup(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'diff-'));
    original = await readWorld();
    other = copyWorld(original);
    servers = await Promise.all([
      serve(original, () => undefined),
      serve(
        other,
        () => refused,
        () => refusal,
        () => repeated,
      ),
    ]);
    for (const name of ['Test', 'Prod'] as const) writeConnection(name);
  });
  setup(() => {
    refused = undefined;
    refusal = 403;
    repeated = 0;
  });
  const writeConnection = (name: 'Test' | 'Prod', ...more: readonly object[]): void => {
    const { port } = servers[name === 'Test' ? 0 : 1]?.address() as AddressInfo;
    const organizations = [{ id: ORGANIZATION, label: 'Shop' }, ...more];
    const entry = { name, baseUrl: `http://127.0.0.1:${String(port)}`, organizations };
    fs.writeFileSync(path.join(folder, `${name.toLowerCase()}.json`), JSON.stringify(entry));
  };
  suiteTeardown(() => {
    for (const server of servers) server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const command = ['diff', '--from', 'test.json', '--to', 'prod.json'];
  const compare = (...options: readonly string[]): Promise<ProgramResult> =>
    runProgram([...command, ...options], { cwd: folder });

  test('a copy with other ids, times, hashes and orders has no difference', async () => {
    const { code, stdout, stderr } = await startProgram([...command, '--fail-on', 'any'], { cwd: folder }).ended;
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^0 different, \d+ equal\n$/);
  });

  test('no text of a platform is a command of a CI system', async () => {
    other.faces.push({ id: 'fac_ci', name: '##vso[task.setvariable variable=PATH]a', content: 'a' });
    const [role = {}] = other.roles;
    Object.assign(role, { '::error::a': 'b' });
    for (const format of ['table', 'markdown', 'json']) {
      const { stdout } = await compare('--format', format);
      assert.match(stdout, /vso\[[^]*::a/);
      assert.doesNotMatch(stdout, /##vso|^ *::/m);
    }
    delete role['::error::a'];
    other.faces.pop();
  });

  test('what comes twice, since a list grows while it is read, is one resource', async () => {
    repeated = 1;
    const { code, stdout, stderr } = await compare('--fail-on', 'any');
    assert.equal(code, 0, stdout + stderr);
  });

  test('twenty planted differences are shown, and no other; --fail-on decides the exit code', async () => {
    const planted: string[] = [];
    const plant = (kind: keyof World, index: number, change: (item: Resource) => void): void => {
      const item = other[kind][index] ?? assert.fail(kind);
      change(item);
      const names =
        kind === 'messages'
          ? [item['name'], item['system'], item['language']]
          : [item['name'], ...(kind === 'assets' ? [item['tag']] : [])];
      planted.push(`~ ${kind === 'messages' ? 'message-templates' : kind} ${names.join(' · ')}`);
    };
    const object = (item: Resource): Resource => item['object'] as Resource;
    plant('templates', 0, (item) => Object.assign(object(item), { custom: { a: [0] } }));
    plant('templates', 4, (item) => (item['actions'] as Resource[]).push({ name: 'bridgeNFT' }));
    plant('faces', 1, (item) => (item['content'] = '<p>1</p>'));
    plant('faces', 5, (item) => (item['config'] = { order: [2, 1] }));
    plant('assets', 0, (item) => (item['is_public'] = 'changed'));
    plant('messages', 0, (item) => (item['content'] = 'Hello'));
    const times = { when_created: '2026-01-01T00:00:00Z', when_modified: '2026-01-01T00:00:00Z' };
    const brandNew = { ...times, id: 'new_1', name: 'Brand New' };
    other.templates.push({ ...other.templates[0], ...brandNew });
    other.assets.push({ ...other.assets[0], ...brandNew, tag: 'brand-new' });
    other.messages.push({ ...other.messages[0], ...brandNew });
    const { system, language } = other.messages[0] ?? {};
    planted.push('+ templates Brand New', '+ assets Brand New · brand-new');
    planted.push(`+ message-templates Brand New · ${String(system)} · ${String(language)}`);
    for (const [kind, index] of [
      ['templates', 6],
      ['messages', 2],
    ] as const) {
      const [item] = other[kind].splice(index, 1);
      const names = kind === 'messages' ? [item?.['name'], item?.['system'], item?.['language']] : [item?.['name']];
      planted.push(`- ${kind === 'messages' ? 'message-templates' : kind} ${names.join(' · ')}`);
    }
    // An organization with its default role.
    writeConnection('Test', { id: 'org_old', label: 'Closed' });
    writeConnection('Prod', { id: 'org_new', label: 'Branch' });
    planted.push('- organizations Closed', '- roles Closed: default');
    planted.push('+ organizations Branch', '+ roles Branch: default');
    const permissions = other.roles[0]?.['permissions'] as Resource[];
    const [allowed] = permissions.filter(({ resource }) => resource === 'objects');
    (allowed ?? assert.fail())['crud'] = { read: true, create: true, update: false, delete: false };
    planted.push('~ roles Shop: default');
    const unused = other.faces.findIndex(
      ({ id }, at) => at > 5 && !other.templates.some((one) => one['face_id'] === id),
    );
    planted.push(`- faces ${String(other.faces.splice(unused, 1)[0]?.['name'])}`);
    other.faces.push(brandNew);
    planted.push('+ faces Brand New');
    const renamed = other.assets[9] ?? assert.fail('no asset');
    renamed['tag'] = 'renamed';

    fs.writeFileSync(
      path.join(folder, 'ids.json'),
      JSON.stringify({ [String(renamed['id']).slice(1, -1)]: renamed['id'] }),
    );
    planted.push(`~ assets ${String(renamed['name'])} · renamed`);
    const retitled = other.assets[8] ?? assert.fail('no asset');
    Object.assign(retitled, { name: 'Retitled', tag: 'only-one' });
    for (const asset of original.assets) if (`x${String(asset['id'])}x` === retitled['id']) asset['tag'] = 'only-one';
    planted.push('~ assets Retitled · only-one');
    assert.equal(planted.length, 20);
    const { code, stdout, stderr } = await compare('--fail-on', 'changed', '--mapping', 'ids.json');
    assert.equal(code, 1, stderr);
    const lines = stdout.split('\n').filter((line) => /^[-+~!]/.test(line));
    assert.deepEqual([...lines].sort(), [...planted].sort());
    assert.match(stdout, /^ {4}permissions\.objects\.crud\.create: false → true$/m);
    assert.match(stdout, /^20 different/m);
    const json = JSON.parse((await compare('--format', 'json', '--mapping', 'ids.json')).stdout) as {
      readonly differences: readonly unknown[];
    };
    assert.equal(json.differences.length, 20);
    assert.match((await compare('--format', 'markdown')).stdout, /^# Test → Prod\n\n```diff\n/);
  });

  test('a folder of pulled files is one side: only templates and faces of its organization are compared', async () => {
    for (const name of ['Test', 'Prod'] as const) writeConnection(name);
    const root = path.join(folder, 'pulled');
    const client = createClient({ origin: `http://127.0.0.1:${String((servers[0]?.address() as AddressInfo).port)}` });
    const { org_id: organization } = original.faces[0] ?? {};
    const target = { organization: String(organization) };
    const read = await readOrganization(client, target.organization, {
      pulled: [],
      signal: new AbortController().signal,
    });
    await pullFiles(root, target, await compareFolder(root, target, read));
    const run = (...options: readonly string[]): Promise<ProgramResult> =>
      runProgram(['diff', '--from', 'pulled', '--to', 'test.json', ...options], { cwd: folder });
    const equal = await run('--fail-on', 'any');
    assert.equal(equal.code, 1, 'not everything was compared');
    assert.match(equal.stdout, /^! assets not compared: A folder has only templates and faces$/m);
    assert.match(equal.stdout, /^0 different, \d\d+ equal$/m);
    const [, advice = ''] = /specify (--kind .*) to compare/.exec(equal.stderr) ?? [];
    const rest = await run('--fail-on', 'any', ...advice.split(' '));
    assert.equal(rest.code, 0, rest.stdout + rest.stderr);
    assert.match(rest.stdout, /^0 different, \d\d+ equal\n$/);
    const [face] = fs.readdirSync(path.join(root, 'faces')).filter((name) => name.endsWith('.html'));
    fs.writeFileSync(path.join(root, 'faces', face ?? ''), '<p>changed here</p>');
    const { code, stdout } = await run('--fail-on', 'changed', '--kind', 'faces');
    assert.equal(code, 1);
    assert.equal(stdout.split('\n').filter((line) => /^[-+~]/.test(line)).length, 1);
    assert.match(stdout, /^ {4}content: "<p>changed here<\/p>" → /m);
    fs.writeFileSync(path.join(root, 'smart-objects.pull.json'), '{}');
    const broken = await run();
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /--from: smart-objects\.pull\.json is not valid/);
  });

  test('contexts that name no organization are compared by the kinds that the note names', async () => {
    const { port } = servers[0]?.address() as AddressInfo;
    const environment = { XDG_CONFIG_HOME: path.join(folder, 'config') };
    const run = (...words: readonly string[]): Promise<ProgramResult> =>
      runProgram(words, { cwd: folder, environment });
    for (const name of ['one', 'two'])
      assert.equal((await run('context', 'add', name, '--base-url', `http://127.0.0.1:${String(port)}`)).code, 0);
    const diff = ['diff', '--from', 'one', '--to', 'two'];
    const { code, stdout, stderr } = await run(...diff, '--fail-on', 'any');
    assert.deepEqual([code, (await run(...diff)).code], [1, 0]);
    assert.match(stdout, /^! organizations not compared: .*\n! roles not compared: .*\n0 different/m);
    const [, advice = ''] = /specify (--kind .*) to compare/.exec(stderr) ?? [];
    assert.equal(advice, '--kind templates faces assets message-templates');
    const rest = await run(...diff, '--fail-on', 'any', ...advice.split(' '));
    assert.deepEqual([rest.code, rest.stderr], [0, '']);
    assert.equal((await run(...diff, '--kind', 'objects')).code, 2);
  });

  test('a kind that is refused is not compared, and never shown as removed', async () => {
    refused = 'messages';
    const { code, stdout } = await compare('--fail-on', 'added');
    assert.equal(code, 1);
    assert.match(stdout, /^! message-templates not compared: /m);
    assert.doesNotMatch(stdout, /^- message-templates/m);
  });

  for (const status of [403, 404, 500])
    test(`a list that ends with ${String(status)} is named, the others are compared, and the exit code is 1`, async () => {
      const { stdout: whole } = await compare();
      const count = (text: string): number => text.split('\n').filter((line) => /^[-+~]/.test(line)).length;
      const others = whole.split('\n').filter((line) => /^[-+~] (?!faces )/.test(line));
      assert.ok(others.length > 0 && others.length < count(whole));
      [refused, refusal] = ['faces', status];
      for (const options of [[], ['--fail-on', 'changed']]) {
        const { code, stdout, stderr } = await compare(...options);
        assert.equal(code, 1, stderr);
        assert.match(stdout, /^! faces not compared: Prod: .* — “missing permission”$/m);
        assert.deepEqual(
          stdout.split('\n').filter((line) => /^[-+~]/.test(line)),
          others,
        );
      }
      assert.match((await compare('--format', 'markdown')).stdout, /^! faces not compared: Prod: \S/m);
      const json = JSON.parse((await compare('--format', 'json')).stdout) as { readonly notCompared: object };
      assert.deepEqual(Object.keys(json.notCompared), ['faces']);
    });

  test('without differences in what was read, an incomplete comparison does not exit with 0', async () => {
    const copy = await serve(
      original,
      () => refused,
      () => refusal,
    );
    try {
      const { port } = copy.address() as AddressInfo;
      const entry = { name: 'Copy', baseUrl: `http://127.0.0.1:${String(port)}` };
      fs.writeFileSync(
        path.join(folder, 'copy.json'),
        JSON.stringify({ ...entry, organizations: [{ id: ORGANIZATION, label: 'Shop' }] }),
      );
      const run = (): Promise<ProgramResult> =>
        runProgram(['diff', '--from', 'test.json', '--to', 'copy.json', '--fail-on', 'changed'], { cwd: folder });
      writeConnection('Test');
      assert.equal((await run()).code, 0);
      [refused, refusal] = ['assets', 500];
      const { code, stdout } = await run();
      assert.match(stdout, /^0 different/m);
      assert.equal(code, 1);
      refused = 'all';
      const failed = await run();
      assert.deepEqual([failed.code, failed.stdout], [1, '']);
      assert.match(failed.stderr, /Compare Copy/);
    } finally {
      copy.close();
    }
  });

  test('templates that cannot be read in full are compared by the fields of the list, and that is said', async () => {
    const changed = other.templates[0] ?? assert.fail();
    const before = changed['public_access'];
    changed['public_access'] = { custom: ['hidden'] };
    assert.match((await compare()).stdout, /public_access/);
    refused = 'templates';
    const { code, stdout } = await compare('--fail-on', 'added');
    changed['public_access'] = before;
    assert.equal(code, 1, 'something was not compared');
    assert.match(stdout, /^! \d+ templates of which only the public fields could be compared/m);
    assert.doesNotMatch(stdout, /public_access/);
  });

  test('each platform gets its own credential only, and only if its origin is named', async () => {
    const received = new Set<string>();
    for (const [index, server] of servers.entries())
      server.on('request', ({ headers }) => received.add(`${String(index)} ${String(headers['x-api-key'])}`));
    const environment = {
      SMART_OBJECTS_API_KEY: 'base',
      SMART_OBJECTS_API_KEY_TEST: 'one',
      SMART_OBJECTS_API_KEY_PROD: 'two',
    };
    const run = (...options: readonly string[]): Promise<ProgramResult> =>
      runProgram(['diff', '--from', 'test.json', '--to', 'prod.json', ...options], { cwd: folder, environment });
    const origins = servers.map((server) => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    for (const [options, message] of [
      [[], /--from-origin/],
      [['--from-origin', origins[0] ?? ''], /--to-origin/],
      [['--from-origin', origins[0] ?? '', '--to', 'none'], /no context none/],
    ] as const) {
      const refusal = await run(...options);
      assert.equal(refusal.code, 2);
      assert.match(refusal.stderr, message);
    }
    assert.equal(received.size, 0);
    assert.equal((await run('--from-origin', origins[0] ?? '', '--to-origin', origins[1] ?? '')).code, 0);
    assert.deepEqual(received, new Set(['0 one', '1 two']));
  });
});
