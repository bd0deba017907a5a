/** What the tests of the documents share: the sandbox as a connection, its faults, and an id of each kind. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ResourceArgument } from '../../../src/commands/ids.ts';
import { registry, type Kind } from '../../../src/platform/registry.ts';
import type { ResourceRow } from '../../../src/platform/resource.ts';
import { pathOf, SCHEME } from '../../../src/documents/uri.ts';
import { hooks, sandbox } from './connections.ts';

/** With characters that an address must carry. */
export const CONNECTION = 'Test 100% ü/#';

export async function connect(name = CONNECTION, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const { organizations, baseUrl, apiKey } = sandbox();
  await (
    await hooks()
  ).addConnection({ name, baseUrl, organizations: organizations.map(({ id }) => id), ...more }, { apiKey });
}

/** A suite on one connection to the sandbox: no fault and no editor of one test is left for the next. */
export function onSandbox(): void {
  suiteSetup(async () => {
    await (await hooks()).reset();
    await connect();
  });
  setup(() => fault(undefined));
  teardown(closeAll);
  suiteTeardown(async () => {
    await fault(undefined);
    await (await hooks()).reset();
  });
}

export function uriOf(kind: string, id: string, connection = CONNECTION): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: pathOf({ connection, kind, id }) });
}

/** A resource of each kind that the contract reads by its id. */
export async function oneOf(kind: Kind, connection = CONNECTION): Promise<ResourceArgument> {
  const { organizations, batches } = sandbox() as ReturnType<typeof sandbox> & {
    readonly batches: Readonly<Record<string, string>>;
  };
  if (kind === 'roles') return { connection, kind, id: `${organizations[0]?.id ?? ''}/myrole` };
  if (kind === 'batches') return { connection, kind, id: batches['completed'] ?? '' };
  const session = (await (await hooks()).services()).sessions.get(connection);
  const row: ResourceRow = registry[kind];
  // The newest logs are of whatever ran before.
  const page = await session?.client.pageOf(row, { limit: kind === 'action-logs' ? 50 : 3 });
  const id = page?.items.at(-1)?.id;
  assert.ok(id !== undefined, `the sandbox has no ${row.singular}`);
  return { connection, kind, id };
}

/** Opened and read now: VS Code keeps the document of an earlier test for a while. */
export async function open({ kind, id, connection }: ResourceArgument): Promise<vscode.TextDocument> {
  const uri = uriOf(kind, id, connection);
  // Without a tab the platform is not asked: the command reads what is opened then.
  await vscode.commands.executeCommand('smartObjects.refreshDocument', uri);
  const document = await vscode.workspace.openTextDocument(uri);
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  await eventually(() => (document.getText() === text ? true : undefined));
  return document;
}

/** The server's answer, as it stands. */
export async function ask(path: string): Promise<string> {
  const { baseUrl, apiKey } = sandbox();
  const answer = await fetch(baseUrl + path, { headers: { 'x-api-key': apiKey } });
  assert.equal(answer.status, 200, path);
  return answer.text();
}

export async function fault(body: Readonly<Record<string, unknown>> | undefined): Promise<void> {
  const { baseUrl, apiKey } = sandbox();
  const answer = await fetch(`${baseUrl}/__sandbox/faults`, {
    method: body === undefined ? 'DELETE' : 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

/** How many requests the sandbox has had, but for those to its control endpoints. */
export async function requestCount(): Promise<number> {
  const { requests } = JSON.parse(await ask('/__sandbox/requests')) as { requests: readonly unknown[] };
  return requests.length;
}

/** Waits until `look` finds something; the test's own time limit ends it. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const until = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    // A true hang: ends here with its name, and not with the test's limit, so that what the test made is cleaned up.
    if (Date.now() > until) throw new Error(`not seen: ${look.toString().slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

export async function hoverText(uri: vscode.Uri, position: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))
    .join('\n');
}

export async function linksOf(uri: vscode.Uri): Promise<readonly vscode.DocumentLink[]> {
  return vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', uri, 1000);
}

/** The link on the first place where `text` stands. */
export async function linkOn(document: vscode.TextDocument, text: string): Promise<vscode.DocumentLink | undefined> {
  // The same id may stand in a place that leads nowhere, such as the parameters of an action.
  const plain = (of: string): string => of.replaceAll('"', '');
  return (await linksOf(document.uri)).find(({ range }) => plain(document.getText(range)) === plain(text));
}
