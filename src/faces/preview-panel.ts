import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../commands/context.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { createWebviewHost, type WebviewHost } from '../webviews/webview-host.ts';
import type { MessageHandlers } from '../webviews/protocol/index.ts';
import { facesProtocol, type FaceState } from '../webviews/protocol/faces.ts';
import { compareWithPlatform, type ComparisonTexts } from './compare.ts';
import { copyAsJsonString, openJsonString } from './json-string.ts';
import { FrameWatch, type UnconfirmedFrames } from './frame-watch.ts';
import { areScriptsAllowed, SCRIPTED_PANEL_TYPE } from './panel-types.ts';
import { getApprovalScope, type Approvals } from './policy/approvals.ts';
import { FrameRenderer } from './render/frame-renderer.ts';
import { createApprovalRows, createViewState, type PreviewViewState } from './render/view-state.ts';
import { getVariantText, type VariantText } from './source/face.ts';
import { ImageCache } from './source/image-cache.ts';
import { getUriName, watchFile } from './source/local-file.ts';
import { PageChecks } from './source/page-checks.ts';
import { pickObject, pickResource } from './source/pickers.ts';
import { getObjectKey, MAX_OBJECTS, PreviewLoader } from './source/preview-loader.ts';
import {
  getSourceKey,
  getStoredSource,
  isAsset,
  type StoredPreview,
  type ResourceSource,
  type Source,
} from './source/source.ts';

/** Delay between an edit of the file and its preview, in milliseconds. */
const REFRESH_DEBOUNCE_MS = 150;

interface PreviewPanelOptions {
  readonly features: FeatureContext;
  readonly services: Services;
  readonly approvals: Approvals;
  readonly unconfirmed: UnconfirmedFrames;
  readonly comparisonTexts: ComparisonTexts;
  readonly panel: vscode.WebviewPanel;
  readonly preview: StoredPreview;
  /** called when the previewed file was renamed; `previousKey` is the panel's key before */
  onDidChangeSource(panel: PreviewPanel, previousKey: string): void;
  /** called when the page no longer responds */
  onUnresponsive(panel: PreviewPanel): void;
  openLab(
    source: ResourceSource,
    faceId: string | undefined,
    content: string,
    objects: StoredPreview['objects'],
  ): Promise<void>;
}

/** A preview in a webview panel: its source, its objects, and the handlers of its view. */
export class PreviewPanel {
  source: Source;
  readonly #options: PreviewPanelOptions;
  readonly #loader: PreviewLoader;
  readonly #renderer: FrameRenderer;
  readonly #host: WebviewHost<typeof facesProtocol.toView>;
  readonly #pageChecks: PageChecks;
  readonly #images: ImageCache;
  readonly #watch: FrameWatch;
  #preview: StoredPreview;
  #viewState: PreviewViewState | undefined;
  #fileWatcher: vscode.Disposable | undefined;
  /** keys of frames that are rendered although they could block the window */
  readonly #forcedFrames = new Set<string>();

