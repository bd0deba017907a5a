/** The sandbox of a suite: its address, requests and faults. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Session } from '../../../src/model/session/session.ts';
import { registry } from '../../../src/platform/registry.ts';
import type { FaultSpec } from '../../../src/sandbox/faults/faults.ts';
import type { SandboxOptions } from '../../../src/sandbox/options.ts';
import type { RecordedRequest } from '../../../src/sandbox/request-recorder.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { getTestHooks } from './connections.ts';

export const EXECUTE = 'POST /ebus/execute';

let running: Sandbox | undefined;

/** Gives the suite a sandbox of its own and an extension without connections; afterwards no editor is open. */
export function useSandbox(options: SandboxOptions = {}): void {
  suiteSetup(async () => {
    // A run is completed before it is read for the second time.
    const delays = { indexDelay: 100, settleDelay: 100, batchDelay: 40 };
    running = await startSandbox({ ...delays, logErrors: true, ...options });
    await (await getTestHooks()).reset();
  });
  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await (await getTestHooks()).reset();
    await running?.close();
    running = undefined;
  });
}

/** The sandbox of the running suite. */
export function getSandbox(): Sandbox {
  assert.ok(running, 'the suite does not call useSandbox');
  return running;
}

export function fault(spec: FaultSpec): void {
  getSandbox().faults.add(spec);
}

/** Makes a session read whole lists of a kind in pages of its connection's size, as if the platform refused larger ones. */
export async function refuseLargePages({ client }: Session, kind: 'assets' | 'objects'): Promise<void> {
  const { operation } = registry[kind].list;
  fault({ route: `${operation.method} ${operation.path}`, fault: 'unprocessable', count: 1 });
  await client.listPage(kind, {}, { largest: true });
}

export function clearFaults(): void {
  getSandbox().faults.clear();
}

/** The requests so far, without those to control endpoints. */
export function listRequests(): readonly RecordedRequest[] {
  return [...getSandbox().recorder.requests];
}

/** Number of requests of the route so far, such as `GET /objects`; without one, of all but pictures, which rows fetch later. */
export function countRequests(route?: string): number {
  const { requests } = getSandbox().recorder;
  return requests.filter((request) =>
    route === undefined ? !request.path.startsWith('/files/') : request.route === route,
  ).length;
}

export const countPosts = (): number => countRequests(EXECUTE);

/** Sends a request to the platform without the extension. */
export async function sendRequest(method: 'GET' | 'POST', path: string, body?: object): Promise<string> {
  const { baseUrl, apiKey } = getSandbox();
  const response = await fetch(baseUrl + path, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, `${path}: ${text}`);
  return text;
}

/** The unchanged answer of the server. */
export const ask = (path: string): Promise<string> => sendRequest('GET', path);

/** Calls a control endpoint. */
export async function callSandboxControl(name: 'logs' | 'tokens', body: object): Promise<unknown> {
  return JSON.parse(await sendRequest('POST', `/__sandbox/${name}`, body));
}

export async function createToken(claims: Readonly<Record<string, unknown>>): Promise<string> {
  return ((await callSandboxControl('tokens', claims)) as { readonly token: string }).token;
}

/** The hash by which the sandbox records a credential. */
export function hashCredential(...secrets: readonly string[]): string {
  return createHash('sha256').update(secrets.join(' ')).digest('hex').slice(0, 16);
}
