import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../commands/context.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { isObject } from '../platform/json/json.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { viewStateSchema, type Filters, type ViewState } from '../webviews/protocol/logs.ts';
import { getFilters, parseArgument, parseViewState } from './command-argument.ts';
import {
  LINK_PATH,
  formatHistoryLink,
  formatLink,
  parseHistory,
  parseLink,
  describeViewState,
  type TimeContext,
} from './view/link.ts';
import { TAB_VIEW_TYPE, VIEW_ID } from './view-ids.ts';
import { readKnownStates } from './history/known-states.ts';
import { parseStateUri, STATE_SCHEME } from './history/state-uri.ts';
import { toPresent } from './view/drill-down.ts';
import { FailureInbox } from './inbox.ts';
import { LogsView } from './view/logs-view.ts';
import { ViewTitle } from './view/view-title.ts';
import * as z from 'zod/mini';
import { getErrorMessage } from '../model/text/error-message.ts';
import { formatList } from '../platform/text/localization.ts';

const STATE_KEY = 'logs.view';
const savedState = z.object({ view: viewStateSchema });

/** Owns the action log views (one in the panel, any number of editor tabs), runs their commands and opens their links. */
export class LogsController {
  readonly #features: FeatureContext;
  readonly #services: Services;
  readonly #started: number;
  readonly inbox: FailureInbox;
  readonly #tabs = new Map<vscode.WebviewPanel, LogsView>();
  #panel: LogsView | undefined;
  /** state for the panel's view until VS Code resolves it */
  #pendingState: ViewState | undefined;
  #lastActive: LogsView | undefined;

  constructor(features: FeatureContext, services: Services, started: number) {
    this.#features = features;
    this.#services = services;
    this.#started = started;
    this.inbox = new FailureInbox(services.context.globalState);
    features.addDisposable(
      vscode.workspace.registerTextDocumentContentProvider(STATE_SCHEME, {
        provideTextDocumentContent: (uri) => this.#getStateText(uri),
      }),
    );
  }

