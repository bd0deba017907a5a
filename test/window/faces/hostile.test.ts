/** Hostile faces in a window: none runs a script, leaves its frame or reaches a server. Approved images are the control. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type net from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { getTestCertificateAuthority } from '../../support/http/certificate-authority.ts';
import { openFile } from '../support/gestures.ts';
import { runCommand, until, webview } from '../support/workbench.ts';
import { leaveSharedWindow, openSharedWindow } from './shared-window.ts';
import { clickableFaces, hostileFaces, type HostileFace } from '../../support/faces/hostile-faces.ts';

const BATCH = 36;
const FILE = 'hostile.face.json';
/** Preconnect targets in the browser's DOM, including shadow trees; this browser itself does not preconnect. */
const CONNECTING_SELECTOR =
  'link, base, iframe, frame, object, embed, a[href]:not([href^="about:srcdoc#"]), area[href]:not([href^="about:srcdoc#"]), a[ping]';

/** Records http requests and every connection to an https port: not even a TLS handshake may reach it. */
class CanaryServer {
  readonly hits: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #http = http.createServer((request, answer) => {
    this.hits.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer.setHeader('access-control-allow-origin', '*').setHeader('content-type', 'image/svg+xml');
    answer.end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  });
  #https: https.Server | undefined;

  async start(): Promise<{ readonly http: string; readonly https: string }> {
    // Connections without a request count too, as preconnect opens them.
    this.#http.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      this.hits.push('connection');
    });
    const keys = await (await getTestCertificateAuthority()).issue(['127.0.0.1']);
    const secure = (this.#https = https.createServer(keys, (request, answer) => {
      this.hits.push(`${request.method ?? ''} https ${request.url ?? ''}`);
      answer.end();
    }));
    secure.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      this.hits.push('connection');
    });
    for (const server of [this.#http, secure])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = (server: net.Server): string => String((server.address() as AddressInfo).port);
    return { http: `http://127.0.0.1:${port(this.#http)}`, https: `https://127.0.0.1:${port(secure)}` };
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of [this.#http, ...(this.#https === undefined ? [] : [this.#https])])
      await new Promise((resolve) => server.close(resolve));
  }
}

function formatFaceFile(faces: readonly HostileFace[]): string {
  const views = faces.map(({ name, content, mediaType }) => ({
    variant: name,
    content,
    ...(mediaType !== undefined && { media_type: mediaType }),
  }));
  return JSON.stringify({ name: 'Hostile', views });
}

suite('hostile faces', () => {
  const server = new CanaryServer();
  let canary = { http: '', https: '' };
  let window: Awaited<ReturnType<typeof openSharedWindow>>;
  let page: Page;
  let address = '';
  const events: string[] = [];

  suiteSetup(async () => {
    canary = await server.start();
    // The browser accepts the canary's certificate: only the policy blocks requests.
    window = await openSharedWindow(FILE, formatFaceFile(hostileFaces(canary).slice(0, 2)));
    page = window.page;
    page.on('dialog', (dialog) => {
      events.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('download', () => events.push('download'));
    window.context.on('page', (opened) => events.push(`window ${opened.url()}`));
    address = page.url();
    await openFile(page, FILE);
    await runCommand(page, 'Smart Objects: Preview Face');
    await webview(page).locator('[data-name="variant"]').selectOption('all');
    await recordMessages();
  });
  suiteTeardown(async () => {
    await leaveSharedWindow(window);
    await server.stop();
  });

  /** The document that holds the frames. */
  async function getWebviewFrame(): Promise<Frame> {
    const handle = await webview(page).locator('#frames').elementHandle();
    const frame = await handle.ownerFrame();
    assert.ok(frame);
    return frame;
  }

  /** Records messages that faces post to the pages around; those of the host come from the page's own origin. */
  async function recordMessages(): Promise<void> {
    page.on('console', (message) => {
      if (message.text().startsWith('UNEXPECTED')) events.push(message.text());
    });
    await page.evaluate(() => {
      addEventListener('message', ({ data }) => {
        const text = `UNEXPECTED in the window: ${JSON.stringify(data)}`;
        if (text.includes('pwned')) console.log(text);
      });
    });
    await (
      await getWebviewFrame()
    ).evaluate(() => {
      addEventListener('message', ({ origin, data }) => {
        if (origin !== globalThis.origin) console.log(`UNEXPECTED in the page: ${JSON.stringify(data)}`);
      });
    });
  }

  /** Writes the faces to the file and waits until each frame has loaded. */
  async function showFaces(faces: readonly HostileFace[]): Promise<Frame> {
    fs.writeFileSync(window.file, formatFaceFile(faces));
    const names = faces.map(({ name }) => name);
    const captions = webview(page).locator('figcaption bdi');
    // The page can be reloading and have no captions.
    const readCaptions = (): Promise<readonly string[]> => captions.allTextContents().catch(() => []);
    await until(async () => (await readCaptions()).join('\n') === names.join('\n'));
    // Until then frames may be replaced.
    await webview(page).locator('#frames[aria-busy="false"]').waitFor();
    const frame = await getWebviewFrame();
    for (const child of frame.childFrames()) await child.waitForLoadState('load');
    return frame;
  }

  /** Sends a probe request through the same browser after possibly pending ones, so that these have arrived before it. */
  async function takeServerHits(): Promise<readonly string[]> {
    const before = server.hits.length;
    const probe = await window.context.newPage();
    await probe.goto(`${canary.http}/last`);
    await probe.close();
    assert.ok(server.hits.includes('GET /last'));
    events.splice(0, events.length, ...events.filter((event) => event !== 'window about:blank'));
    const hits = server.hits.splice(0);
    // The probe itself makes a connection and two requests.
    const probeHits = new Set(['connection', 'GET /last', 'GET /favicon.ico']);
    return [...hits.slice(0, before), ...hits.slice(before).filter((hit) => !probeHits.has(hit))];
  }

  function assertHarmless(frame: Frame): void {
    // A frame that tried to navigate shows the browser's error page.
    const frames = frame.childFrames().flatMap((child) => [child, ...child.childFrames()]);
    for (const child of frames) assert.match(child.url(), /^(about:(srcdoc(#.*)?|blank)|chrome-error:.*|)$/);
    assert.equal(page.url(), address);
    assert.deepEqual(events, []);
  }

  // Slow: each face is in a frame that has to load.
  const total = hostileFaces(canary).length;
  for (let at = 0; at < total; at += BATCH)
    test(`faces ${String(at)} to ${String(at + BATCH)}: none sends a request, runs a script or leaves its frame`, async () => {
      const frame = await showFaces(hostileFaces(canary).slice(at, at + BATCH));
      // The page still answers: no face blocked it.
      await webview(page).locator('header h1').filter({ hasText: 'Hostile' }).waitFor({ timeout: 10_000 });
      for (const child of frame.childFrames()) assert.match(child.url(), /^about:srcdoc$/);
      const left = await Promise.all(frame.childFrames().map((child) => child.locator(CONNECTING_SELECTOR).count()));
      assert.ok(
        left.every((count) => count === 0),
        left.join(' '),
      );
      assertHarmless(frame);
      assert.deepEqual(await takeServerHits(), []);
    });

  test('there are more than 200 of them', () => {
    assert.ok(total >= 200, `only ${String(total)}`);
  });

  test('a click in a face does not navigate', async () => {
    const faces = clickableFaces(canary);
    const frame = await showFaces(faces);
    for (const [index] of faces.entries()) {
      const iframe = webview(page).locator('iframe').nth(index);
      await iframe.scrollIntoViewIfNeeded();
      await iframe.click({ position: { x: 60, y: 60 }, timeout: 5000 });
    }
    assertHarmless(frame);
    assert.deepEqual(await takeServerHits(), []);
  });

  test('approved images load, and the canary sees nothing else', async () => {
    const faces = hostileFaces(canary).filter(({ name }) =>
      / request: (img|img unquoted|iframe|stylesheet|font|prefetch|video)$/.test(name),
    );
    assert.equal(faces.length, 7);
    const numbers = faces.filter(({ name }) => name.includes(' img')).map(({ name }) => name.split(' ')[0] ?? '');
    await showFaces(faces);
    assert.deepEqual([...server.hits], []);
    await webview(page).locator('button', { hasText: 'Load Images' }).first().click();
    await webview(page).locator('summary', { hasText: 'Permissions' }).waitFor();
    await until(() => numbers.every((number) => server.hits.includes(`GET /${number}/img`)));
    const requests = (await takeServerHits()).filter((hit) => hit !== 'connection');
    assert.deepEqual([...new Set(requests)].sort(), numbers.map((number) => `GET /${number}/img`).sort());

    const secure = hostileFaces(canary).filter(({ name }) => / request over https: img( unquoted)?$/.test(name));
    assert.equal(secure.length, 2);
    await showFaces(secure);
    await webview(page).locator('button', { hasText: 'Load Images' }).first().click();
    const number = secure[0]?.name.split(' ')[0] ?? '';
    await until(() => server.hits.includes(`GET https /${number}/img`));
  });
});
