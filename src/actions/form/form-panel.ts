import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getErrorMessage } from '../../model/text/error-message.ts';
import type { RunRecord } from '../../model/runs/run-record.ts';
import type { Session } from '../../model/session/session.ts';
import type { JsonObject } from '../../platform/json/json.ts';
import { formProtocol, MAX_PREVIEW_LENGTH } from '../../webviews/protocol/form.ts';
import { createWebviewHost, type WebviewHost } from '../../webviews/webview-host.ts';
import type { Selection } from '../bulk/panel/panel-selection.ts';
import type { BulkPanels } from '../bulk/panel/panels.ts';
import { RowVariables } from '../bulk/rows/row-variables.ts';
import type { ActionsContext } from '../context.ts';
import { getString, parseActionFile, type ActionFile } from '../file/action-file.ts';
import { getActionKind, isReadableId } from '../file/action-kinds.ts';
import type { ActionSource } from '../file/action-source.ts';
import { checkActionFile } from '../file/check-action-file.ts';
import { getActionName } from '../file/file-names.ts';
import type { Finding } from '../file/findings.ts';
import type { Edit } from '../file/json-edits.ts';
import { findVariables } from '../file/variables.ts';
import type { LanguageFeatures } from '../language/language-features.ts';
import type { ActionFileCreator } from '../language/new-action-file.ts';
import { pickId } from '../language/pick-id.ts';
import { formatPreview, formatTimeText } from '../preview/format-preview.ts';
import { readPreview } from '../preview/read-preview.ts';
import type { Runner } from '../run/runner.ts';
import { askForField } from './ask-for-field.ts';
import { removeField, setField, setFieldText, setKind } from './form-edits.ts';
import {
  createForm,
  findValue,
  formatPathKey,
  getFirstError,
  getValueText,
  listOutdatedDrafts,
  retainMessages,
  type Draft,
  type Form,
} from './form-model.ts';
import { formatRun, listKinds, openRunLink } from './form-run.ts';

/** Milliseconds after a change until the preview is composed again. */
const PREVIEW_DELAY = 300;

/** What a form was opened for. */
export interface FormTarget {
  /** name; absent: the active connection, as of any action file */
  readonly connection?: string;
  /** the resources that the action runs for, one a row */
  readonly selection?: Selection;
}

export interface FormOptions extends ActionsContext {
  readonly runner: Runner;
  readonly language: Pick<LanguageFeatures, 'preflight'>;
  readonly fileCreator: () => Promise<ActionFileCreator>;
  readonly bulkPanels: () => Promise<BulkPanels>;
}

interface ActionFormOptions extends FormOptions {
  readonly document: vscode.TextDocument;
  readonly panel: vscode.WebviewPanel;
  readonly target: FormTarget;
  /** opens the form of a file that this one was saved as, in place of its text */
  readonly reopen: (uri: vscode.Uri) => Promise<void>;
}

/** The form of one document in one editor. Its values are those of the document; it only stores what cannot be in it. */
export class ActionForm {
  readonly #options: ActionFormOptions;
  readonly #host: WebviewHost<(typeof formProtocol)['toView']>;
  readonly #drafts = new Map<string, Draft>();
  /** edits are applied one after the other, each to the text that the one before has left */
  #edits: Promise<unknown> = Promise.resolve();
  #lastEdit = 0;
  /** the last text that was checked against the platform */
  #checked: { readonly version: number; readonly findings: readonly Finding[]; readonly form: Form } | undefined;
  #object: JsonObject | undefined;
  #template: JsonObject | undefined;
  #preview = '';
  #run: RunRecord | undefined;
  #isStarting = false;
  #timer: NodeJS.Timeout | undefined;
  #refresh = new AbortController();
  #cancel: AbortController | undefined;

