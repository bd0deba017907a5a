import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getErrorMessage } from '../../model/text/error-message.ts';
import type { RunRecord } from '../../model/runs/run-record.ts';
import type { Session } from '../../model/session/session.ts';
import type { JsonObject } from '../../platform/json/json.ts';
import { formatPair } from '../../platform/text/localization.ts';
import { formProtocol, MAX_PREVIEW_LENGTH, type FormState } from '../../webviews/protocol/form.ts';
import { createWebviewHost, type WebviewHost } from '../../webviews/webview-host.ts';
import type { Services } from '../../commands/context.ts';
import type { Selection } from '../bulk/panel/panel-selection.ts';
import type { BulkPanels } from '../bulk/panel/panels.ts';
import type { RunStore } from '../history/run-store.ts';
import type { LanguageFeatures } from '../language/language-features.ts';
import type { LiveDataBySession } from '../language/live-data.ts';
import type { ActionFileCreator } from '../language/new-action-file.ts';
import type { Runner } from '../run/runner.ts';
import { RowVariables } from '../bulk/rows/row-variables.ts';
import { getString, parseActionFile, type ActionFile } from '../file/action-file.ts';
import { getActionKind, isReadableId } from '../file/action-kinds.ts';
import type { ActionSource } from '../file/action-source.ts';
import { checkActionFile } from '../file/check-action-file.ts';
import { getActionName } from '../file/file-names.ts';
import type { Finding } from '../file/findings.ts';
import type { Edit } from '../file/json-edits.ts';
import { findVariables } from '../file/variables.ts';
import { pickId } from '../language/pick-id.ts';
import { formatPreview } from '../preview/format-preview.ts';
import { readPreview } from '../preview/read-preview.ts';
import { removeField, setField, setFieldText, setKind } from './form-edits.ts';
import { createForm, findValue, formatPathKey, retainMessages, type Form } from './form-model.ts';
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

export interface FormOptions {
  readonly services: Services;
  readonly store: RunStore;
  readonly runner: Runner;
  readonly liveData: LiveDataBySession;
  readonly language: Pick<LanguageFeatures, 'preflight'>;
  readonly getFileCreator: () => Promise<ActionFileCreator>;
  readonly getBulkPanels: () => Promise<BulkPanels>;
}

interface ActionFormOptions extends FormOptions {
  readonly document: vscode.TextDocument;
  readonly panel: vscode.WebviewPanel;
  readonly target: FormTarget;
  /** saves the document under a name that the user chooses */
  readonly saveAs: () => Promise<void>;
}

/** An entered text that is no value of its field, which the file therefore does not contain. */
interface Draft {
  readonly text: string;
  readonly problem: string;
}

/** The form of one document in one editor. Its values are those of the document; it only stores what cannot be in it. */
export class ActionForm {
  readonly #options: ActionFormOptions;
  readonly #host: WebviewHost<(typeof formProtocol)['toView']>;
  readonly #drafts = new Map<string, Draft>();
  /** edits are applied one after the other, each to the text that the one before has left */
  #edits: Promise<unknown> = Promise.resolve();
  #lastEdit = 0;
  /** what checking against the platform found for the last text that was checked */
  #checked: { readonly version: number; readonly findings: readonly Finding[]; readonly form: Form } | undefined;
  #object: JsonObject | undefined;
  #template: JsonObject | undefined;
  #preview = '';
  #run: RunRecord | undefined;
  #isStarting = false;
  #timer: NodeJS.Timeout | undefined;
  #refresh: AbortController | undefined;
  #cancel: AbortController | undefined;

