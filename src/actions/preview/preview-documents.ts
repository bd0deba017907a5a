import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { PREVIEW_SCHEME } from '../../model/resources/resource-schemes.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import type { Session } from '../../model/session/session.ts';
import { Disposables, type Disposable } from '../../ui/disposables.ts';
import type { ActionsContext } from '../context.ts';
import { ACTION_FILES, getActionName } from '../file/file-names.ts';
import { requestSignIn } from '../run/confirm/confirm-runs.ts';
import { getSources } from '../run/sources.ts';
import { formatMarkdownPreview, formatTimeText } from './format-preview.ts';
import { readPreview } from './read-preview.ts';

/** Milliseconds after a change until a preview is composed again. */
const REFRESH_DELAY = 300;

/** A preview that is open. */
interface OpenPreview {
  readonly uri: vscode.Uri;
  readonly file: vscode.Uri;
  readonly watcher: Disposable | undefined;
  text: string;
  /** something changed while it was hidden */
  isStale: boolean;
  timer?: NodeJS.Timeout;
  /** ends the refresh under way */
  stop?: AbortController;
}

/** The read-only documents of previews, which follow their file and the active connection. */
export class PreviewDocuments implements Disposable {
  readonly #context: ActionsContext;
  readonly #changed: vscode.EventEmitter<vscode.Uri>;
  readonly #open = new Map<string, OpenPreview>();
  readonly #disposables = new Disposables();

  /** `changed` is fired when the text of a document has changed. */
  constructor(context: ActionsContext, changed: vscode.EventEmitter<vscode.Uri>) {
    this.#context = context;
    this.#changed = changed;
    const { sessions } = context.services;
    const refreshAll = (): void => {
      for (const preview of this.#open.values()) this.#scheduleRefresh(preview);
    };
    for (const disposable of [
      sessions.onDidChange(refreshAll),
      sessions.onDidChangeSession(({ type }) => {
        if (type !== 'organizations' && type !== 'reachability') refreshAll();
      }),
      context.store.onDidChange((run) => {
        if (run?.phase === 'ended') refreshAll();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#refreshFile(document.uri)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const preview of this.#open.values()) {
          const label = getTabLabel(preview);
          if (closed.some((tab) => isPreviewTab(tab) && tab.label.endsWith(label)) && findTab(preview) === undefined)
            this.#close(preview);
          else if (preview.isStale) this.#scheduleRefresh(preview);
        }
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(refreshAll),
    ])
      this.#disposables.add(disposable);
  }

  dispose(): void {
    for (const preview of this.#open.values()) this.#close(preview);
    this.#disposables.dispose();
  }

  /** The text of a document. */
  getText(uri: vscode.Uri): string {
    return (
      this.#open.get(uri.toString())?.text ??
      `${l10n.t('This preview is no longer available. Run Preview Request again.')}\n`
    );
  }

  /**
   * The Preview Request command: shows the preview of a file beside it. Resolves with the address of the document;
   * `undefined` if the user cancelled. Rejects with Error if there is no file.
   */
  async show(argument: unknown): Promise<vscode.Uri | undefined> {
    const { services, liveData, store } = this.#context;
    const { sessions, ui } = services;
    const [source] = await getSources(ui, argument, undefined, ACTION_FILES);
    if (source?.uri === undefined) return undefined;
    const chosen =
      sessions.all.length === 0
        ? undefined
        : await sessions.getOrPickActive(l10n.t('Select a Connection to Preview {0}', source.name));
    if (chosen === undefined && sessions.all.length > 0) return undefined;
    const signed =
      chosen && (await requestSignIn(services, chosen, l10n.t('Sign in to preview what the request changes.')));
    const session = signed ?? chosen;
    if (session !== undefined) liveData.get(session).clear();
    await store.load();
    const text = await ui.progress(l10n.t('Preview {0}', source.name), (signal) =>
      this.#composeText(source.uri ?? vscode.Uri.file(''), session, signal),
    );
    if (text === undefined) return undefined;
    const uri = createPreviewUri(source.uri);
    const known = this.#open.get(uri.toString());
    if (known === undefined)
      this.#open.set(uri.toString(), { uri, file: source.uri, text, isStale: false, watcher: this.#watch(source.uri) });
    else await this.#setText(known, text);
    await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
    return uri;
  }

  /** Refreshes the preview of a file that changes on disk, if no editor is open to notice. */
  #watch(file: vscode.Uri): Disposable | undefined {
    if (file.scheme === 'untitled') return undefined;
    const folder = vscode.Uri.joinPath(file, '..');
    const pattern = new vscode.RelativePattern(folder, `*${path.posix.extname(file.path)}`);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const refresh = (uri: vscode.Uri): void => this.#refreshFile(uri);
    watcher.onDidChange(refresh);
    watcher.onDidCreate(refresh);
    watcher.onDidDelete(refresh);
    return watcher;
  }

  #refreshFile(file: vscode.Uri): void {
    const preview = this.#open.get(createPreviewUri(file).toString());
    if (preview !== undefined) this.#scheduleRefresh(preview);
  }

  #scheduleRefresh(preview: OpenPreview): void {
    clearTimeout(preview.timer);
    preview.stop?.abort();
    preview.timer = setTimeout(() => void this.#refresh(preview), REFRESH_DELAY);
  }

  /** Reads nothing for a preview that nobody sees. */
  async #refresh(preview: OpenPreview): Promise<void> {
    preview.isStale = findTab(preview)?.isActive !== true;
    if (preview.isStale) return;
    const stop = new AbortController();
    preview.stop = stop;
    const text = await this.#composeText(preview.file, this.#context.services.sessions.activeForEffects, stop.signal);
    if (text !== undefined && !stop.signal.aborted) await this.#setText(preview, text);
  }

