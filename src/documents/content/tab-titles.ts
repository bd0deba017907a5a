/** Titles of the tabs of documents: the resource's name and kind in place of the file name. */
import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../ui/disposables.ts';
import { formatTitle, type TitleSources } from '../../cache/title-lookup.ts';
import { RESOURCE_SCHEME } from '../../model/resources/resource-schemes.ts';
import type { DocumentStore, ShownDocument } from './document-store.ts';
import { parseUri, toUri } from './file-system.ts';

const MAX_NAME_LENGTH = 60;

/** Formats the name of a document's resource; its id if it has none. */
export function formatDocumentName(
  sources: TitleSources,
  { definition, item, resource }: ShownDocument,
  maxLength = MAX_NAME_LENGTH,
): string {
  return formatTitle(sources, resource, definition, item.raw, maxLength);
}

/** Formats the title of a document's tab: `Row F Seat 4 (object)`. */
function formatTabTitle(sources: TitleSources, shownDocument: ShownDocument): string {
  return `${formatDocumentName(sources, shownDocument)} (${shownDocument.definition.singular})`;
}

/** Shows a document that is loaded. `vscode.open` is the only API that takes the title of a tab. Rejects if it does. */
export async function showDocument(
  sources: TitleSources,
  shownDocument: ShownDocument,
  options: vscode.TextDocumentShowOptions,
  uri = toUri(shownDocument.resource),
): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', uri, options, formatTabTitle(sources, shownDocument));
}

/** Sets the titles of tabs that VS Code opened itself, by a link for example. */
export class TabTitles implements Disposable {
  readonly #store: Pick<DocumentStore, 'get'>;
  readonly #sources: TitleSources;
  readonly #disposables = new Disposables();
  /** the titles that were set, by document: each is set once, whether or not VS Code shows it */
  readonly #titles = new Map<string, string>();

  constructor(store: Pick<DocumentStore, 'get'>, sources: TitleSources) {
    this.#store = store;
    this.#sources = sources;
    this.#disposables.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const { input } of closed)
          if (input instanceof vscode.TabInputText) this.#titles.delete(input.uri.toString());
        // A tab is active in the event after that which opens it.
        this.update();
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (uri.scheme === RESOURCE_SCHEME) this.update();
      }),
    );
  }

  /** Sets the titles of the visible documents. */
  update(): void {
    for (const { activeTab: tab, viewColumn } of vscode.window.tabGroups.all) {
      if (!(tab?.input instanceof vscode.TabInputText)) continue;
      const { uri } = tab.input;
      const resource = parseUri(uri);
      const shownDocument = resource === undefined ? undefined : this.#store.get(resource);
      const title = shownDocument === undefined ? tab.label : formatTabTitle(this.#sources, shownDocument);
      if (shownDocument === undefined || tab.label === title || this.#titles.get(uri.toString()) === title) continue;
      this.#titles.set(uri.toString(), title);
      void showDocument(this.#sources, shownDocument, { viewColumn, preserveFocus: true, preview: tab.isPreview }, uri);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