  constructor(options: PreviewPanelOptions) {
    this.#options = options;
    this.#preview = options.preview;
    this.source = getStoredSource(options.preview);
    const { panel, services } = options;
    const { context, log, ui, send, sessions } = services;
    this.#loader = new PreviewLoader(sessions);
    panel.iconPath = new vscode.ThemeIcon('preview');
    const postState = (): void => {
      this.#postState();
    };
    this.#host = createWebviewHost(facesProtocol, {
      container: panel,
      extensionUri: context.extensionUri,
      log,
      ui,
      bundle: 'faces',
      title: l10n.t('Face Preview'),
      policy: { frameContent: this.#scriptsAllowed ? 'scriptedFace' : 'face', images: ['data:'] },
      postState,
      handlers: this.#createHandlers(),
      operations: OPERATIONS,
      onDidChangeVisibility: (visible) => {
        // What was being put in then is shown again only on request.
        if (!visible && this.#watch.endPage()) this.#forcedFrames.clear();
      },
    });
    this.#watch = new FrameWatch({
      unconfirmed: options.unconfirmed,
      ping: () => this.#host.post('ping', {}),
      onUnresponsive: () => {
        options.onUnresponsive(this);
      },
    });
    this.#renderer = new FrameRenderer(postState, this.#host.disposeSignal);
    this.#images = new ImageCache(send, this.#host.disposeSignal, postState);
    this.#pageChecks = new PageChecks(send, this.#host.disposeSignal, postState);
    this.#host.register(this.#loader);
    this.#host.register(
      new vscode.Disposable(() => {
        this.#watch.endPage();
      }),
    );
    this.#host.register(
      new vscode.Disposable(() => {
        this.#fileWatcher?.dispose();
      }),
    );
    this.#watchFile();
    this.#host.register(
      sessions.onDidChange(() => {
        if (this.#loader.isOutdated(this.#connection)) void this.reload(false);
      }),
    );
    this.#host.register(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('smartObjects.faces.allowScripts')) postState();
      }),
    );
  }

  #watchFile(): void {
    this.#fileWatcher?.dispose();
    if (this.source.type !== 'file') return;
    this.#fileWatcher = watchFile(
      this.source.uri,
      REFRESH_DEBOUNCE_MS,
      () => void this.reload(false),
      (uri) => {
        const previousKey = this.key;
        this.source = { type: 'file', uri };
        this.#preview = { ...this.#preview, source: { type: 'file', uri: uri.toString() } };
        this.#options.onDidChangeSource(this, previousKey);
        this.#watchFile();
        void this.reload(false);
      },
    );
  }

  /** `getSourceKey` of the source. */
  get key(): string {
    return getSourceKey(this.source);
  }

  /** Whether the panel has the view type. */
  hasType(type: string): boolean {
    return this.#options.panel.viewType === type;
  }

  /** What a replacement panel needs. */
  get restoreState(): { readonly viewColumn: vscode.ViewColumn; readonly preview: StoredPreview } {
    return { viewColumn: this.#options.panel.viewColumn ?? vscode.ViewColumn.Active, preview: this.#preview };
  }

  /** Closes the panel. */
  close(): void {
    this.#options.panel.dispose();
  }

  /** Shows the panel; `lab` turns the face lab on. */
  reveal(lab: boolean): void {
    if (lab && !this.#preview.lab) {
      this.#preview = { ...this.#preview, lab };
      this.#postState();
    }
    this.#options.panel.reveal(undefined, true);
  }

  get #scriptsAllowed(): boolean {
    return areScriptsAllowed() && this.hasType(SCRIPTED_PANEL_TYPE);
  }

  get #connection(): string | undefined {
    const { objects, compareWith } = this.#preview;
    return this.source.type === 'resource' ? this.source.connection : (objects[0] ?? compareWith)?.connection;
  }

  /**
   * Loads the source and its objects again; a failure is shown in the view. `clearCaches` also reads known objects,
   * images and page headers again. Never rejects.
   */
  async reload(clearCaches: boolean): Promise<void> {
    if (clearCaches) {
      this.#images.clear();
      this.#pageChecks.clear();
      this.#forcedFrames.clear();
    }
    const signal = this.#loader.start(this.source);
    if (this.source.type === 'resource') this.#postState();
    if (await this.#loader.load(this.source, this.#connection, this.#preview.objects, clearCaches, signal))
      this.#postState();
  }

  #postState(): void {
    if (this.#host.disposed) return;
    const { approvals, panel } = this.#options;
    const { face, session, subjects, errors } = this.#loader;
    const scope = getApprovalScope(session?.profile);
    const scripts = this.#scriptsAllowed;
    const title = toPlainText(face?.name ?? this.#fallbackTitle, 60);
    panel.title = scripts ? l10n.t('{0} (scripts)', title) : title;
    const viewState = createViewState(
      {
        face: face ?? { name: panel.title, variants: [], assets: [] },
        variant: this.#preview.variant,
        subjects: face === undefined ? [] : subjects.length > 0 ? subjects : [undefined],
        context: {
          scripts,
          fetchedImages: this.#images.fetched,
          approvals: approvals.list(scope),
          ...(session !== undefined && { baseUrl: session.profile.baseUrl }),
        },
        forcedFrames: this.#forcedFrames,
        isUnresponsive: (hash) => this.#watch.isUnresponsive(hash),
        getPageState: (href) => this.#pageChecks.getState(href, session?.profile.baseUrl),
      },
      this.#renderer.render,
    );
    this.#viewState = viewState;
    // A changed policy reloads the page, which requests the state again.
    this.#host.setPolicy(viewState.policy);
    const { source } = this;
    const ownObject = this.#loader.objects.length === 0 ? subjects[0] : undefined;
    const state: FaceState = {
      ...viewState.state,
      title: panel.title,
      heading: session?.heading ?? this.#fallbackTitle,
      source: source.type === 'file' ? 'file' : isAsset(source) ? 'asset' : 'resource',
      hasFilePositions: source.type === 'file' && !/\.json$/i.test(source.uri.path),
      loading: this.#loader.isLoading,
      ...(errors.length > 0 && { error: errors.join(' ').slice(0, 4000) }),
      objects: this.#loader.objects.map(({ reference, subject }) => ({
        key: getObjectKey(reference),
        label: toPlainText(subject?.label ?? reference.id, 60),
      })),
      ...(ownObject !== undefined && { ownObject: toPlainText(ownObject.label, 60) }),
      canAddObject: this.#preview.objects.length < MAX_OBJECTS,
      approvals: createApprovalRows(approvals.list(scope)),
      scripts,
      lab: this.#preview.lab,
      preview: this.#preview,
    };
    if (this.#host.ready) this.#watch.start(viewState.hashes);
    this.#host.post('state', state);
    this.#images.request(viewState.missingImages);
  }

  get #variantText(): VariantText {
    return getVariantText(this.#loader.face, this.#viewState?.state.variant);
  }

  get #fallbackTitle(): string {
    return this.source.type === 'file' ? getUriName(this.source.uri) : this.source.connection;
  }

  #createHandlers(): MessageHandlers<typeof facesProtocol.toHost> {
    const { features, services, approvals, comparisonTexts } = this.#options;
    const getScope = (): string => getApprovalScope(this.#loader.session?.profile);
    return {
      alive: ({ loaded }) => {
        this.#watch.handleResponse(loaded);
      },
      refresh: () => this.reload(true),
      selectVariant: ({ key }) => {
        this.#preview = { ...this.#preview, variant: key };
        this.#postState();
      },
      addObject: async () => {
        const faceId = this.#loader.face?.id ?? this.#preview.compareWith?.id;
        const object = await pickObject(services, this.#connection, faceId);
        const { objects } = this.#preview;
        if (object === undefined || objects.some((known) => getObjectKey(known) === getObjectKey(object))) return;
        this.#preview = { ...this.#preview, objects: [...objects, object].slice(0, MAX_OBJECTS) };
        await this.reload(false);
      },
      removeObject: async ({ key }) => {
        const objects = this.#preview.objects.filter((known) => getObjectKey(known) !== key);
        this.#preview = { ...this.#preview, objects };
        this.#loader.removeObject(key);
        this.#postState();
        // The connection of a file is that of its objects.
        if (this.source.type === 'file') await this.reload(false);
      },
      allow: async ({ id }) => {
        const request = this.#viewState?.approvalRequests.get(id);
        if (request === undefined) return;
        await approvals.allow(getScope(), request);
        this.#postState();
      },
      revoke: async ({ key }) => {
        await approvals.revoke(getScope(), key);
        this.#postState();
      },
      openBrowser: async ({ key }) => {
        const url = this.#viewState?.externalUrls.get(key);
        if (url !== undefined) await vscode.env.openExternal(vscode.Uri.parse(url, true));
      },
      renderComplexFrame: ({ key }) => {
        this.#forcedFrames.add(key);
        this.#postState();
      },
      openLink: async ({ key }) => {
        const url = this.#viewState?.links.get(key);
        if (url === undefined) return;
        const { host, protocol, pathname } = new URL(url);
        const recipient = toPlainText(pathname, 100);
        const question = {
          message:
            protocol === 'mailto:'
              ? l10n.t('Write an email to {0}?', recipient)
              : protocol === 'tel:'
                ? l10n.t('Call {0}?', recipient)
                : l10n.t('Open the link to {0} in the browser?', host),
          detail: `${toPlainText(url, 2000)}\n\n${l10n.t('The address comes from the face and may contain data of the object.')}`,
          confirmLabel: l10n.t('Open Link'),
        };
        if (await services.ui.confirm(question)) await vscode.env.openExternal(vscode.Uri.parse(url, true));
      },
      openSource: async () => {
        const { source } = this;
        if (source.type === 'file')
          await vscode.window.showTextDocument(source.uri, { viewColumn: vscode.ViewColumn.One });
        else await features.run('openResource', { connection: source.connection, kind: source.kind, id: source.id });
      },
      revealPosition: async ({ line, column }) => {
        if (this.source.type !== 'file') return;
        const position = new vscode.Position(line - 1, column - 1);
        const selection = new vscode.Range(position, position);
        await vscode.window.showTextDocument(this.source.uri, { viewColumn: vscode.ViewColumn.One, selection });
      },
      openLab: async () => {
        const { source } = this;
        if (source.type === 'file') this.reveal(true);
        else
          await this.#options.openLab(source, this.#loader.face?.id, this.#variantText.content, this.#preview.objects);
      },
      compare: async () => {
        const { source } = this;
        if (source.type !== 'file') return;
        const text = this.#variantText;
        const face = await pickResource(services, 'faces', this.#preview.compareWith, l10n.t('Compare File with Face'));
        if (face === undefined) return;
        this.#preview = { ...this.#preview, compareWith: face };
        await compareWithPlatform(services, comparisonTexts, { uri: source.uri, ...text }, face);
      },
      copyJsonString: () => copyAsJsonString(this.#variantText.content),
      openJsonString: () => openJsonString(services),
    };
  }
}

/** Names of the operations in errors. */
const OPERATIONS = {
  addObject: l10n.t('Select object'),
  allow: l10n.t('Save permission'),
  revoke: l10n.t('Revoke permission'),
  openBrowser: l10n.t('Open in browser'),
  openLink: l10n.t('Open link'),
  openSource: l10n.t('Open source file'),
  revealPosition: l10n.t('Show file'),
  openLab: l10n.t('Open face lab'),
  compare: l10n.t('Compare with platform'),
  copyJsonString: l10n.t('Copy as JSON string'),
  openJsonString: l10n.t('Open JSON string'),
} as const;
