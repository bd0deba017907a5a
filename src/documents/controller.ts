/** Creates the document store, file system, links and commands; loaded on first use. */
import * as vscode from 'vscode';
import { stringifyJson } from '../model/runs/run-record.ts';
import type { FeatureContext, Services } from '../commands/context.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { CodeLinks } from './links/code-links.ts';
import type { DocumentsContext } from './context.ts';
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
    readStored: async (resource) => {
      const [snapshot] = await services.snapshots.list(resource);
      if (snapshot !== undefined) return snapshot;
      const listed = services.sessions.get(resource.connection)?.objectStates.getLatest?.(resource.id);
      return resource.kind === 'objects' && listed !== undefined ? { text: stringifyJson(listed, 2) } : undefined;
    },
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
  const tabTitles = features.addDisposable(new TabTitles(store, services));
  const codeLinks = features.addDisposable(new CodeLinks(context));
  return {
    context,
    fileSystem: new ResourceFileSystem(store),
    documentLinks,
    status,
    codeLinks,
    readSnapshotText: (uri) => readSnapshotText(services.snapshots, uri),
  };
}

/** Returns the open addresses of a resource; one that was typed may be encoded differently. */
function getOpenUris(resource: ResourceArgument): vscode.Uri[] {
  const key = getResourceKey(resource);
  return vscode.workspace.textDocuments.flatMap(({ uri }) => {
    const other = parseUri(uri);
    return other !== undefined && getResourceKey(other) === key ? [uri] : [];
  });
}
