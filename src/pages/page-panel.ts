import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getResourceKey } from '../documents/content/document-store.ts';
import { FRAME_OPERATIONS } from '../faces/face-frames.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { getDefinition } from '../platform/registry.ts';
import { createWebviewHost, type WebviewHost } from '../webviews/webview-host.ts';
import type { MessageHandlers } from '../webviews/protocol/index.ts';
import { pageProtocol, type StoredPage } from '../webviews/protocol/page.ts';
import { isLogList } from './related-list.ts';
import { OVERVIEW, PageContent, type PageServices } from './page-content.ts';
import { createListNode } from './list-node.ts';

interface PagePanelOptions extends PageServices {
  readonly panel: vscode.WebviewPanel;
  readonly stored: StoredPage;
  /** opens a resource in the next editor group */
  readonly openBeside: (resource: ResourceArgument) => void;
  /** called when the page no longer responds */
  readonly onUnresponsive: (page: PagePanel) => void;
}

/** Pages that Back returns to. */
const MAX_BACK = 20;

/** A panel with the page of one resource, in which links lead to those of others. */
export class PagePanel {
  readonly #options: PagePanelOptions;
  readonly #host: WebviewHost<typeof pageProtocol.toView>;
  #content: PageContent;
  #back: readonly ResourceArgument[];
  #isPreview: boolean;