  constructor(options: ActionFormOptions) {
    this.#options = options;
    const { services, panel, document, store } = options;
    const { sessions } = services;
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
        setField: ({ path, value, edit }) =>
          this.#edit(edit, (file) => {
            const type = this.#findField(this.#createForm(file), path)?.type ?? 'text';
            try {
              const edits = setFieldText(file, path, type, value);
              this.#drafts.delete(formatPathKey(path));
              return edits;
            } catch (error) {
              this.#drafts.set(formatPathKey(path), { text: value, problem: getErrorMessage(error) });
              return [];
            }
          }),
        removeField: ({ path, edit }) =>
          this.#edit(edit, (file) => {
            this.#drafts.delete(formatPathKey(path));
            return removeField(file, path);
          }),
        setKind: ({ kind, edit }) =>
          this.#edit(edit, (file) => {
            this.#drafts.clear();
            return setKind(file, kind);
          }),
        addField: ({ path }) => this.#addField(path),
        pick: ({ path }) => this.#pick(path),
        run: () => this.#start(),
        cancel: () => {
          this.#cancel?.abort();
        },
        showFile: () => vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside }),
        save: async () => {
          await this.#edits;
          await options.saveAs();
        },
        openLink: ({ link }) => (this.#run === undefined ? undefined : openRunLink(this.#run, link)),
      },
      operations: { run: l10n.t('Run the action'), pick: l10n.t('Select') },
    });
    for (const listener of [
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document.uri.toString() !== document.uri.toString() || event.contentChanges.length === 0) return;
        this.#postState();
        this.#scheduleRefresh();
      }),
      sessions.onDidChange(() => {
        this.#postState();
        this.#scheduleRefresh();
      }),
      store.onDidChange((run) => {
        if (run?.phase === 'ended') this.#scheduleRefresh();
      }),
    ])
      this.#host.register(listener);
    this.#host.disposeSignal.addEventListener('abort', () => {
      clearTimeout(this.#timer);
      this.#refresh?.abort();
    });
  }

  get #source(): ActionSource {
    const { uri } = this.#options.document;
    return { name: getActionName(uri.path), uri, text: this.#options.document.getText() };
  }

  /** That of what the form was opened for, else the active one; `undefined`: Run asks. */
  get #session(): Session | undefined {
    const { services, target } = this.#options;
    const { sessions } = services;
    return target.connection === undefined ? sessions.activeForEffects : sessions.get(target.connection);
  }

  // Edits.

  #edit(edit: number, getEdits: (file: ActionFile) => readonly Edit[]): Promise<void> {
    return this.#change((file) => {
      this.#lastEdit = edit;
      return getEdits(file);
    });
  }

  #change(getEdits: (file: ActionFile) => readonly Edit[]): Promise<void> {
    const { document } = this.#options;
    const change = this.#edits.then(async () => {
      const file = parseActionFile(document.getText());
      const edits = file.problems.length === 0 ? getEdits(file) : [];
      const changes = edits.filter(({ offset, length, text }) => file.text.slice(offset, offset + length) !== text);
      if (changes.length > 0) {
        const edit = new vscode.WorkspaceEdit();
        for (const { offset, length, text } of changes)
          edit.replace(
            document.uri,
            new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)),
            text,
          );
        await vscode.workspace.applyEdit(edit);
      }
      this.#postState();
    });
    this.#edits = change.catch(() => undefined);
    return change;
  }

  async #addField(parent: readonly string[]): Promise<void> {
    const { services } = this.#options;
    const root = parseActionFile(this.#options.document.getText()).entries[0]?.value;
    const name = await this.#ask(
      services.ui.input({
        title: l10n.t('Add Field'),
        prompt: l10n.t('Name of the field'),
        validateInput: (text) => {
          if (text.trim() === '') return l10n.t('Enter a name');
          if (text.length > 300) return l10n.t('Enter a shorter name');
          return findValue(root, [...parent, text.trim()]) === undefined
            ? undefined
            : l10n.t('This field exists already. Enter another name');
        },
      }),
    );
    if (name === undefined) return;
    const path = [...parent, name.trim()];
    await this.#change((file) => setField(file, path, '""'));
    this.#host.post('focus', { path });
  }

  async #pick(path: readonly string[]): Promise<void> {
    const { services } = this.#options;
    const { entries } = parseActionFile(this.#options.document.getText());
    const field = getActionKind(entries[0]?.kind ?? '')?.fields.find(({ name }) => name === path[0]);
    if (field?.ids === undefined || path.length !== 1) return;
    const session = this.#session ?? (await services.sessions.getOrPickActive(l10n.t('Select a Connection')));
    const id = session && (await this.#ask(pickId(this.#options, session, field.ids)));
    if (id !== undefined) await this.#change((file) => setField(file, path, JSON.stringify(id)));
    this.#host.post('focus', { path: [...path] });
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
    if (this.#getBlocked(parseActionFile(this.#options.document.getText())) !== '') return;
    const { services, target, runner } = this.#options;
    const source = this.#source;
    this.#isStarting = true;
    this.#postState();
    try {
      const session = this.#session ?? (await services.sessions.getOrPickActive(l10n.t('Run {0}', source.name)));
      if (session === undefined) return;
      if (target.selection !== undefined) {
        const panels = await this.#options.getBulkPanels();
        await panels.openSelection(source, target.selection, session, false);
      } else if (this.#usesRows) await vscode.commands.executeCommand('smartObjects.runWithData', source.uri);
      else await this.#execute(source, session, runner, false);
    } finally {
      this.#isStarting = false;
      this.#postState();
      this.#host.post('focus', {});
    }
  }

  async #execute(source: ActionSource, session: Session, runner: Runner, isRepeat: boolean): Promise<void> {
    const [confirmed] =
      (await this.#ask(
        runner.confirm([source], session, {
          isExplicit: true,
          isRepeat,
          onRunAnyway: () => this.#execute(source, session, runner, true),
        }),
      )) ?? [];
    if (confirmed === undefined) return;
    const cancel = new AbortController();
    this.#cancel = cancel;
    // The form can be closed; the outcome is then a notification.
    void runner.run(confirmed, {
      signal: cancel.signal,
      isShown: () => this.#host.visible,
      onRun: (run) => {
        this.#run = run;
        this.#postState();
      },
    });
  }

  // State.

  get #usesRows(): boolean {
    return findVariables(parseActionFile(this.#options.document.getText())).some(
      ({ variable }) => variable.kind === 'row',
    );
  }

  #createForm(file: ActionFile): Form | undefined {
    const { services, document } = this.#options;
    if (this.#checked?.version === document.version) return this.#buildForm(file, this.#checked.findings);
    const form = this.#buildForm(file, checkActionFile(file, services.knownSecrets()));
    return form && this.#checked ? retainMessages(form, this.#checked.form) : form;
  }

  #buildForm(file: ActionFile, findings: readonly Finding[]): Form | undefined {
    const { services, liveData } = this.#options;
    const session = this.#session;
    return createForm(file, {
      object: this.#object,
      template: this.#template,
      findings,
      getName: (id) => (session === undefined ? services.labels.get(id)?.text : liveData.get(session).getName(id)),
      hasSecret: (text) => services.redact(text) !== text,
    });
  }

  #findField(form: Form | undefined, path: readonly string[]): Form['groups'][number]['fields'][number] | undefined {
    const key = formatPathKey(path);
    return form?.groups.flatMap(({ fields }) => fields).find((field) => formatPathKey(field.path) === key);
  }

  /** Why the file cannot be run now, with the next step; empty if it can. */
  #getBlocked(file: ActionFile): string {
    const problem = file.problems[0];
    if (problem !== undefined) return formatPair(l10n.t('The file can’t be run'), problem.message);
    if (this.#isStarting || this.#isActive) return l10n.t('The action is running.');
    const [draft] = this.#drafts.values();
    if (draft !== undefined) return `${draft.problem}.`;
    const form = this.#createForm(file);
    const messages = [
      ...(form?.messages ?? []),
      ...(form?.groups ?? []).flatMap(({ fields }) => fields.flatMap((field) => field.messages)),
    ];
    return messages.find(({ severity }) => severity === 'error')?.text ?? '';
  }

  get #isActive(): boolean {
    return this.#run !== undefined && this.#options.runner.isActive(this.#run.id);
  }

  #postState(): void {
    const { target, document, liveData } = this.#options;
    const file = parseActionFile(document.getText());
    const form = file.problems.length === 0 ? this.#createForm(file) : undefined;
    const session = this.#session;
    const count = target.selection?.name;
    const groups = (form?.groups ?? []).map((group) => ({
      ...group,
      fields: group.fields.map((field) => {
        const draft = this.#drafts.get(formatPathKey(field.path));
        if (draft === undefined) return field;
        const message = { severity: 'error', text: `${draft.problem}.`, isMissing: false } as const;
        return { ...field, value: draft.text, messages: [message] };
      }),
    }));
    const state: FormState = {
      title: getActionKind(form?.kind ?? '')?.about ?? getActionName(document.uri.path),
      summary: [session?.heading ?? l10n.t('No connection'), count ?? '', getActionName(document.uri.path)]
        .filter((part) => part !== '')
        .join(' · '),
      kind: form?.kind ?? '',
      kinds: listKinds(this.#template, form?.kind ?? '', this.#object !== undefined),
      groups,
      messages: [...(form?.messages ?? [])],
      problem:
        form !== undefined
          ? ''
          : (file.problems[0]?.message ?? l10n.t('This action has another shape than the form can show.')),
      runLabel:
        count !== undefined
          ? l10n.t('Run for {0}…', count)
          : this.#usesRows
            ? l10n.t('Run with Data…')
            : l10n.t({ message: 'Run', args: [], comment: 'Command: runs an action' }),
      blocked: form === undefined ? l10n.t('Use Show as File to correct it.') : this.#getBlocked(file),
      ...(this.#run !== undefined && {
        run: formatRun(this.#run, this.#isActive, (id) => session && liveData.get(session).getName(id)),
      }),
      edit: this.#lastEdit,
    };
    this.#host.post('state', state);
  }

  // Live data.

  #scheduleRefresh(delay = PREVIEW_DELAY): void {
    clearTimeout(this.#timer);
    this.#refresh?.abort();
    if (!this.#host.visible) return;
    this.#timer = setTimeout(() => {
      const stop = new AbortController();
      this.#refresh = stop;
      void this.#readLive(AbortSignal.any([stop.signal, this.#host.disposeSignal]));
    }, delay);
  }

  /** Reads what the action touches, checks it, and composes the preview. Never rejects. */
  async #readLive(signal: AbortSignal): Promise<void> {
    const { document, services, liveData, language } = this.#options;
    const { version } = document;
    const session = this.#session;
    const isRead = session !== undefined && session.signedOutReason === undefined;
    try {
      const file = parseActionFile(document.getText());
      if (isRead) {
        const live = liveData.get(session);
        const read = (kind: 'objects' | 'templates', id: unknown): Promise<JsonObject | undefined> =>
          typeof id === 'string' && isReadableId(id)
            ? live.read(kind, id).catch(() => undefined)
            : Promise.resolve(undefined);
        const entry = file.entries[0]?.value;
        const object = await read('objects', getString(entry, 'id'));
        const template = await read('templates', object?.['template_id'] ?? getString(entry, 'template_id'));
        signal.throwIfAborted();
        [this.#object, this.#template] = [object, template];
        const findings = await language.preflight(document, session, signal, true);
        signal.throwIfAborted();
        const form = this.#buildForm(file, findings);
        this.#checked = form && { version, findings, form };
        this.#postState();
      }
      const preview = await readPreview(
        { ...this.#options, addVariables: this.#getFirstRow(file) },
        this.#source,
        session,
        signal,
      );
      this.#preview = formatPreview(preview, { isBesideRun: true });
    } catch (error) {
      if (signal.aborted) return;
      this.#preview = `${services.redact(getErrorMessage(error)).replace(/\.?$/, '.')}\n`;
    }
    if (signal.aborted) return;
    this.#preview = this.#preview.slice(0, MAX_PREVIEW_LENGTH);
    this.#host.post('preview', { text: this.#preview });
    this.#postState();
  }

  /** Of several objects, the preview is that of the first. */
  #getFirstRow(file: ActionFile): Parameters<typeof readPreview>[0]['addVariables'] {
    const { columns = [], rows: [cells] = [] } = this.#options.target.selection ?? {};
    return cells && ((others) => new RowVariables(file, columns, others).forRow({ number: 1, cells }));
  }
}
