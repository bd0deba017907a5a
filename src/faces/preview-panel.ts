import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../commands/context.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { createWebviewHost, type WebviewHost } from '../webviews/webview-host.ts';
import type { MessageHandlers } from '../webviews/protocol/index.ts';
import { facesProtocol, type FaceState } from '../webviews/protocol/faces.ts';
import { compareWithPlatform, type ComparisonTexts } from './compare.ts';
import { copyAsJsonString, openJsonString } from './json-string.ts';
import { FaceFrames, FRAME_OPERATIONS, type FaceGates } from './face-frames.ts';
import { areScriptsAllowed, SCRIPTED_PANEL_TYPE } from './panel-types.ts';
import { createApprovalRows, type PreviewViewState } from './render/view-state.ts';
import { getVariantText, type VariantText } from './source/face.ts';
import { getUriName, watchFile } from './source/local-file.ts';
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

interface PreviewPanelOptions extends FaceGates {
  readonly features: FeatureContext;
  readonly services: Services;
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
  readonly #frames: FaceFrames;
  readonly #host: WebviewHost<typeof facesProtocol.toView>;
  #preview: StoredPreview;
  #viewState: PreviewViewState | undefined;
  #fileWatcher: vscode.Disposable | undefined;

  constructor(options: PreviewPanelOptions) {
    this.#options = options;
    this.#preview = options.preview;
    this.source = getStoredSource(options.preview);
    const { panel, services } = options;
    const { context, log, ui, sessions } = services;
    this.#loader = new PreviewLoader(services);
    panel.iconPath = new vscode.ThemeIcon('preview');
    const postState = (): void => this.#postState();
    this.#frames = new FaceFrames({
      ...options,
      ping: () => this.#host.post('ping', {}) && this.#host.loadTime,
      onDidChange: postState,
      onUnresponsive: () => options.onUnresponsive(this),
    });
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
        if (!visible) this.#frames.hide();
      },
    });
    this.#host.register(this.#loader);
    this.#host.register(this.#frames);
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
    if (clearCaches) this.#frames.clear();
    const signal = this.#loader.start(this.source);
    if (this.source.type === 'resource') this.#postState();
    if (await this.#loader.load(this.source, this.#connection, this.#preview.objects, clearCaches, signal))
      this.#postState();
  }

  #postState(): void {
    if (this.#host.disposed) return;
    const { panel } = this.#options;
    const { face, session, subjects, errors } = this.#loader;
    const scripts = this.#scriptsAllowed;
    const title = toPlainText(face?.name ?? this.#fallbackTitle, 60);
    panel.title = scripts ? l10n.t('{0} (scripts)', title) : title;
    const viewState = this.#frames.render({
      face: face ?? { name: panel.title, variants: [], assets: [] },
      variant: this.#preview.variant,
      subjects: face === undefined ? [] : subjects.length > 0 ? subjects : [undefined],
      session,
      scripts,
    });
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
      approvals: createApprovalRows(this.#frames.approvals),
      scripts,
      lab: this.#preview.lab,
      preview: this.#preview,
    };
    if (this.#host.ready) this.#frames.watch();
    this.#host.post('state', state);
  }

  get #variantText(): VariantText {
    return getVariantText(this.#loader.face, this.#viewState?.state.variant);
  }

  get #fallbackTitle(): string {
    return this.source.type === 'file' ? getUriName(this.source.uri) : this.source.connection;
  }

  #createHandlers(): MessageHandlers<typeof facesProtocol.toHost> {
    const { features, services, comparisonTexts } = this.#options;
    return {
      ...this.#frames.handlers,
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
  ...FRAME_OPERATIONS,
  addObject: l10n.t('Select object'),
  openSource: l10n.t('Open source file'),
  revealPosition: l10n.t('Show file'),
  openLab: l10n.t('Open face lab'),
  compare: l10n.t('Compare with platform'),
  copyJsonString: l10n.t('Copy as JSON string'),
  openJsonString: l10n.t('Open JSON string'),
} as const;
