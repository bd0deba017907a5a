/** Pulls an organization into a folder, twice, and compares it after changes on both sides. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  compareFolder,
  pullFiles,
  requireManifest,
  settleFile,
  type FileStatus,
} from '../../../src/environments/folder/pull.ts';
import { readOrganization } from '../../../src/environments/folder/read-organization.ts';
import { MANIFEST_FILE, readPulledFolder } from '../../../src/model/pulled/pulled-folder.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { runProgram, startProgram } from '../cli/support.ts';
import { useServers } from '../../support/platform-client.ts';

type Resource = Record<string, unknown>;

const TARGET = { environment: 'staging', organization: 'org_1' };
const TIMES = { when_created: '2026-01-01T00:00:00Z', when_modified: '2026-01-01T00:00:00Z' };

suite('pull', () => {
  const { servers, createClient } = useServers();
  let root = '';
  let faces: Resource[] = [];
  /** the JSON text of each template */
  let templates = new Map<string, string>();
  /** templates that are public */
  let listed: string[] = [];
  let refused: RegExp | undefined;
  let requests: string[] = [];
  let client: ReturnType<typeof createClient>;
  let origin = '';

  setup(async () => {
    root = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'pull-')), 'platform');
    faces = Array.from({ length: 200 }, (_, index) => ({
      id: `fac_${String(index)}`,
      org_id: 'org_1',
      name: `Face ${String(index % 190)}`,
      content: `<p>${String(index)}</p>\r\n`,
      config: null,
      assets: [],
      ...TIMES,
    }));
    templates = new Map([
      [
        'tpl_1',
        '{"name":"Gold: Ticket","id":"tpl_1","object":{"metadata":{},"custom":{"b":9007199254740993,"a":[2,1],"when_created":"x"}},' +
          '"factory":{"max_supply":12345678901234567890,"minted_count":MINTED},"actions":[{"name":"mint"}],"when_modified":"NOW"}',
      ],
    ]);
    listed = ['tpl_1'];
    refused = undefined;
    requests = [];
    let count = 0;
    const server = await servers.http((request, response) => {
      count++;
      const url = new URL(request.url, 'http://localhost');
      requests.push(`${request.method} ${request.url}`);
      const [, first = '', second = ''] = url.pathname.split('/');
      const send = (status: number, text: string): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      };
      const at = Number(url.searchParams.get('next') ?? 0);
      const size = Number(url.searchParams.get('limit') ?? 50);
      if (refused?.test(request.url) === true) send(403, '{"message":"missing permission"}');
      else if (first === 'faces') {
        // Another order each time, as a list without `sortBy` may have.
        const own = faces.filter((face) => face['org_id'] === url.searchParams.get('org_id'));
        const page = own.slice(at, at + size);
        if (count % 2 === 0) page.reverse();
        const next = at + size < own.length ? { next: String(at + size) } : {};
        send(200, JSON.stringify({ faces: page, ...next }));
      } else if (first === 'public')
        send(200, JSON.stringify({ templates: listed.map((id) => ({ id, name: 'Public' })) }));
      else if (!templates.has(second)) send(404, '{}');
      else
        send(
          200,
          (templates.get(second) ?? '{}').replace('MINTED', String(count)).replace('NOW', new Date().toISOString()),
        );
    });
    client = createClient(server);
    origin = server.origin;
  });
  teardown(() => {
    fs.rmSync(path.dirname(root), { recursive: true, force: true });
  });

  const check = async (): Promise<readonly FileStatus[]> => {
    const { files: pulled } = await requireManifest(root, TARGET);
    const { signal } = new AbortController();
    return compareFolder(root, TARGET, await readOrganization(client, TARGET.organization, { pulled, signal }));
  };
  const pull = async (): Promise<readonly string[]> => (await pullFiles(root, TARGET, await check())).written;
  const list = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      fs
        .readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.join(parentPath, name))
        .sort()
        .map((file) => [
          path.relative(root, file).replaceAll('\\', '/'),
          `${String(fs.statSync(file).mtimeMs)} ${String(fs.statSync(file).ino)} ${fs.readFileSync(file, 'utf8')}`,
        ]),
    );
  const differing = (statuses: readonly FileStatus[]): readonly string[] =>
    statuses.filter(({ state }) => state !== 'current').map(({ entry, state }) => `${state} ${entry.file}`);
  const find = (statuses: readonly FileStatus[], file: string): FileStatus =>
    statuses.find(({ entry }) => entry.file === file) ?? assert.fail(file);

  test('200 faces twice: no file changes; one changed face on the platform is one change', async () => {
    assert.equal((await pull()).length, 201);
    const first = list();
    assert.equal(Object.keys(first).length, 202);
    assert.ok('faces/Face 0-fac0.face.html' in first && 'faces/Face 189.face.html' in first);
    assert.match(first['templates/Gold- Ticket.template.json'] ?? '', /12345678901234567890[^]*"b": 9007199254740993,/);
    assert.doesNotMatch(first['templates/Gold- Ticket.template.json'] ?? '', /minted_count|when_modified/);
    assert.match(first['templates/Gold- Ticket.template.json'] ?? '', /"when_created": "x"/);
    assert.doesNotMatch(first[MANIFEST_FILE] ?? '', /127\.0\.0\.1|localhost|key|20\d\d-/);
    assert.deepEqual(await pull(), []);
    assert.deepEqual(list(), first);

    Object.assign(faces[7] ?? {}, { content: '<p>seven</p>', when_modified: '2026-02-02T00:00:00Z' });
    assert.deepEqual(differing(await check()), ['platform faces/Face 7-fac7.face.html']);
    assert.deepEqual(list(), first);
    assert.deepEqual(await pull(), ['faces/Face 7-fac7.face.html']);
    assert.equal(fs.readFileSync(path.join(root, 'faces/Face 7-fac7.face.html'), 'utf8'), '<p>seven</p>');
    assert.deepEqual(differing(await check()), []);
    assert.ok(requests.every((request) => request.startsWith('GET ')));
  });

  test('local changes stay; changes on both sides are settled one way or the other', async () => {
    faces = faces.slice(0, 4);
    await pull();
    const file = (index: number): string => `faces/Face ${String(index)}.face.html`;
    const write = (index: number, text: string): void => {
      fs.writeFileSync(path.join(root, file(index)), text);
    };
    write(0, 'mine');
    write(1, 'mine');
    write(2, 'the same');
    fs.rmSync(path.join(root, file(3)));
    Object.assign(faces[1] ?? {}, { content: 'theirs' });
    Object.assign(faces[2] ?? {}, { content: 'the same' });
    const expected = [`local ${file(0)}`, `both ${file(1)}`, `local ${file(3)}`];
    assert.deepEqual(differing(await check()), expected);
    assert.deepEqual(await pull(), []);
    assert.equal(fs.readFileSync(path.join(root, file(1)), 'utf8'), 'mine');
    assert.deepEqual(differing(await check()), expected);

    await settleFile(root, TARGET, find(await check(), file(1)), 'local');
    assert.deepEqual(differing(await check()), [`local ${file(0)}`, `local ${file(1)}`, `local ${file(3)}`]);
    await settleFile(root, TARGET, find(await check(), file(1)), 'platform');
    await settleFile(root, TARGET, find(await check(), file(3)), 'platform');
    assert.equal(fs.readFileSync(path.join(root, file(1)), 'utf8'), 'theirs');
    assert.deepEqual(differing(await check()), [`local ${file(0)}`]);
  });

  test('a file that changes while it is pulled or settled is kept', async () => {
    faces = faces.slice(0, 1);
    await pull();
    Object.assign(faces[0] ?? {}, { content: 'theirs' });
    const statuses = await check();
    fs.writeFileSync(path.join(root, 'faces/Face 0.face.html'), 'mine');
    const { written, failed } = await pullFiles(root, TARGET, statuses);
    assert.deepEqual([written, [...failed.keys()]], [[], ['faces/Face 0.face.html']]);
    const settling = settleFile(root, TARGET, find(statuses, 'faces/Face 0.face.html'), 'platform');
    await assert.rejects(settling, /changed in the meantime/);
    assert.deepEqual(differing(await check()), ['both faces/Face 0.face.html']);
  });

  test('deleted on the platform: the file stays; not readable: it counts as unchanged, with the reason', async () => {
    faces = faces.slice(0, 3);
    await pull();
    const before = list();
    const [deleted] = faces.splice(0, 1);
    refused = /^\/templates\/tpl_1/;
    const statuses = await check();
    assert.deepEqual(differing(statuses), ['platform faces/Face 0.face.html']);
    assert.equal(find(statuses, 'faces/Face 0.face.html').platformText, undefined);
    assert.match(find(statuses, 'templates/Gold- Ticket.template.json').problem ?? '', /missing permission/);
    await pullFiles(root, TARGET, statuses);
    assert.deepEqual(list(), before);
    refused = /^\/faces/;
    assert.deepEqual(
      (await check()).filter(({ problem }) => problem !== undefined).map(({ state }) => state),
      ['current', 'current', 'current'],
    );
    fs.rmSync(path.join(root, 'faces/Face 1.face.html'));
    const unread = find(await check(), 'faces/Face 1.face.html');
    assert.equal(unread.state, 'local');
    await assert.rejects(settleFile(root, TARGET, unread, 'platform'), /missing permission/);
    refused = undefined;
    await settleFile(root, TARGET, find(await check(), 'faces/Face 1.face.html'), 'platform');
    fs.rmSync(path.join(root, 'faces/Face 0.face.html'));
    await pull();
    assert.doesNotMatch(fs.readFileSync(path.join(root, MANIFEST_FILE), 'utf8'), /fac_0/);
    faces.unshift(deleted ?? {});
    assert.deepEqual(await pull(), ['faces/Face 0.face.html']);
  });

  test('a pulled template that is no longer public is read by its id: it is not deleted', async () => {
    faces = faces.slice(0, 1);
    await pull();
    listed = [];
    assert.deepEqual(differing(await check()), []);
    templates.set('tpl_1', '{"id":"tpl_1","name":"Gold: Ticket","actions":[{"name":"burn"}]}');
    assert.deepEqual(await pull(), ['templates/Gold- Ticket.template.json']);
    templates.clear();
    const statuses = await check();
    assert.deepEqual(differing(statuses), ['platform templates/Gold- Ticket.template.json']);
    assert.equal(find(statuses, 'templates/Gold- Ticket.template.json').problem, undefined);
  });

  test('nothing is written through links, and a file that is in the way is a change on both sides', async () => {
    faces = faces.slice(0, 2);
    const outside = path.join(path.dirname(root), 'outside');
    fs.mkdirSync(outside);
    fs.mkdirSync(root);
    fs.symlinkSync(outside, path.join(root, 'faces'));
    const { failed } = await pullFiles(root, TARGET, await check());
    assert.equal(failed.size, 0);
    assert.deepEqual(fs.readdirSync(outside), []);
    assert.deepEqual(differing(await check()), ['both faces/Face 0.face.html', 'both faces/Face 1.face.html']);
    const args = ['pull', 'platform', '--base-url', origin, '--environment', 'staging', '--organization', 'org_1'];
    const { stdout } = await startProgram(args, { cwd: path.dirname(root) }).ended;
    assert.match(stdout, /^faces\/Face 0\.face\.html: changed on both sides \(faces is a link/m);

    fs.rmSync(path.join(root, 'faces'));
    fs.mkdirSync(path.join(root, 'faces'));
    fs.writeFileSync(path.join(outside, 'secret.txt'), 'secret');
    fs.symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'faces/Face 0.face.html'));
    fs.writeFileSync(path.join(root, 'faces/Face 1.face.html'), 'of the user');
    const statuses = await check();
    assert.deepEqual(differing(statuses), ['both faces/Face 0.face.html', 'both faces/Face 1.face.html']);
    await pullFiles(root, TARGET, statuses);
    await assert.rejects(settleFile(root, TARGET, find(statuses, 'faces/Face 0.face.html'), 'platform'), /is a link/);
    assert.equal(fs.readFileSync(path.join(outside, 'secret.txt'), 'utf8'), 'secret');
    assert.equal(fs.readFileSync(path.join(root, 'faces/Face 1.face.html'), 'utf8'), 'of the user');
  });

  test('a manifest that is not valid, or of another organization or environment, is refused', async () => {
    faces = faces.slice(0, 2);
    await pull();
    const manifest = fs.readFileSync(path.join(root, MANIFEST_FILE), 'utf8');
    const replace = (from: RegExp | string, to: string): void => {
      fs.writeFileSync(path.join(root, MANIFEST_FILE), manifest.replace(from, to));
    };
    for (const file of ['../../x.face.html', '/etc/x.face.html', 'faces/../../x.face.html', 'faces\\\\x.face.html']) {
      replace('faces/Face 0.face.html', file);
      await assert.rejects(check(), /is not valid/, file);
    }
    replace('faces/Face 0.face.html', 'faces/Face 1.face.json');
    await assert.rejects(check(), /is not valid/);
    replace('org_1', 'org_2');
    await assert.rejects(check(), /another organization/);
    replace('staging', 'production');
    await assert.rejects(check(), /another organization or environment/);
  });

  test('a folder that is a file is refused', async () => {
    fs.writeFileSync(root, 'of the user');
    await assert.rejects(check(), { message: 'platform is not a folder' });
    fs.rmSync(root);
    fs.mkdirSync(root);
    fs.writeFileSync(path.join(root, 'faces'), 'of the user');
    const problems = new Set(
      (await check()).filter(({ entry }) => entry.kind === 'faces').map(({ problem }) => problem),
    );
    assert.deepEqual([...problems], ['faces is not a folder']);
  });

  test('a face that is more than its content has a second file; the folder reads as what was pulled', async () => {
    faces = [
      { id: 'fac_1', name: 'Card', content: '\ufeff<p>{{.id}}</p>', config: { aspect_ratio: '3/4' }, ...TIMES },
      { id: 'fac_2', name: 'Page', url: 'https://example.org', ...TIMES },
    ].map((face) => ({ ...face, org_id: 'org_1' }));
    assert.deepEqual(await pull(), [
      ...['faces/Card.face.html', 'faces/Card.face.json', 'faces/Page.face.json'],
      'templates/Gold- Ticket.template.json',
    ]);
    assert.deepEqual(differing(await check()), []);
    const { resources, organization, unread } = await readPulledFolder(root);
    assert.deepEqual([organization, unread.size], ['org_1', 0]);
    assert.deepEqual(resources.slice(0, 2), [
      {
        kind: 'faces',
        id: 'fac_1',
        name: 'Card',
        raw: { id: 'fac_1', name: 'Card', content: '<p>{{.id}}</p>', config: { aspect_ratio: '3/4' } },
      },
      {
        kind: 'faces',
        id: 'fac_2',
        name: 'Page',
        raw: { id: 'fac_2', name: 'Page', url: 'https://example.org' },
      },
    ]);
    assert.match(JSON.stringify(resources[2]?.raw), /"b":9007199254740993/);
    // The name of one without a name is its id in the folder, and in nothing that is read from it.
    faces = [{ id: 'fac_3', org_id: 'org_1', content: '<p>3</p>', ...TIMES }];
    await pull();
    const nameless = (await readPulledFolder(root)).resources.find(({ id }) => id === 'fac_3');
    assert.deepEqual([nameless?.name, nameless?.raw], ['fac_3', { id: 'fac_3', content: '<p>3</p>' }]);
  });

  test('the program pulls, and with --check only says what differs', async () => {
    faces = faces.slice(0, 4);
    const run = async (...options: readonly string[]): Promise<readonly [number | null, string]> => {
      const args = ['pull', 'platform', '--base-url', origin, '--environment', 'staging', ...options];
      const { code, stdout, stderr } = await runProgram(args, { cwd: path.dirname(root) });
      return [code, stdout + stderr];
    };
    assert.equal((await run())[0], 2);
    const [code, text] = await run('--organization', 'org_1');
    assert.equal(code, 0, text);
    assert.match(text, /^faces\/Face 0\.face\.html: pulled$/m);
    assert.deepEqual(await run('--organization', 'org_1', '--check'), [0, '']);
    Object.assign(faces[0] ?? {}, { content: 'theirs' });
    fs.writeFileSync(path.join(root, 'faces/Face 1.face.html'), 'mine');
    faces.splice(2, 1);
    fs.rmSync(path.join(root, 'faces/Face 3.face.html'));
    const before = list();
    const differing = [
      'faces/Face 0.face.html: changed on the platform',
      'faces/Face 1.face.html: changed in the folder',
      'faces/Face 2.face.html: deleted on the platform',
      'faces/Face 3.face.html: deleted in the folder',
    ];
    assert.deepEqual(await run('--organization', 'org_1', '--check'), [1, `${differing.join('\n')}\n`]);
    assert.deepEqual(list(), before);
    assert.equal((await run('--organization', 'org_1'))[0], 0);
    refused = /^\/templates\//;
    assert.equal((await run('--organization', 'org_1'))[0], 1);
    refused = undefined;
    faces.push({ ...faces[0], id: 'fac_ci', name: '##[error]a' });
    assert.match((await run('--organization', 'org_1', '--check'))[1], /^faces\/# #\[error\]a\.face\.html: /m);
    faces.pop();
    requests = [];
    const [refusal, reason] = await run('--organization', 'org_2');
    assert.deepEqual([refusal, requests], [2, []]);
    assert.match(reason, /another organization/);
  });

  test('the sandbox, twice', async () => {
    const sandbox = await startSandbox({ objects: 10 });
    try {
      const [organization] = sandbox.organizations;
      const target = { environment: 'sandbox', organization: organization?.id ?? '' };
      const own = createClient(
        { origin: sandbox.baseUrl },
        { credential: () => Promise.resolve({ apiKey: sandbox.apiKey }) },
      );
      const pullAll = async (): Promise<readonly string[]> => {
        const files = await readOrganization(own, target.organization, {
          pulled: [],
          signal: new AbortController().signal,
        });
        return (await pullFiles(root, target, await compareFolder(root, target, files))).written;
      };
      assert.ok((await pullAll()).some((file) => file.endsWith('.face.html')));
      assert.deepEqual(await pullAll(), []);
    } finally {
      await sandbox.close();
    }
  });
});
