/** Helpers for tests of connections: hooks, commands, servers that record requests. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { TestHooks } from './hooks.ts';

export async function getTestHooks(): Promise<TestHooks> {
  const extension = vscode.extensions.getExtension<TestHooks>('smart-objects.smart-object-explorer');
  assert.ok(extension, 'not installed');
  return extension.activate();
}

export async function runCommand(command: string, ...args: readonly unknown[]): Promise<unknown> {
  return vscode.commands.executeCommand(`smartObjects.${command}`, ...args);
}

interface LocalServer {
  readonly origin: string;
  readonly port: number;
  close(): Promise<void>;
}

async function listen(server: Server, port = 0): Promise<LocalServer> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  // `address()` returns an object for a TCP port.
  const address = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(address.port)}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

export interface RecordingServer extends LocalServer {
  readonly requests: readonly IncomingMessage[];
}

/** Starts a server that answers every request with an empty list of objects and records the requests. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.setHeader('content-type', 'application/json');
    response.end('{"objects":[]}');
  });
  return { ...(await listen(server)), requests };
}

/** A received request, with all parts that may contain a secret. */
interface CapturedRequest {
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

export interface CapturePlatform extends LocalServer {
  readonly requests: readonly CapturedRequest[];
  /** sets the answer of a path; other paths answer with an empty list of objects */
  setAnswer(path: string, status: number, json: unknown, headers?: Readonly<Record<string, string>>): void;
  /** delays requests to the path until the returned function is called */
  holdRequests(path: string): () => void;
}

/** Starts a platform for one test that records each request with its credential. */
export async function startCapturePlatform(port = 0): Promise<CapturePlatform> {
  const requests: CapturedRequest[] = [];
  const answers = new Map<string, CapturedAnswer>();
  const pending = new Map<string, Promise<void>>();
  const serve = async (request: IncomingMessage): Promise<CapturedAnswer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '', 'http://x');
    const { authorization = '', 'x-api-key': key = '' } = request.headers;
    requests.push({
      method: request.method ?? '',
      path: pathname,
      credential: [authorization, key].flat().join(' ').trim(),
      body: Buffer.concat(chunks).toString(),
    });
    await pending.get(pathname);
    return answers.get(pathname) ?? { status: 200, json: { objects: [] } };
  };
  const server = createServer((request, response) => {
    void serve(request).then(({ status, json, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(json));
    });
  });
  return {
    ...(await listen(server, port)),
    requests,
    setAnswer: (name, status, json, headers = {}) => answers.set(name, { status, json, headers }),
    holdRequests(name) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      pending.set(
        name,
        promise.then(() => undefined),
      );
      return () => {
        resolve(undefined);
      };
    },
  };
}

export interface RolePlatform extends LocalServer {
  readonly requestedPaths: readonly string[];
  /** sets the resources that the role may read */
  grant(...resources: readonly string[]): void;
  /** number of requests of statistics */
  countReadings(): number;
  /** number of requests of statistics that the client ended before they were answered */
  countAborted(): number;
  /** delays answers about roles until the returned function is called */
  holdRoles(): () => void;
  /** leaves requests of statistics without an answer */
  holdStatistics(): void;
}

/** Starts an empty platform with a role that the test defines. */
export async function startRolePlatform(): Promise<RolePlatform> {
  const requestedPaths: string[] = [];
  let resources: readonly string[] = [];
  let roleGate = Promise.resolve();
  let statisticsGate = Promise.resolve();
  let aborted = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    requestedPaths.push(pathname);
    const isRole = pathname.endsWith('/myrole');
    const isStatistics = pathname.startsWith('/stats/');
    response.on('close', () => {
      if (isStatistics && !response.writableEnded) aborted++;
    });
    const permissions = resources.map((resource) => ({ resource, crud: { read: true } }));
    const answer = isRole ? { id: 'r', name: 'Member', permissions } : { objects: [], keys: [], data: [] };
    void (isRole ? roleGate : isStatistics ? statisticsGate : Promise.resolve()).then(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  });
  return {
    ...(await listen(server)),
    requestedPaths,
    grant: (...granted) => (resources = granted),
    countReadings: () => requestedPaths.filter((path) => path.startsWith('/stats/')).length,
    countAborted: () => aborted,
    holdStatistics: () => {
      // Never resolved.
      statisticsGate = new Promise(() => undefined);
    },
    holdRoles: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      roleGate = promise.then(() => undefined);
      return () => {
        resolve(undefined);
      };
    },
  };
}

/** All text that the extension has shown, logged, stored in settings or copied. */
export async function collectShownText(hooks: TestHooks): Promise<string> {
  const settings = vscode.workspace.getConfiguration('smartObjects').inspect('connections');
  const documents = vscode.workspace.textDocuments.map(
    (document) => `${document.uri.toString()}\n${document.getText()}`,
  );
  const clipboard = await vscode.env.clipboard.readText();
  return [
    JSON.stringify(hooks.ui.messages),
    hooks.logLines.join('\n'),
    JSON.stringify(settings),
    ...documents,
    clipboard,
  ].join('\n');
}

/** The text of a report document. */
export async function readReport(connection: string, title: string): Promise<string> {
  const uri = vscode.Uri.from({ scheme: 'smartobject-report', path: `/${connection}/${title} of ${connection}.md` });
  const document = await vscode.workspace.openTextDocument(uri);
  // A document that is already open is updated a moment later.
  await waitUntil(() => !document.getText().startsWith('This report is no longer available'));
  return document.getText();
}

/** Polls until `ready` is true. Rejects after 60 s with the source text of `condition`. */
export async function waitUntil(
  ready: () => boolean | Promise<boolean>,
  condition: { toString(): string } = ready,
): Promise<void> {
  const until = Date.now() + 60_000;
  while (!(await ready())) {
    if (Date.now() > until) throw new Error(`not seen: ${condition.toString().slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
