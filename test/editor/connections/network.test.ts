/** The editor's network settings reach the transport: an authenticating proxy, a private authority, changes at run time. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { getTestCertificateAuthority } from '../../support/http/certificate-authority.ts';
import { startProxy } from '../../support/http/proxy-server.ts';
import { Servers } from '../../support/http/servers.ts';
import { getTestHooks } from '../support/connections.ts';

async function set(section: string, name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
}

suite('connections: network settings', () => {
  const servers = new Servers();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-ca-'));

  suiteTeardown(async () => {
    servers.close();
    fs.rmSync(folder, { recursive: true });
    await set('http', 'proxy', undefined);
    await set('http', 'proxyStrictSSL', undefined);
    await set('smartObjects', 'caCertificates', undefined);
    await (await getTestHooks()).reset();
  });

  test('http.proxy, smartObjects.caCertificates and http.proxyStrictSSL apply to the next request', async () => {
    const h = await getTestHooks();
    await h.reset();
    const authority = await getTestCertificateAuthority();
    const origin = await servers.http(
      (_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end('{"objects":[]}');
      },
      await authority.issue(['shop.example']),
    );
    const proxy = await startProxy(servers, { credentials: 'ada:s3cret-s3cret' });
    const apiKey = 'key-behind-a-proxy';
    await h.addConnection({ name: 'Shop', baseUrl: `https://shop.example:${String(origin.port)}` }, { apiKey });
    const client = (await h.services()).sessions.get('Shop')?.client;
    assert.ok(client);
    const ask = (): Promise<unknown> => client.listPage('objects');

    await set('http', 'proxy', `http://ada:wrong@127.0.0.1:${String(proxy.port)}`);
    await assert.rejects(ask(), /proxy/);
    await set('http', 'proxy', `http://ada:s3cret-s3cret@127.0.0.1:${String(proxy.port)}`);
    await assert.rejects(ask(), /certificate/);
    assert.equal(origin.received.length, 0, 'nothing is sent to a server that is not known');

    const file = path.join(folder, 'ca.pem');
    fs.writeFileSync(file, authority.certificate);
    await set('smartObjects', 'caCertificates', [file]);
    await ask();
    assert.equal(origin.received.length, 1);
    assert.equal(origin.received[0]?.headers['x-api-key'], apiKey);
    assert.ok(!proxy.getReceived().includes(apiKey), 'the proxy reads nothing of the tunnel');

    await set('smartObjects', 'caCertificates', [path.join(folder, 'missing.pem')]);
    await assert.rejects(ask(), /caCertificates/);
    assert.ok(h.logLines.some((line) => line.includes('cannot be read') && line.includes('missing.pem')));
    await set('http', 'proxyStrictSSL', false);
    await ask();
    assert.equal(origin.received.length, 2);
    assert.ok(!h.logLines.join('\n').includes('s3cret-s3cret'), 'the proxy’s password is in no log');
  });
});
