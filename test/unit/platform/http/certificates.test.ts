/** Certificates: trusted authorities, lazy loading, and messages of failed handshakes. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import {
  parseCertificates,
  loadCertificateAuthorities,
  type CertificateSources,
} from '../../../../src/platform/http/certificates.ts';
import { formatText } from '../../../../src/platform/text/message.ts';
import type { NetworkSettings, Transport } from '../../../../src/platform/http/transport.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import {
  createCertificateAuthority,
  getTestCertificateAuthority,
  type TestCertificateAuthority,
} from '../../../support/http/certificate-authority.ts';
import { assertFails, get, post } from '../../../support/http/requests.ts';
import { Servers, type LocalServer } from '../../../support/http/servers.ts';

suite('certificates', () => {
  const servers = new Servers();
  let authority: TestCertificateAuthority;
  let opened: Transport[] = [];
  let reads: string[] = [];
  const sources = (system: readonly string[] = []): CertificateSources => ({
    bundled: () => tls.rootCertificates,
    system: () => {
      reads.push('system');
      return system;
    },
    file: (file) => {
      reads.push('file');
      return fs.readFile(file, 'utf8');
    },
  });
  const open = (settings: NetworkSettings, certificates: CertificateSources = sources()): Transport => {
    const transport = createTransport({ environment: {}, ...settings }, { certificates });
    opened.push(transport);
    return transport;
  };
  const secure = async (names = ['127.0.0.1'], days?: { from: number; to: number }): Promise<LocalServer> =>
    servers.http((_request, response) => response.end('arrived'), await authority.issue(names, days));

  suiteSetup(async () => {
    authority = await getTestCertificateAuthority();
  });
  setup(() => {
    reads = [];
  });
  teardown(async () => {
    await Promise.all(opened.map((transport) => transport.close()));
    opened = [];
    servers.close();
  });

  test('an authority from the settings is trusted', async () => {
    const server = await secure();
    assert.equal((await open({ certificates: [authority.certificate] }).send(get(server.origin))).text, 'arrived');
  });

  test('an authority of the system is trusted', async () => {
    const server = await secure();
    assert.equal((await open({}, sources([authority.certificate])).send(get(server.origin))).text, 'arrived');
  });

  test('an authority in NODE_EXTRA_CA_CERTS is trusted', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'certificates-'));
    const file = path.join(folder, 'extra.pem');
    await fs.writeFile(file, `# ours\n${authority.certificate}\n`);
    const server = await secure();
    assert.equal((await open({ environment: { NODE_EXTRA_CA_CERTS: file } }).send(get(server.origin))).text, 'arrived');
    await fs.rm(folder, { recursive: true });
  });

  test('the system and files are read on the first TLS connection, and once', async () => {
    const plain = await servers.http((_request, response) => response.end());
    const server = await secure();
    const transport = open({
      certificates: [authority.certificate],
      environment: { NODE_EXTRA_CA_CERTS: '/nowhere/extra.pem' },
    });
    await transport.send(get(plain.origin));
    assert.deepEqual(reads, []);
    await Promise.all([1, 2, 3].map(() => transport.send(get(server.origin))));
    assert.deepEqual(reads.sort(), ['file', 'system']);
  });

  test('an unknown authority: nothing is sent, and the next step is named', async () => {
    const server = await secure();
    const message = new RegExp(
      `certificate of 127\\.0\\.0\\.1:${server.port} is signed by an authority that this computer does not trust \\([A-Z_]+\\)\\. .* smartObjects\\.caCertificates\\.$`,
    );
    await assertFails(open({}), post(server.origin), { code: 'network', sent: false, message });
    assert.equal(server.received.length, 0);
    const other = await createCertificateAuthority('Another Authority');
    await assertFails(open({ certificates: [other.certificate] }), post(server.origin), {
      code: 'network',
      sent: false,
      message,
    });
  });

  test('another name, expired, not yet valid', async () => {
    const transport = open({ certificates: [authority.certificate] });
    const cases: readonly [LocalServer, RegExp][] = [
      [await secure(['other.example']), /is for another host name \(ERR_TLS_CERT_ALTNAME_INVALID\)/],
      [await secure(['127.0.0.1'], { from: -3, to: -1 }), /has expired \(CERT_HAS_EXPIRED\)/],
      [await secure(['127.0.0.1'], { from: 1, to: 3 }), /is not valid yet; check the clock/],
    ];
    for (const [server, message] of cases) {
      await assertFails(transport, post(server.origin), { code: 'network', sent: false, message });
    }
  });

  test('strictSsl false accepts any certificate', async () => {
    const server = await secure(['other.example'], { from: -3, to: -1 });
    assert.equal((await open({ strictSsl: false }).send(get(server.origin))).text, 'arrived');
  });

  test('plain http behind https: the message names the missing TLS', async () => {
    const server = await servers.raw((_text, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const request = post(`https://127.0.0.1:${server.port}`);
    await assertFails(open({}), request, {
      code: 'network',
      sent: false,
      message: /the TLS handshake with \S+ failed/,
    });
  });

  test('unreadable sources are named in a failed handshake, and the others are used', async () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    const settings = {
      certificates: [broken, authority.certificate],
      environment: { NODE_EXTRA_CA_CERTS: '/nowhere/x.pem' },
    };
    const failing: CertificateSources = {
      ...sources(),
      system: () => {
        throw new Error('no store');
      },
    };
    const loaded = await loadCertificateAuthorities(settings, failing);
    assert.ok(loaded.pem.length > 50);
    assert.equal(loaded.pem.at(-1), authority.certificate.trim());
    assert.deepEqual(loaded.hints.map(formatText).sort(), [
      'A certificate in smartObjects.caCertificates could not be read.',
      'The NODE_EXTRA_CA_CERTS file could not be read.',
      'The system’s certificate authorities could not be read.',
    ]);
    const server = await secure();
    assert.equal((await open(settings, failing).send(get(server.origin))).text, 'arrived');
    const message = /NODE_EXTRA_CA_CERTS file could not be read/;
    await assertFails(open({ ...settings, certificates: [] }), post(server.origin), {
      code: 'network',
      sent: false,
      message,
    });
  });

  test('a file of which one certificate is broken is named, and the others are used', async () => {
    const files = [`${authority.certificate}\n-----BEGIN CERTIFICATE-----\ncut off`, authority.certificate];
    const from: CertificateSources = { ...sources(), file: () => Promise.resolve(files.shift() ?? '') };
    const load = (): Promise<readonly unknown[]> =>
      loadCertificateAuthorities({ environment: { NODE_EXTRA_CA_CERTS: '/extra.pem' } }, from).then(
        ({ pem, hints }) => [pem.at(-1), hints.map(formatText)],
      );
    const one = authority.certificate.trim();
    assert.deepEqual(await load(), [one, ['A certificate in the NODE_EXTRA_CA_CERTS file could not be read.']]);
    assert.deepEqual(await load(), [one, []]);
  });

  test('without an environment of its own, that of this process counts', async () => {
    const before = process.env['NODE_EXTRA_CA_CERTS'];
    process.env['NODE_EXTRA_CA_CERTS'] = '/nowhere/x.pem';
    try {
      const { hints } = await loadCertificateAuthorities({}, sources());
      assert.deepEqual(hints.map(formatText), ['The NODE_EXTRA_CA_CERTS file could not be read.']);
    } finally {
      if (before === undefined) delete process.env['NODE_EXTRA_CA_CERTS'];
      else process.env['NODE_EXTRA_CA_CERTS'] = before;
    }
  });

  test('PEM text is split into certificates', () => {
    const one = authority.certificate.trim();
    assert.deepEqual(parseCertificates(`comment\n${one}\nmore\n${one}`), { pem: [one, one], unreadable: 0 });
    for (const none of ['', ' \n']) assert.deepEqual(parseCertificates(none), { pem: [], unreadable: 0 });
    assert.deepEqual(parseCertificates('not a certificate'), { pem: [], unreadable: 1 });
    assert.deepEqual(parseCertificates(`${one}\n-----BEGIN CERTIFICATE-----\ncut off`), { pem: [one], unreadable: 1 });
  });

  test("Node's own sources: bundled and system, no repeats", async () => {
    const { pem, hints } = await loadCertificateAuthorities({ environment: {} });
    assert.ok(tls.rootCertificates.every((certificate) => pem.includes(certificate)));
    assert.equal(new Set(pem).size, pem.length);
    assert.deepEqual(hints, []);
  });
});