  constructor(options: ActionFormOptions) {
    this.#options = options;
    const { services, panel, document, store } = options;
    this.#host = createWebviewHost(formProtocol, {
      container: panel,
      extensionUri: services.context.extensionUri,
      log: services.log,
      ui: services.ui,
      bundle: 'form',
      title: l10n.t('Action form'),
      postState: () => {
        this.#postState();
        this.#host.post('preview', { text: this.#preview });
        this.#scheduleRefresh(0);
      },
      handlers: {
        setField: ({ path, type, value, edit }) =>
          this.#change((file) => {
            this.#drafts.delete(formatPathKey(path));
            try {
              return setFieldText(file, path, type, value);
            } catch (error) {
              const draft = { path, text: value, written: getValueText(file, path), problem: getErrorMessage(error) };
              this.#drafts.set(formatPathKey(path), draft);
              return [];
            }
          }, edit),
        removeField: ({ path, edit }) =>
          this.#change((file) => {
            this.#drafts.delete(formatPathKey(path));
            return removeField(file, path);
          }, edit),
        setKind: ({ kind, edit }) =>
          this.#change((file) => {
            this.#drafts.clear();
            return setKind(file, kind);
          }, edit),
        addField: ({ path }) => this.#addField(path),
        pick: ({ path }) => this.#pick(path),
        run: () => this.#start(),
        cancel: () => this.#cancel?.abort(),
        showFile: () => vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside }),
        save: () => this.#saveAs(),
        openLink: ({ link }) => this.#run && openRunLink(this.#run, link),
      },
      operations: { run: l10n.t('Run the action'), pick: l10n.t('Select') },
    });
    const refresh = (): void => {
      this.#postState();
      this.#scheduleRefresh();
    };
    for (const listener of [
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document !== document || event.contentChanges.length === 0) return;
        for (const { path } of listOutdatedDrafts(this.#file, this.#drafts.values()))
          this.#drafts.delete(formatPathKey(path));
        refresh();
      }),
      services.sessions.onDidChange(refresh),
      store.onDidChange((run) => {
        if (run?.phase === 'ended') refresh();
      }),
    ])
      this.#host.register(listener);
    this.#host.disposeSignal.addEventListener('abort', () => {
      clearTimeout(this.#timer);
      this.#refresh.abort();
    });
  }

  get #file(): ActionFile {
    return parseActionFile(this.#options.document.getText());
  }

  /** That of what the form was opened for, else the active one; `undefined`: Run asks. */
  get #session(): Session | undefined {
    const { services, target } = this.#options;
    const { sessions } = services;
    return target.connection === undefined ? sessions.activeForEffects : sessions.get(target.connection);
  }

  // Edits.

  /** Applies edits to the document. `edit`: the number of the edit in the page. */
  #change(getEdits: (file: ActionFile) => readonly Edit[], edit = this.#lastEdit): Promise<void> {
    const { document } = this.#options;
    const change = this.#edits.then(async () => {
      const file = this.#file;
      this.#lastEdit = edit;
      const edits = file.problems.length === 0 ? getEdits(file) : [];
      const workspaceEdit = new vscode.WorkspaceEdit();
      for (const { offset, length, text } of edits) {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        if (document.getText(range) !== text) workspaceEdit.replace(document.uri, range, text);
      }
      if (workspaceEdit.size > 0) await vscode.workspace.applyEdit(workspaceEdit);
      this.#postState();
    });
    this.#edits = change.catch(() => undefined);
    return change;
  }

  async #saveAs(): Promise<void> {
    await this.#edits;
    await vscode.commands.executeCommand('workbench.action.files.saveAs');
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    // VS Code opens the saved file in its default editor, in place of the form.
    if (!(activeTab?.input instanceof vscode.TabInputText)) return;
    await this.#options.reopen(activeTab.input.uri);
    await vscode.window.tabGroups.close(activeTab);
  }

  async #addField(parent: readonly string[]): Promise<void> {
    const root = this.#file.entries[0]?.value;
    const exists = (name: string): boolean => findValue(root, [...parent, name]) !== undefined;
    const field = await this.#ask(askForField(this.#options.services.ui, exists));
    if (field === undefined) return;
    const path = [...parent, field.name];
    await this.#change((file) => setField(file, path, field.json));
    this.#host.post('focus', { path });
  }

  async #pick(path: string[]): Promise<void> {
    const kind = getActionKind(this.#file.entries[0]?.kind ?? '');
    const ids = kind?.fields.find(({ name }) => name === path[0])?.ids;
    const session = await this.#getSession(l10n.t('Select a Connection'));
    if (ids === undefined || session === undefined) return;
    const id = await this.#ask(pickId(this.#options, session, ids));
    if (id !== undefined) await this.#change((file) => setField(file, path, JSON.stringify(id)));
    this.#host.post('focus', { path });
  }

  async #getSession(purpose: string): Promise<Session | undefined> {
    return this.#session ?? (await this.#ask(this.#options.services.sessions.getOrPickActive(purpose)));
  }

  /** Resolves as the dialog does, with the focus back in the page: VS Code returns it only to the frame around the page. */
  async #ask<T>(dialog: Promise<T>): Promise<T> {
    try {
      return await dialog;
    } finally {
      if (!this.#host.disposeSignal.aborted) this.#options.panel.reveal();
    }
  }

  // Running.

  async #start(): Promise<void> {
    await this.#edits;
    const { file, blocked } = this.#read();
    if (blocked !== '') return;
    const { document, target, bulkPanels } = this.#options;
    const { uri } = document;
    const source = { name: getActionName(uri.path), uri, text: document.getText() };
    this.#isStarting = true;
    this.#postState();
    try {
      const session = await this.#getSession(l10n.t('Run {0}', source.name));
      if (session === undefined) return;
      if (target.selection !== undefined)
        await (await bulkPanels()).openSelection(source, target.selection, session, false);
      else if (usesRows(file)) await vscode.commands.executeCommand('smartObjects.runWithData', uri);
      else await this.#execute(source, session, false);
    } finally {
      this.#isStarting = false;
      this.#postState();
    }
  }

  /** Resolves once the run has started; the form can be closed then. */
  async #execute(source: ActionSource, session: Session, isRepeat: boolean): Promise<void> {
    const { runner } = this.#options;
    const onRunAnyway = (): Promise<void> => this.#execute(source, session, true);
    const confirming = runner.confirm([source], session, { isExplicit: true, isRepeat, onRunAnyway });
    const [confirmed] = (await this.#ask(confirming)) ?? [];
    this.#host.post('focus', {});
    if (confirmed === undefined) return;
    this.#cancel = new AbortController();
    void runner.run(confirmed, {
      signal: this.#cancel.signal,
      isShown: () => this.#host.visible,
      onRun: (run) => {
        this.#run = run;
        this.#postState();
      },
    });
  }

  // State.

  /** The document, its form, and why it cannot be run now with the next step: empty if it can. */
  #read(): { readonly file: ActionFile; readonly form: Form | undefined; readonly blocked: string } {
    const { document, services } = this.#options;
    const file = this.#file;
    const checked = this.#checked;
    const current = checked?.version === document.version ? checked.findings : undefined;
    const created = this.#createForm(file, current ?? checkActionFile(file, services.knownSecrets()));
    const form = created && checked && current === undefined ? retainMessages(created, checked.form) : created;
    if (form === undefined) return { file, form, blocked: l10n.t('Use Show as File to correct it.') };
    const isRunning = this.#isStarting || this.#isActive;
    return { file, form, blocked: isRunning ? l10n.t('The action is running.') : getFirstError(form) };
  }

  #createForm(file: ActionFile, findings: readonly Finding[]): Form | undefined {
    const { services, liveData } = this.#options;
    const session = this.#session;
    return createForm(file, {
      object: this.#object,
      template: this.#template,
      findings,
      drafts: this.#drafts,
      getName: (id) => (session === undefined ? services.labels.get(id)?.text : liveData.get(session).getName(id)),
      hasSecret: (text) => services.redact(text) !== text,
    });
  }

  get #isActive(): boolean {
    return this.#run !== undefined && this.#options.runner.isActive(this.#run.id);
  }

  #postState(): void {
    const { target, document, liveData } = this.#options;
    const { file, form, blocked } = this.#read();
    const session = this.#session;
    const count = target.selection?.name;
    const name = getActionName(document.uri.path);
    const kind = form?.kind ?? '';
    const heading = session?.heading ?? l10n.t('No connection');
    this.#host.post('state', {
      title: getActionKind(kind)?.about ?? name,
      summary: [heading, ...(count === undefined ? [] : [count]), name].join(' · '),
      kind,
      kinds: listKinds(this.#template, kind),
      groups: [...(form?.groups ?? [])],
      messages: [...(form?.messages ?? [])],
      problem: form ? '' : (file.problems[0]?.message ?? l10n.t('The form can’t show an action of this shape.')),
      runLabel:
        count !== undefined
          ? l10n.t('Run for {0}…', count)
          : usesRows(file)
            ? l10n.t('Run with Data…')
            : l10n.t({ message: 'Run', args: [], comment: 'Command: runs an action' }),
      blocked,
      ...(this.#run !== undefined && {
        run: formatRun(this.#run, this.#isActive, (id) => session && liveData.get(session).getName(id)),
      }),
      edit: this.#lastEdit,
    });
  }

  // Live data.

  #scheduleRefresh(delay = PREVIEW_DELAY): void {
    clearTimeout(this.#timer);
    this.#refresh.abort();
    this.#refresh = new AbortController();
    const { signal } = this.#refresh;
    if (this.#host.visible) this.#timer = setTimeout(() => void this.#readLive(signal), delay);
  }

  /** Reads what the action touches, checks it, and composes the preview. Never rejects. */
  async #readLive(signal: AbortSignal): Promise<void> {
    const { document, services, language } = this.#options;
    const { version, uri } = document;
    const session = this.#session;
    try {
      const file = this.#file;
      if (session !== undefined && session.signedOutReason === undefined) {
        await this.#readResources(file, session);
        const findings = await language.preflight(document, session, signal, true);
        signal.throwIfAborted();
        const form = this.#createForm(file, findings);
        this.#checked = form && { version, findings, form };
        this.#postState();
      }
      const source = { name: getActionName(uri.path), uri, text: file.text };
      const preview = await readPreview(this.#options, source, session, signal, this.#getFirstRow(file));
      this.#preview = formatPreview(preview, { isBesideRun: true, formatTime: formatTimeText });
    } catch (error) {
      this.#preview = `${services.redact(getErrorMessage(error)).replace(/\.?$/, '.')}\n`;
    }
    if (signal.aborted) return;
    this.#host.post('preview', { text: this.#preview.slice(0, MAX_PREVIEW_LENGTH) });
    // With the names that were read.
    this.#postState();
  }

  /** Reads the object of the action, and its template or that of the first row. Never rejects. */
  async #readResources({ entries }: ActionFile, session: Session): Promise<void> {
    const live = this.#options.liveData.get(session);
    const read = async (kind: 'objects' | 'templates', id: unknown): Promise<JsonObject | undefined> =>
      typeof id === 'string' && isReadableId(id) ? live.read(kind, id).catch(() => undefined) : undefined;
    const value = entries[0]?.value;
    const rowTemplate = this.#options.target.selection?.rows[0]?.[2];
    const named = getString(value, 'template_id');
    this.#object = await read('objects', getString(value, 'id'));
    this.#template = await read('templates', this.#object?.['template_id'] ?? rowTemplate ?? named);
  }

  /** Of several objects, the preview is that of the first. */
  #getFirstRow(file: ActionFile): Parameters<typeof readPreview>[4] {
    const { columns = [], rows: [cells] = [] } = this.#options.target.selection ?? {};
    return cells && ((others) => new RowVariables(file, { columns }, others).forRow({ number: 1, cells }));
  }
}

function usesRows(file: ActionFile): boolean {
  return findVariables(file).some(({ variable }) => variable.kind === 'row');
}
