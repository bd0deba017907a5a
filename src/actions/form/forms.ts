import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isObject } from '../../platform/json/json.ts';
import { tryParseMaskedJson } from '../../platform/json/parse-json.ts';
import { parseSelectedResources, selectionSchema } from '../bulk/panel/panel-selection.ts';
import { parseActionFile } from '../file/action-file.ts';
import { createNewUri, fillDocument } from '../language/new-action-file.ts';
import { FORM_VIEW_TYPE } from './form-view-type.ts';
import { ActionForm, type FormOptions, type FormTarget } from './form-panel.ts';

/** Targets of unsaved forms, by document: a reload of the window must not change where and for what a form runs. */
const STORED_TARGETS = 'smartObjects.forms.targets';
const MAX_STORED_TARGETS = 30;
/** Characters of all stored targets: the oldest go first. */
const MAX_STORED_LENGTH = 1_000_000;

const storedTargetSchema = z.object({ connection: z.optional(z.string()), selection: z.optional(selectionSchema) });

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
    const creator = await this.#options.fileCreator();
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
    const uri = await createNewUri(/^\w{1,40}$/.test(kind) ? kind : 'action');
    this.#targets.set(uri.toString(), target);
    await this.#storeTarget(uri.toString(), target);
    await vscode.commands.executeCommand('vscode.openWith', uri, FORM_VIEW_TYPE);
    // Not before: VS Code opens an unsaved text that no editor shows in an editor of its own.
    await fillDocument(uri, text);
    return uri;
  }

  /** Fills the editor of a document. */
  resolve(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const key = document.uri.toString();
    const target = this.#targets.get(key) ?? (document.isUntitled ? this.#readTarget(key) : {});
    this.#targets.set(key, target);
    const reopen = async (uri: vscode.Uri): Promise<void> => {
      this.#targets.set(uri.toString(), target);
      await vscode.commands.executeCommand('vscode.openWith', uri, FORM_VIEW_TYPE);
    };
    new ActionForm({ ...this.#options, document, panel, target, reopen });
  }

  get #stored(): Readonly<Record<string, unknown>> {
    const stored: unknown = this.#options.services.context.workspaceState.get(STORED_TARGETS);
    const targets = typeof stored === 'string' ? tryParseMaskedJson(stored) : stored;
    return isObject(targets) ? targets : {};
  }

  #readTarget(key: string): FormTarget {
    const parsed = z.safeParse(storedTargetSchema, this.#stored[key]);
    if (!parsed.success) return {};
    const { connection, selection } = parsed.data;
    return { ...(connection !== undefined && { connection }), ...(selection !== undefined && { selection }) };
  }

  async #storeTarget(key: string, target: FormTarget): Promise<void> {
    const { [key]: _former, ...others } = this.#stored;
    const entries = [...Object.entries(others), [key, target]].slice(-MAX_STORED_TARGETS);
    while (JSON.stringify(entries).length > MAX_STORED_LENGTH) entries.shift();
    // As text: VS Code would round the numbers of rows.
    const text = JSON.stringify(Object.fromEntries(entries));
    await this.#options.services.context.workspaceState.update(STORED_TARGETS, text);
  }
}