  /** Fills the panel's view. `webviewState`: what the webview stored before a reload. */
  resolve(view: vscode.WebviewView, webviewState: unknown): void {
    const state = this.#pendingState ?? this.getRestoredState(webviewState);
    this.#pendingState = undefined;
    const logsView = (this.#panel = this.#createView(view, state, new ViewTitle(view, this.#memento)));
    view.onDidDispose(() => {
      if (this.#panel === logsView) this.#panel = undefined;
      if (this.#lastActive === logsView) this.#lastActive = undefined;
    });
  }

  /** Returns what the panel shows after a reload: what its webview stored, else the workspace. */
  getRestoredState(webviewState: unknown): ViewState {
    return this.#parseState(webviewState) ?? this.#storedState;
  }

  /** Fills an editor tab after a reload; the history of an object has moved to its page. Rejects as the page does. */
  async restore(panel: vscode.WebviewPanel, webviewState: unknown): Promise<void> {
    const history = parseHistory(isObject(webviewState) ? webviewState['view'] : undefined);
    if (history === undefined) {
      this.#attachView(panel, this.#parseState(webviewState) ?? this.#createState());
      return;
    }
    panel.dispose();
    await this.#features.run('showObjectHistory', history);
  }

  /** Shows the panel's view first if it is not open; `undefined` until VS Code has made it. Never rejects. */
  async getPanel(): Promise<LogsView | undefined> {
    if (this.#panel === undefined) await this.#showPanel(this.#currentState);
    return this.#panel;
  }

  /** All views: the panel's first, then the tabs'. */
  get views(): readonly LogsView[] {
    return [...(this.#panel === undefined ? [] : [this.#panel]), ...this.#tabs.values()];
  }

  /**
   * Opens a link after the user confirmed what it will read and show. A link can only show. Never rejects: warns about
   * an invalid link.
   */
  async openLink(uri: vscode.Uri): Promise<void> {
    const { ui, sessions, log } = this.#services;
    let state: ViewState;
    try {
      if (uri.path !== LINK_PATH) throw new Error(l10n.t('this version does not support it'));
      state = parseLink(uri.query);
      const unknown = state.filters.connections.find((name) => sessions.get(name) === undefined);
      if (unknown !== undefined)
        throw new Error(l10n.t('the connection “{0}” does not exist. Add it first', toPlainText(unknown, 64)));
    } catch (error) {
      const why = getErrorMessage(error);
      log.warn(`Open link: ${why}`);
      await ui.warn(l10n.t('Could not open the link: {0}.', why));
      return;
    }
    const headings = state.filters.connections.map((name) => sessions.get(name)?.heading ?? name);
    const confirmed = await ui.confirm({
      message: l10n.t('{0}: Show the action logs that a link requests?', formatList(headings, 'unit')),
      detail: describeViewState(state, this.#timeContext).join('\n'),
      confirmLabel: l10n.t({
        message: 'Show',
        args: [],
        comment: 'Button: shows the action logs that a link requests',
      }),
    });
    if (!confirmed) return;
    const history = parseHistory({ ...state, mode: new URLSearchParams(uri.query).get('mode') });
    if (history === undefined) await this.#showPanel({ ...state, drillDown: true });
    else await this.#features.run('showObjectHistory', history);
  }

  get #memento(): vscode.Memento {
    return this.#services.context.workspaceState;
  }

  get #currentState(): ViewState {
    return this.#panel?.state ?? this.#pendingState ?? this.#storedState;
  }

  get #storedState(): ViewState {
    return this.#parseState(this.#memento.get(STATE_KEY)) ?? this.#createState();
  }

  /** What a command without an argument shows: the user's own state, up to now. */
  get #presentState(): ViewState {
    const current = this.#currentState;
    return toPresent(current.drillDown === true ? this.#storedState : current);
  }

  /** Parses what was stored. A webview stores a drill-down, too, which ends with a reload. */
  #parseState(value: unknown): ViewState | undefined {
    const saved = savedState.safeParse(value);
    const state = saved.success ? saved.data.view : parseViewState(value);
    return state?.drillDown === true ? undefined : state;
  }

  #createState(filters?: Partial<Filters>): ViewState {
    const active = this.#services.sessions.active?.profile.name;
    const connections = active === undefined ? [] : [active];
    return {
      mode: 'logs',
      filters: { connections, organizations: [], range: 'latest', ...filters },
      text: '',
      following: filters === undefined,
    };
  }

  async showLogs(argument: unknown): Promise<void> {
    const resource = parseArgument(argument);
    const filters = getFilters(resource);
    const state = parseViewState(argument) ?? (filters === undefined ? undefined : this.#createState(filters));
    const selected = resource.kind === 'action-logs' &&
      resource.id !== undefined && { selected: resource.id, selectedConnection: resource.connection };
    await this.#showPanel(
      state === undefined ? { ...this.#presentState, mode: 'logs' } : { ...state, ...selected, drillDown: true },
    );
  }

  get #timeContext(): TimeContext {
    return { now: Date.now(), started: this.#started };
  }

  /** Copies a link to the view that was last active. Rejects with Error if it would be too long. */
  copyLink(state = (this.#lastActive ?? this.#panel)?.state ?? this.#currentState): Promise<string> {
    return this.#copy(formatLink(state, vscode.env.uriScheme, this.#timeContext));
  }

  /** Copies a link to the history of an object. Rejects with Error if it would be too long. */
  copyHistoryLink(object: ResourceArgument): Promise<string> {
    return this.#copy(formatHistoryLink(object, vscode.env.uriScheme));
  }

  async #copy(link: string | undefined): Promise<string> {
    if (link === undefined) throw new Error(l10n.t('the link would exceed 2 KB. Remove some filters first'));
    await vscode.env.clipboard.writeText(this.#services.redact(link));
    vscode.window.setStatusBarMessage(l10n.t('$(check) Copied the link'), 2500);
    return link;
  }

  /** Shows the failures of what the argument names in the panel, without one those of the present filters. */
  async showFailures(argument: unknown): Promise<void> {
    const filters = getFilters(parseArgument(argument));
    const state = filters === undefined ? this.#presentState : { ...this.#createState(filters), drillDown: true };
    await this.#showPanel({ ...state, mode: 'failures' });
  }

  /** Shows a state in the panel. */
  async #showPanel(state: ViewState): Promise<void> {
    if (this.#panel === undefined) this.#pendingState = state;
    else this.#panel.show(state);
    await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
  }

  #openTab(state: ViewState): void {
    const panel = vscode.window.createWebviewPanel(TAB_VIEW_TYPE, formatTitle(state), vscode.ViewColumn.Active, {});
    // A tab is of its own, and restored as it is.
    this.#attachView(panel, { ...state, drillDown: undefined });
  }

  #attachView(panel: vscode.WebviewPanel, state: ViewState): void {
    panel.title = formatTitle(state);
    panel.iconPath = new vscode.ThemeIcon('history');
    const view = this.#createView(panel, state);
    this.#tabs.set(panel, view);
    panel.onDidDispose(() => {
      this.#tabs.delete(panel);
      if (this.#lastActive === view) this.#lastActive = undefined;
    });
    panel.onDidChangeViewState(() => {
      if (panel.active) this.#lastActive = view;
    });
    this.#lastActive = view;
  }

  /** `title`: of the panel's view. */
  #createView(container: vscode.WebviewPanel | vscode.WebviewView, state: ViewState, title?: ViewTitle): LogsView {
    const tab = title === undefined;
    const view: LogsView = new LogsView({
      features: this.#features,
      services: this.#services,
      container,
      tab,
      ...(title !== undefined && { title }),
      state,
      inbox: this.inbox,
      started: this.#started,
      openTab: (tabState) => this.#openTab(tabState),
      copyLink: (viewState) => this.copyLink(viewState),
      changed: (changed) => {
        this.#lastActive = view;
        if (tab) container.title = formatTitle(changed);
        else if (changed.drillDown !== true) void this.#memento.update(STATE_KEY, { view: changed });
      },
    });
    return view;
  }

  async #getStateText(uri: vscode.Uri): Promise<string> {
    const [connection, object, root] = parseStateUri(uri) ?? ['', '', ''];
    const state = (await readKnownStates(this.#services, connection, object))(root);
    return state === undefined
      ? `${JSON.stringify(l10n.t('There is no snapshot of this state.'))}\n`
      : `${this.#services.redact(JSON.stringify(state, null, 2))}\n`;
  }
}

function formatTitle({ mode }: ViewState): string {
  return mode === 'failures' ? l10n.t('Failures') : l10n.t('Action Logs');
}
