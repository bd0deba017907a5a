/** Helpers for tests of documents: a connection to the sandbox, its faults, and an id of each kind. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ResourceArgument } from '../../../src/model/resources/resource-argument.ts';
import { registry, type Kind } from '../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../src/platform/resource.ts';
import type { SandboxOptions } from '../../../src/sandbox/options.ts';
import { RESOURCE_SCHEME } from '../../../src/model/resources/resource-schemes.ts';
import { formatResourcePath } from '../../../src/model/resources/resource-uri.ts';
import { getTestHooks, waitUntil } from './connections.ts';
import { clearFaults, getSandbox, useSandbox } from './sandbox.ts';

/** Contains characters that URIs have to escape. */
export const CONNECTION = 'Test 100% ü/#';

export async function connect(name = CONNECTION, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const { organizations, baseUrl, apiKey } = getSandbox();
  await (
    await getTestHooks()
  ).addConnection({ name, baseUrl, organizations: organizations.map(({ id }) => id), ...more }, { apiKey });
}

/** A suite with a sandbox and a connection to it; faults, messages and editors are removed before or after each test. */
export function onSandbox(
  name = CONNECTION,
  more: Readonly<Record<string, unknown>> = {},
  options: SandboxOptions = {},
): void {
  useSandbox(options);
  suiteSetup(() => connect(name, more));
  setup(async () => {
    clearFaults();
    (await getTestHooks()).ui.reset();
  });
  teardown(closeAll);
}

export function toUri(kind: string, id: string, connection = CONNECTION): vscode.Uri {
  return vscode.Uri.from({ scheme: RESOURCE_SCHEME, path: formatResourcePath({ connection, kind, id }) });
}

/** A resource of each kind that the contract reads by its id. */
export async function getAnyResource(kind: Kind, connection = CONNECTION): Promise<ResourceArgument> {
  const { organizations, batches } = getSandbox();
  if (kind === 'roles') return { connection, kind, id: `${organizations[0]?.id ?? ''}/myrole` };
  if (kind === 'batches') return { connection, kind, id: batches['completed'] ?? '' };
  const session = (await (await getTestHooks()).services()).sessions.get(connection);
  const definition: ResourceDefinition = registry[kind];
  const page = await session?.client.listPageFor(definition, { limit: 3 });
  const id = page?.items.at(-1)?.id;
  assert.ok(id !== undefined, `the sandbox has no ${definition.singular}`);
  return { connection, kind, id };
}

/** Opens a resource and reads it again, since VS Code keeps documents of earlier tests for a while. */
export async function open({ kind, id, connection }: ResourceArgument): Promise<vscode.TextDocument> {
  const uri = toUri(kind, id, connection);
  // A document without a tab is not refreshed; the command reads it before opening.
  await vscode.commands.executeCommand('smartObjects.refreshDocument', uri);
  const document = await vscode.workspace.openTextDocument(uri);
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  await eventually(() => (document.getText() === text ? true : undefined));
  return document;
}

/** Polls until `find` returns a value. Rejects after 60 s with the source text of `find`. */
export async function eventually<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  await waitUntil(async () => (found = await find()) !== undefined, find);
  return found as T;
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

export async function getLinks(uri: vscode.Uri): Promise<readonly vscode.DocumentLink[]> {
  return vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', uri, 1000);
}

/** The link on the first occurrence of `text`. */
export async function findLink(document: vscode.TextDocument, text: string): Promise<vscode.DocumentLink | undefined> {
  // The same id may also occur where it is not linked, such as in the parameters of an action.
  const plain = (of: string): string => of.replaceAll('"', '');
  return (await getLinks(document.uri)).find(({ range }) => plain(document.getText(range)) === plain(text));
}