  constructor(options: PagePanelOptions) {
    this.#options = options;
    const { panel, stored, services } = options;
    this.#back = stored.back;
    this.#isPreview = stored.isPreview;
    this.#content = this.#createContent(stored.resource, stored.tab);
    const { context, log, ui, sessions } = services;
    this.#host = createWebviewHost(pageProtocol, {
      container: panel,
      extensionUri: context.extensionUri,
      log,
      ui,
      bundle: 'page',
      title: l10n.t('Page'),
      policy: { frameContent: 'face', images: ['data:'] },
      postState: () => this.#postState(),
      handlers: this.#createHandlers(),
      operations: OPERATIONS,
      onDidChangeVisibility: (visible) => {
        if (!visible) this.#content.frames.hide();
      },
    });
    this.#host.register({ dispose: () => this.#content.dispose() });
    let { session } = this.#content;
    this.#host.register(
      sessions.onDidChange(() => {
        const before = session;
        ({ session } = this.#content);
        // While signed out, the last data stays visible.
        if (session !== before && session?.signedOutReason === undefined) void this.#content.load(true);
        else this.#postState();
      }),
    );
    void this.#content.load(false);
  }

  get resource(): ResourceArgument {
    return this.#content.resource;
  }

  get isActive(): boolean {
    return !this.#host.disposed && this.#options.panel.active;
  }

  /** The next resource replaces this page; false once the user has kept it, or pinned its tab. */
  get isPreview(): boolean {
    return this.#isPreview && !this.#isPinned;
  }

  get #isPinned(): boolean {
    const { panel } = this.#options;
    return vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .some(
        ({ input, label, isPinned }) => isPinned && input instanceof vscode.TabInputWebview && label === panel.title,
      );
  }

  /** What a replacement needs. */
  get restoreState(): { readonly viewColumn: vscode.ViewColumn; readonly stored: StoredPage } {
    return { viewColumn: this.#options.panel.viewColumn ?? vscode.ViewColumn.Active, stored: this.#stored };
  }

  get #stored(): StoredPage {
    const { resource, tab } = this.#content;
    const { connection, kind, id } = resource;
    return { resource: { connection, kind, id }, tab, back: [...this.#back], isPreview: this.#isPreview };
  }

  /** Closes the panel. */
  close(): void {
    this.#options.panel.dispose();
  }

  /** Brings the panel to the front. */
  reveal(): void {
    this.#options.panel.reveal();
  }

  /** Keeps the page when another one is opened. */
  keep(): void {
    this.#isPreview = false;
    this.#postState();
  }

  /** Shows another resource; `back`: the pages that Back returns to. */
  show(resource: ResourceArgument, back: readonly ResourceArgument[] = []): void {
    this.#content.dispose();
    this.#back = back.slice(-MAX_BACK);
    this.#content = this.#createContent(resource, OVERVIEW);
    this.#postState();
    void this.#content.load(false);
  }

  /** Shows another tab; `refresh`: reads it again. Never rejects. */
  selectTab(tab: string, refresh = false): Promise<void> {
    return this.#content.selectTab(tab, refresh);
  }

  /** Whether what it shows could not be read in full. */
  get hasFailed(): boolean {
    return this.#content.hasFailed;
  }

  /** Reads everything again. Never rejects. */
  refresh(): Promise<void> {
    return this.#content.load(true);
  }

  #createContent(resource: ResourceArgument, tab: string): PageContent {
    const content: PageContent = new PageContent({
      ...this.#options,
      resource,
      tab,
      ping: () => this.#host.post('ping', {}) && this.#host.loadTime,
      onDidChange: () => {
        if (content === this.#content) this.#postState();
      },
      onUnresponsive: () => this.#options.onUnresponsive(this),
    });
    return content;
  }

  #postState(): void {
    if (this.#host.disposed) return;
    const { panel } = this.#options;
    const { state, policy } = this.#content.getState({
      canGoBack: this.#back.length > 0,
      isPreview: this.#isPreview,
      stored: this.#stored,
    });
    if (panel.title !== state.title) panel.title = state.title;
    const { kind } = this.resource;
    panel.iconPath = new vscode.ThemeIcon(
      kind === 'organizations' ? 'organization' : (getDefinition(kind)?.icon ?? 'file'),
    );
    // A changed policy reloads the page, which requests the state again.
    this.#host.setPolicy(policy);
    if (this.#host.ready && (state.face?.frames.length ?? 0) > 0) this.#content.frames.watch();
    this.#host.post('state', state);
  }

  #createHandlers(): MessageHandlers<typeof pageProtocol.toHost> {
    const { features, services } = this.#options;
    return {
      alive: (message) => this.#content.frames.handlers.alive(message),
      allow: (message) => this.#content.frames.handlers.allow(message),
      openBrowser: (message) => this.#content.frames.handlers.openBrowser(message),
      renderComplexFrame: (message) => this.#content.frames.handlers.renderComplexFrame(message),
      refresh: () => this.refresh(),
      back: () => {
        const previous = this.#back.at(-1);
        if (previous !== undefined) this.show(previous, this.#back.slice(0, -1));
      },
      keep: () => this.keep(),
      watch: () => features.run('watch', this.resource),
      copyLink: async () => {
        await (await this.#options.logs.controller()).copyHistoryLink(this.resource);
      },
      tab: ({ tab }) => this.selectTab(tab),
      open: ({ kind, id, beside }) => {
        const target = { connection: this.resource.connection, kind, id };
        if (beside) this.#options.openBeside(target);
        else this.show(target, [...this.#back, this.resource]);
      },
      openUrl: ({ url }) => services.ui.openExternal(url),
      copy: async ({ text }) => {
        await vscode.env.clipboard.writeText(services.redact(text));
        vscode.window.setStatusBarMessage(l10n.t('$(check) Copied'), 2500);
      },
      action: ({ name }) => features.run('newAction', this.resource, name),
      command: ({ id }) => features.run(id, this.resource),
      json: () => features.run('openJson', this.resource, true),
      remedy: ({ id }) => features.run(id, this.resource.connection),
      showAll: async ({ tab }) => {
        const source = this.#content.getList(tab);
        if (source === undefined) return;
        if (isLogList(source)) await features.run('showActionLogs', this.resource);
        else await features.run('openTable', createListNode(this.resource, source));
      },
      diff: ({ key }) => this.#content.diff(key),
      restore: async ({ root }) => {
        const state = this.#content.getKnownState(root);
        if (state === undefined) return;
        const file = await features.run('newActionFileFrom', { ...this.resource, state });
        if (file instanceof vscode.Uri) await features.run('checkAction', file, this.resource.connection);
      },
    };
  }

  /** Whether a page shows a resource. */
  shows(resource: ResourceArgument): boolean {
    return getResourceKey(resource) === getResourceKey(this.resource);
  }
}

/** Names of the operations in errors. */
const OPERATIONS = {
  ...FRAME_OPERATIONS,
  openUrl: l10n.t('Open in browser'),
  copy: l10n.t('Copy'),
  copyLink: l10n.t('Copy link'),
  diff: l10n.t('Compare states'),
  restore: l10n.t('Restore a state'),
} as const;
