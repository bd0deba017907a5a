/** The logs room behind its proxies: its views, what its commands and links show, and what is kept over a reload. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import { plainText } from '../platform/plain-text.ts';
import { viewState, type Filters, type ViewState } from '../webviews/protocol-logs.ts';
import { filtersOf, givenOf, stateOf } from './argument.ts';
import { LINK_PATH, linkOf, stateOfLink, stateWords, type Moment } from './link.ts';
import { TAB, VIEW } from './register.ts';
import { seenStates } from './seen-states.ts';
import { stateOfUri, STATE_SCHEME } from './state-text.ts';
import { LogsView } from './view.ts';
import * as z from 'zod/mini';

const KEPT = 'logs.view';
const kept = z.object({ view: viewState });

export class LogsRoom {
  readonly #entry: Entry;
  readonly #services: Services;
  readonly #started: number;
  readonly #tabs = new Map<vscode.WebviewPanel, LogsView>();
  #panel: LogsView | undefined;
  /** for the panel's view, before it has been resolved */
  #waiting: ViewState | undefined;
  #last: LogsView | undefined;

  constructor(entry: Entry, services: Services, started: number) {
    this.#entry = entry;
    this.#services = services;
    this.#started = started;
    entry.own(
      vscode.workspace.registerTextDocumentContentProvider(STATE_SCHEME, {
        provideTextDocumentContent: (uri) => this.#stateText(uri),
      }),
    );
  }

  /** The view of the panel. */
  resolve(view: vscode.WebviewView, keptByPage: unknown): void {
    const state = this.#waiting ?? this.#read(keptByPage) ?? this.#read(this.#memory.get(KEPT)) ?? this.#fresh();
    this.#waiting = undefined;
    const made = (this.#panel = this.#make(view, state, false));
    view.onDidDispose(() => {
      if (this.#panel === made) this.#panel = undefined;
      if (this.#last === made) this.#last = undefined;
    });
  }

  /** An editor tab after a reload. */
  restore(panel: vscode.WebviewPanel, keptByPage: unknown): void {
    this.#fill(panel, this.#read(keptByPage) ?? this.#fresh());
  }

  async run(id: string, argument: unknown): Promise<unknown> {
    switch (id) {
      case 'showActionLogs':
        return this.#showLogs(argument);
      case 'showObjectHistory':
        return this.#showHistory(argument);
      case 'showFailures':
        return this.#showPanel({ ...this.#now, mode: 'failures' });
      case 'copyLink':
        return this.#copyLink((this.#last ?? this.#panel)?.state ?? this.#now);
      default:
        return undefined;
    }
  }

  /** Views, for tests: the panel's, then the tabs'. */
  get views(): readonly LogsView[] {
    return [...(this.#panel === undefined ? [] : [this.#panel]), ...this.#tabs.values()];
  }

  /** A link asks before anything is read, and only ever shows. */
  async openLink(uri: vscode.Uri): Promise<void> {
    const { ui, sessions, log } = this.#services;
    let state: ViewState;
    try {
      if (uri.path !== LINK_PATH) throw new Error('it leads nowhere in this version');
      state = stateOfLink(uri.query);
      const unknown = state.filters.connections.find((name) => sessions.get(name) === undefined);
      if (unknown !== undefined)
        throw new Error(`there is no connection named “${plainText(unknown, 64)}” here. Add it first`);
      if (state.mode === 'history' && state.filters.object === undefined) throw new Error('a history needs an object');
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown error';
      log.warn(`Open link: ${why}`);
      await ui.warn(`The link was not opened: ${why}.`);
      return;
    }
    const headings = state.filters.connections.map((name) => sessions.get(name)?.heading ?? name);
    const agreed = await ui.confirm({
      message: `${headings.join(', ')}: show action logs that a link asks for?`,
      detail: stateWords(state, this.#moment).join('\n'),
      action: 'Show',
    });
    if (agreed) await this.#showPanel(state);
  }

  get #memory(): vscode.Memento {
    return this.#services.context.workspaceState;
  }

  get #now(): ViewState {
    return this.#panel?.state ?? this.#waiting ?? this.#read(this.#memory.get(KEPT)) ?? this.#fresh();
  }

  #read(value: unknown): ViewState | undefined {
    const whole = kept.safeParse(value);
    return whole.success ? whole.data.view : stateOf(value);
  }

  #fresh(filters?: Partial<Filters>): ViewState {
    const active = this.#services.sessions.active?.profile.name;
    const connections = active === undefined ? [] : [active];
    return {
      mode: 'logs',
      filters: { connections, organizations: [], range: 'latest', ...filters },
      text: '',
      following: filters === undefined,
    };
  }

  async #showLogs(argument: unknown): Promise<void> {
    const given = givenOf(argument);
    const filters = filtersOf(given);
    const state =
      stateOf(argument) ?? (filters === undefined ? { ...this.#now, mode: 'logs' as const } : this.#fresh(filters));
    await this.#showPanel(
      given.kind === 'action-logs' && given.id !== undefined
        ? { ...state, selected: given.id, selectedConnection: given.connection }
        : state,
    );
  }

  async #showHistory(argument: unknown): Promise<void> {
    const given = givenOf(argument ?? vscode.window.activeTextEditor?.document.uri);
    let { connection, id } = given;
    if (given.kind !== undefined && given.kind !== 'objects') id = undefined;
    if (connection === undefined || id === undefined) {
      const session = await this.#services.sessions.choose('History of which object?');
      if (session === undefined) return;
      connection = session.profile.name;
      id = (await this.#services.ui.input({ title: 'Show Object History', prompt: 'Id of the object' }))?.trim();
    }
    if (id === undefined || id === '') return;
    this.#openTab({
      mode: 'history',
      filters: { connections: [connection], organizations: [], object: id, range: 'latest' },
      text: '',
    });
  }

  get #moment(): Moment {
    return { now: Date.now(), started: this.#started };
  }

  async #copyLink(state: ViewState): Promise<string> {
    const link = linkOf(state, vscode.env.uriScheme, this.#moment);
    if (link === undefined) throw new Error('the link would be longer than 2 KB. Remove some filters first');
    await vscode.env.clipboard.writeText(this.#services.redact(link));
    vscode.window.setStatusBarMessage('$(check) Copied link to view', 2500);
    return link;
  }

  /** A history lives in a tab: the panel would have no way back from one. */
  async #showPanel(state: ViewState): Promise<void> {
    if (state.mode === 'history') {
      this.#openTab(state);
      return;
    }
    if (this.#panel === undefined) this.#waiting = state;
    else this.#panel.show(state);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  #openTab(state: ViewState): void {
    const panel = vscode.window.createWebviewPanel(TAB, titleOf(state), vscode.ViewColumn.Active, {});
    this.#fill(panel, state);
  }

  #fill(panel: vscode.WebviewPanel, state: ViewState): void {
    panel.title = titleOf(state);
    panel.iconPath = new vscode.ThemeIcon('history');
    const view = this.#make(panel, state, true);
    this.#tabs.set(panel, view);
    panel.onDidDispose(() => {
      this.#tabs.delete(panel);
      if (this.#last === view) this.#last = undefined;
    });
    panel.onDidChangeViewState(() => {
      if (panel.active) this.#last = view;
    });
    this.#last = view;
  }

  #make(container: vscode.WebviewPanel | vscode.WebviewView, state: ViewState, tab: boolean): LogsView {
    const view: LogsView = new LogsView({
      entry: this.#entry,
      services: this.#services,
      container,
      tab,
      state,
      started: this.#started,
      openTab: (shown) => {
        this.#openTab(shown);
      },
      copyLink: (shown) => this.#copyLink(shown),
      changed: (changed) => {
        this.#last = view;
        if (tab) container.title = titleOf(changed);
        else void this.#memory.update(KEPT, { view: changed });
      },
    });
    return view;
  }

  async #stateText(uri: vscode.Uri): Promise<string> {
    const [connection, object, root] = stateOfUri(uri) ?? ['', '', ''];
    const state = (await seenStates(this.#services, connection, object))(root);
    return state === undefined
      ? '"There is no snapshot of this state."\n'
      : `${this.#services.redact(JSON.stringify(state, null, 2))}\n`;
  }
}

function titleOf({ mode, filters }: ViewState): string {
  if (mode === 'history') return `History: ${plainText(filters.object ?? '', 24)}`;
  return mode === 'failures' ? 'Failures' : 'Action Logs';
}
