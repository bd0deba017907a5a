import * as vscode from 'vscode';
import { isObject } from '../../platform/json/json.ts';
import { parseSelectedResources } from '../bulk/panel/panel-selection.ts';
import { parseActionFile } from '../file/action-file.ts';
import { createNewDocument } from '../language/new-action-file.ts';
import { FORM_VIEW_TYPE } from './form-view-type.ts';
import { ActionForm, type FormOptions, type FormTarget } from './form-panel.ts';

/** Connections of unsaved forms, by document: a reload of the window must not change where a form runs. */
const STORED_CONNECTIONS = 'smartObjects.forms.connections';
const MAX_STORED_CONNECTIONS = 30;

/** The forms of action files: views of their documents. */
export class ActionForms {
  readonly #options: FormOptions;
  readonly #targets = new Map<string, FormTarget>();

  constructor(options: FormOptions) {
    this.#options = options;
  }

  /**
   * The New Action command: opens the form of a new action for a resource, a run, selected rows, or what the user picks, or
   * that of an action file. `action`: its kind. Resolves with the document; `undefined` if cancelled. Rejects with Error
   * for other arguments.
   */
  async create(target: unknown, selected: unknown, action: string | undefined): Promise<vscode.Uri | undefined> {
    if (target instanceof vscode.Uri && /\.action\.jsonc?$/.test(target.path)) {
      await vscode.commands.executeCommand('vscode.openWith', target, FORM_VIEW_TYPE);
      return target;
    }
    const creator = await this.#options.getFileCreator();
    const selection = parseSelectedResources(target, selected);
    if (selection !== undefined && selection.rows.length > 1) {
      const text = await creator.createForRows(selection.kind, action);
      return text === undefined ? undefined : this.#open(text, { connection: selection.connection, selection });
    }
    const id = selection?.rows[0]?.[0];
    const resource = selection === undefined ? target : { connection: selection.connection, kind: selection.kind, id };
    const created = await creator.createFrom(resource, action);
    if (created === undefined) return undefined;
    const { text, connection } = created;
    return this.#open(text, connection === undefined ? {} : { connection });
  }

  async #open(text: string, target: FormTarget): Promise<vscode.Uri> {
    const kind = parseActionFile(text).entries[0]?.kind ?? '';
    const { uri } = await createNewDocument(text, /^\w{1,40}$/.test(kind) ? kind : 'action');
    this.#targets.set(uri.toString(), target);
    if (target.connection !== undefined) await this.#storeConnection(uri, target.connection);
    await vscode.commands.executeCommand('vscode.openWith', uri, FORM_VIEW_TYPE);
    return uri;
  }

  /** Fills the editor of a document. */
  resolve(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const key = document.uri.toString();
    const stored = document.isUntitled ? this.#readConnections()[key] : undefined;
    const connection = typeof stored === 'string' ? { connection: stored } : {};
    const target = this.#targets.get(key) ?? connection;
    this.#targets.set(key, target);
    new ActionForm({ ...this.#options, document, panel, target });
  }

  #readConnections(): Readonly<Record<string, unknown>> {
    const stored: unknown = this.#options.services.context.workspaceState.get(STORED_CONNECTIONS);
    return isObject(stored) ? stored : {};
  }

  async #storeConnection(uri: vscode.Uri, connection: string): Promise<void> {
    const { [uri.toString()]: _former, ...others } = this.#readConnections();
    const entries = [...Object.entries(others), [uri.toString(), connection]].slice(-MAX_STORED_CONNECTIONS);
    await this.#options.services.context.workspaceState.update(STORED_CONNECTIONS, Object.fromEntries(entries));
  }
}