  async #setText(preview: OpenPreview, text: string): Promise<void> {
    if (preview.text === text) return;
    preview.text = text;
    // VS Code closes a document that no editor shows after some minutes; opened again, it has the new text.
    await vscode.workspace.openTextDocument(preview.uri);
    this.#changed.fire(preview.uri);
    await vscode.commands.executeCommand('markdown.preview.refresh');
  }

  #close(preview: OpenPreview): void {
    clearTimeout(preview.timer);
    preview.stop?.abort();
    preview.watcher?.dispose();
    this.#open.delete(preview.uri.toString());
  }

  /** The text of a preview, or the reason why there is none; `undefined` if `signal` is aborted. Never rejects. */
  async #composeText(uri: vscode.Uri, session: Session | undefined, signal: AbortSignal): Promise<string | undefined> {
    const { services } = this.#context;
    const name = getActionName(uri.path);
    try {
      const source = { name, uri, text: (await vscode.workspace.openTextDocument(uri)).getText() };
      return formatMarkdownPreview(await readPreview(this.#context, source, session, signal), formatTimeText);
    } catch (error) {
      if (signal.aborted) return undefined;
      const reason = formatLine(services.redact(getErrorMessage(error)), 500).replace(/\.$/, '');
      return `# ${l10n.t('Preview of {0}', formatLine(name))}\n\n${reason}.\n`;
    }
  }
}

/** The tab is named by the path; the query tells files of the same name apart. */
function createPreviewUri(file: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: PREVIEW_SCHEME, path: `/${getActionName(file.path)}.md`, query: file.toString() });
}

/** The end of the label of its tab, which VS Code begins with a translated word. */
function getTabLabel({ uri }: OpenPreview): string {
  return uri.path.slice(1);
}

function isPreviewTab({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith('markdown.preview');
}

/** The tab of a preview, if there is one; the one in front first. */
function findTab(preview: OpenPreview): vscode.Tab | undefined {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const own = tabs.filter((tab) => isPreviewTab(tab) && tab.label.endsWith(getTabLabel(preview)));
  return own.find(({ isActive }) => isActive) ?? own[0];
}
