/** Creates the document store, file system, links and commands; loaded on first use. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../commands/context.ts';
import type { CommandId } from '../commands/ids.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { splitResourceId } from '../model/resources/resource-uri.ts';
import { pluralize } from '../platform/text/localization.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { CodeLinks } from './links/code-links.ts';
import { parseOrganization, parseResource, parseSelection } from '../model/resources/parse-argument.ts';
import { pickResource } from './lookup/pick-resource.ts';
import { resolveResource } from './lookup/resolve-resource.ts';
import { getLinkedResource } from './links/link-targets.ts';
import { openDocument, getTargetResource, type DocumentsContext } from './context.ts';
import { isInTab, ResourceFileSystem, parseUri, toUri } from './content/file-system.ts';
import { DocumentLinks } from './links/document-links.ts';
import { DocumentStatus } from './content/document-status.ts';
import { readSnapshotText } from './content/snapshot-text.ts';
import { TabTitles } from './content/tab-titles.ts';
import { RecentResources } from './lookup/recent-resources.ts';
import { DocumentStore, getResourceKey } from './content/document-store.ts';

/** The providers and commands of documents. */
export interface DocumentsController {
  readonly context: DocumentsContext;
  readonly fileSystem: ResourceFileSystem;
  readonly documentLinks: DocumentLinks;
  readonly status: DocumentStatus;
  readonly codeLinks: CodeLinks;
  readSnapshotText(uri: vscode.Uri): Promise<string>;
  runCommand(id: CommandId, argument: unknown, selection: unknown): Promise<unknown>;
}

/** Creates the store and the providers over it; `changed` reports new contents to VS Code. */
export function createDocumentsController(
  features: FeatureContext,
  services: Services,
  changed: vscode.EventEmitter<vscode.FileChangeEvent[]>,
): DocumentsController {
  const store = new DocumentStore({
    sessions: services.sessions,
    isOpen: isInTab,
    changed: ({ resource }, what) => {
      const uris = [toUri(resource), ...getOpenUris(resource)];
      if (what === 'text') {
        changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
        tabTitles.update();
      } else status.update();
    },
  });
  const context: DocumentsContext = {
    features,
    services,
    store,
    recents: new RecentResources(services.context.globalState),
    pages: { getActive: () => undefined },
  };
  const documentLinks = new DocumentLinks(context);
  const status = features.addDisposable(new DocumentStatus(context, documentLinks));
  const tabTitles = features.addDisposable(new TabTitles(store));
  const codeLinks = features.addDisposable(new CodeLinks(context));
  return {
    context,
    fileSystem: new ResourceFileSystem(store),
    documentLinks,
    status,
    codeLinks,
    readSnapshotText: (uri) => readSnapshotText(services.snapshots, uri),
    runCommand: (id, argument, selection) => runCommand(context, id, argument, selection),
  };
}

/** Commands other than opening, refreshing and copying ids are imported on first use. */
async function runCommand(
  context: DocumentsContext,
  id: CommandId,
  argument: unknown,
  selection: unknown,
): Promise<unknown> {
  switch (id) {
    case 'openResource':
      return openResource(context, argument, selection === true);
    case 'openJson':
      return openJson(context, argument, selection);
    case 'refreshDocument':
      return refreshDocument(context, argument);
    case 'copyId':
      return copyId(context, argument, selection);
    case 'copyJson':
      return (await import('./commands/copy.ts')).copyJson(context, argument, selection);
    case 'copyCurl':
      return (await import('./commands/copy.ts')).copyCurl(context, argument);
    case 'openExternal':
      return (await import('./commands/copy.ts')).openExternal(context, argument);
    case 'compareResources':
      return (await import('./commands/compare.ts')).compareResources(context, argument, selection);
    case 'generateTypes':
      return (await import('./commands/generate-types.ts')).generateTypes(context, argument);
    case 'insertId':
      return (await import('./commands/insert-id.ts')).insertId(context, argument);
    default:
      throw new RangeError(id);
  }
}

/** Returns the open addresses of a resource; one that was typed may be encoded differently. */
function getOpenUris(resource: ResourceArgument): vscode.Uri[] {
  const key = getResourceKey(resource);
  return vscode.workspace.textDocuments.flatMap(({ uri }) => {
    const other = parseUri(uri);
    return other !== undefined && getResourceKey(other) === key ? [uri] : [];
  });
}

/** Reads the document again; a failure is shown in the document and rejected with. */
async function refreshDocument(context: DocumentsContext, argument: unknown): Promise<void> {
  const page = argument === undefined ? context.pages.getActive() : undefined;
  if (page !== undefined) return page.refresh();
  const resource = getTargetResource(context, argument);
  if (resource === undefined) throw new Error(l10n.t('Open a platform document first'));
  await context.store.refresh(resource);
}

/** Opens a resource as the setting says: its page, its document, or both. `keep`: not in a preview. */
async function openResource(context: DocumentsContext, argument: unknown, keep: boolean): Promise<void> {
  const resource = await resolveResource(context, argument, l10n.t('Open Resource by ID'));
  if (resource === undefined) return;
  const shown = vscode.workspace.getConfiguration('smartObjects').get('openResources');
  if (shown === 'json') return openDocument(context, resource, { preview: !keep });
  await context.features.run('openPage', resource, keep);
  if (shown === 'both') await openJson(context, resource, true);
}

/** Opens the document of a resource, which for an organization is that of the user's role there; `beside`: in the next editor group. */
async function openJson(context: DocumentsContext, argument: unknown, beside: unknown): Promise<void> {
  const chosen =
    getTargetResource(context, argument) ?? (await resolveResource(context, argument, l10n.t('Open JSON')));
  if (chosen === undefined) return;
  const session = context.services.sessions.get(chosen.connection);
  const resource = session === undefined ? chosen : (getLinkedResource(session, chosen.kind, chosen.id) ?? chosen);
  const viewColumn = beside === true ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  await openDocument(context, resource, { preview: true, viewColumn });
}

/** Copies the id; for several selected rows, one id per line. */
async function copyId(context: DocumentsContext, argument: unknown, selection: unknown): Promise<string | undefined> {
  const selected = parseSelection(selection).flatMap((selectedItem) => getCopyableId(selectedItem) ?? []);
  if (selected.length > 1)
    return copyText(selected.join('\n'), pluralize(selected.length, l10n.t('Copied {0} ID|Copied {0} IDs')));
  const target = getTargetResource(context, argument);
  const id = getCopyableId(target ?? argument) ?? getCopyableId(await pickResource(context, l10n.t('Copy ID')));
  return id === undefined ? undefined : copyText(id, l10n.t('Copied {0}', toPlainText(id, 60)));
}

function getCopyableId(argument: unknown): string | undefined {
  const resource = parseResource(argument);
  if (resource === undefined) return parseOrganization(argument);
  return splitResourceId(resource.kind, resource.id).at(-1);
}

async function copyText(text: string, message: string): Promise<string> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) ${message}`, 2500);
  return text;
}
