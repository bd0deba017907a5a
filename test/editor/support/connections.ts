/** What the tests of the connections share: the hooks, the sandbox that the runner started, servers that take notes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { TestHooks } from './hooks.ts';

export async function hooks(): Promise<TestHooks> {
  const extension = vscode.extensions.getExtension<TestHooks>('smart-objects.smart-object-explorer');
  assert.ok(extension, 'not installed');
  return extension.activate();
}

export async function run(command: string, ...args: unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`smartObjects.${command}`, ...args);
}

export interface SandboxLine {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly readOnlyApiKey: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly systemToken: string;
  readonly refreshPath: string;
  readonly walletId: string;
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
  readonly invites: readonly { readonly organizationId: string; readonly token: string; readonly memberId: string }[];
}

/** The line that the sandbox printed. */
export function sandbox(): SandboxLine {
  const line = process.env['SANDBOX'];
  assert.ok(line !== undefined, 'no sandbox was started');
  return JSON.parse(line) as SandboxLine;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly credential: { readonly kind: string; readonly hash?: string };
}

/** The sandbox's own endpoints: faults, tokens, what was asked of it. */
export async function control(method: 'GET' | 'POST' | 'DELETE', name: string, body?: unknown): Promise<unknown> {
  const { baseUrl, apiKey } = sandbox();
  const response = await fetch(`${baseUrl}/__sandbox/${name}`, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

export async function asked(): Promise<readonly Asked[]> {
  return ((await control('GET', 'requests')) as { requests: Asked[] }).requests;
}

export async function token(claims: Readonly<Record<string, unknown>>): Promise<string> {
  return ((await control('POST', 'tokens', claims)) as { token: string }).token;
}

/** As the sandbox notes which credential came. */
export function hashOf(...secrets: readonly string[]): string {
  return createHash('sha256').update(secrets.join(' ')).digest('hex').slice(0, 16);
}

export interface Notes {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
  close(): Promise<void>;
}

/** A server that answers every request with an empty list of objects and remembers its headers. */
export async function noting(): Promise<Notes> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.setHeader('content-type', 'application/json');
    response.end('{"objects":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** What a server got, one request each: a secret is in one of these or was never there. */
export interface Got {
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  readonly body: string;
}

interface CapturedAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Capture {
  readonly origin: string;
  readonly port: number;
  readonly got: readonly Got[];
  /** a path's answer from now on: status, JSON and headers beside the usual ones; everything else is an empty list of objects */
  answer(path: string, status: number, json: unknown, headers?: Readonly<Record<string, string>>): void;
  /** requests to that path wait for the function that it returns */
  hold(path: string): () => void;
  close(): Promise<void>;
}

/** A platform of this test alone, written from the contract: it takes note of each credential that reaches it. */
export async function capture(port = 0): Promise<Capture> {
  const got: Got[] = [];
  const answers = new Map<string, CapturedAnswer>();
  const held = new Map<string, Promise<void>>();
  const serve = async (request: IncomingMessage): Promise<CapturedAnswer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '', 'http://x');
    const { authorization = '', 'x-api-key': key = '' } = request.headers;
    got.push({
      method: request.method ?? '',
      path: pathname,
      credential: [authorization, key].flat().join(' ').trim(),
      body: Buffer.concat(chunks).toString(),
    });
    await held.get(pathname);
    return answers.get(pathname) ?? { status: 200, json: { objects: [] } };
  };
  const server = createServer((request, response) => {
    void serve(request).then(({ status, json, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(address.port)}`,
    port: address.port,
    got,
    answer: (name, status, json, headers = {}) => answers.set(name, { status, json, headers }),
    hold(name) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      held.set(
        name,
        promise.then(() => undefined),
      );
      return () => {
        resolve(undefined);
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

export interface Granting extends Pick<Notes, 'origin' | 'close'> {
  readonly asked: readonly string[];
  /** what the role may read from now on */
  grant(...resources: readonly string[]): void;
  /** roles are not answered before it is let go */
  hold(): () => void;
}

/** A platform without anything in it, whose role grants what the test says. */
export async function granting(): Promise<Granting> {
  const asked: string[] = [];
  let resources: readonly string[] = [];
  let held = Promise.resolve();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    asked.push(pathname);
    const isRole = pathname.endsWith('/myrole');
    const permissions = resources.map((resource) => ({ resource, crud: { read: true } }));
    const answer = isRole ? { id: 'r', name: 'Member', permissions } : { objects: [], keys: [], data: [] };
    void (isRole ? held : Promise.resolve()).then(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    asked,
    grant: (...granted) => (resources = granted),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      held = promise.then(() => undefined);
      return () => {
        resolve(undefined);
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Everything that a person, a log or a file could have seen of a secret. */
export async function everythingShown(h: TestHooks): Promise<string> {
  const settings = vscode.workspace.getConfiguration('smartObjects').inspect('connections');
  const documents = vscode.workspace.textDocuments.map(
    (document) => `${document.uri.toString()}\n${document.getText()}`,
  );
  const clipboard = await vscode.env.clipboard.readText();
  return [JSON.stringify(h.ui.all), h.logLines.join('\n'), JSON.stringify(settings), ...documents, clipboard].join(
    '\n',
  );
}

/** The text of a report, as whoever opens it again gets it. */
export async function report(connection: string, title: string): Promise<string> {
  const uri = vscode.Uri.from({ scheme: 'smartobject-report', path: `/${connection}/${title}.md` });
  const document = await vscode.workspace.openTextDocument(uri);
  // One that stood open before gets its new text a moment later.
  await until(() => !document.getText().startsWith('This report is not kept'));
  return document.getText();
}

/** Waits until `ready` holds; the test's own time limit ends it. */
export async function until(ready: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await ready())) await new Promise((resolve) => setTimeout(resolve, 10));
}
