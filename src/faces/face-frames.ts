import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import type { Session } from '../model/session/session.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { FrameWatch, type UnconfirmedFrames } from './frame-watch.ts';
import { getApprovalScope, type Approvals } from './policy/approvals.ts';
import { FrameRenderer } from './render/frame-renderer.ts';
import { createViewState, type PreviewInput, type PreviewViewState } from './render/view-state.ts';
import { ImageCache } from './source/image-cache.ts';
import { PageChecks } from './source/page-checks.ts';
import type { fetchImage } from './source/requests.ts';

/** What all pages with faces share. */
export interface FaceGates {
  readonly approvals: Approvals;
  readonly unconfirmed: UnconfirmedFrames;
}

interface FaceFramesOptions extends FaceGates {
  readonly services: Services;
  /** sends a question to the page; returns the milliseconds in which it has loaded, or false if it is not loaded */
  readonly ping: () => number | false;
  /** called when the frames have changed */
  readonly onDidChange: () => void;
  /** called when the page no longer responds */
  readonly onUnresponsive: () => void;
  /** default: `fetchImage` */
  readonly fetchImage?: typeof fetchImage;
}

interface FramesInput extends Pick<PreviewInput, 'face' | 'variant' | 'subjects'> {
  /** the session of the face, whose approvals apply */
  readonly session: Session | undefined;
  readonly scripts: boolean;
}

/** The frames of faces in a page: rendering, images, approvals, the watch over the page, and the messages of all of them. */
export class FaceFrames implements vscode.Disposable {
  readonly #options: FaceFramesOptions;
  readonly #disposal = new AbortController();
  readonly #renderer: FrameRenderer;
  readonly #pageChecks: PageChecks;
  readonly #images: ImageCache;
  readonly #watch: FrameWatch;
  /** keys of frames that are rendered although they could block the window */
  readonly #forcedFrames = new Set<string>();
  #session: Session | undefined;
  #viewState: PreviewViewState | undefined;

  constructor(options: FaceFramesOptions) {
    this.#options = options;
    const { services, onDidChange } = options;
    const { signal } = this.#disposal;
    this.#renderer = new FrameRenderer(onDidChange, signal);
    this.#images = new ImageCache(services.send, signal, onDidChange, options.fetchImage);
    this.#pageChecks = new PageChecks(services.send, signal, onDidChange);
    this.#watch = new FrameWatch(options);
  }

  dispose(): void {
    this.#disposal.abort();
    this.#watch.endPage();
  }

  /** Whether images of the frames are being fetched. */
  get isFetching(): boolean {
    return this.#images.isFetching;
  }

  get approvals(): readonly string[] {
    return this.#options.approvals.list(this.#scope);
  }

  get #scope(): string {
    return getApprovalScope(this.#session?.profile);
  }

  /** Renders the frames, and fetches their images. */
  render({ face, variant, subjects, session, scripts }: FramesInput): PreviewViewState {
    this.#session = session;
    const baseUrl = session?.profile.baseUrl;
    this.#viewState = createViewState(
      {
        face,
        variant,
        subjects,
        context: {
          scripts,
          fetchedImages: this.#images.fetched,
          approvals: this.approvals,
          ...(baseUrl !== undefined && { baseUrl }),
        },
        forcedFrames: this.#forcedFrames,
        isUnresponsive: (hash) => this.#watch.isUnresponsive(hash),
        getPageState: (href) => this.#pageChecks.getState(href, baseUrl),
      },
      this.#renderer.render,
    );
    this.#images.request(this.#viewState.missingImages);
    return this.#viewState;
  }

  /** Watches the page; call it before the rendered frames are posted to it. */
  watch(): void {
    this.#watch.start(this.#viewState?.hashes ?? []);
  }

  /** The page is hidden: what was being put in then is shown again only on request. */
  hide(): void {
    if (this.#watch.endPage()) this.#forcedFrames.clear();
  }

  /** Forgets images and page headers, so that they are read again. */
  clear(): void {
    this.#images.clear();
    this.#pageChecks.clear();
    this.#forcedFrames.clear();
  }

  /** The handlers of the messages that concern frames. */
  readonly handlers = {
    alive: ({ loaded }: { readonly loaded: boolean }): void => {
      this.#watch.handleResponse(loaded);
      // Get Started shows the step as done.
      if (loaded) void vscode.commands.executeCommand('setContext', 'smartObjects.hasSeenFace', true);
    },
    allow: async ({ id }: { readonly id: string }): Promise<void> => {
      const request = this.#viewState?.approvalRequests.get(id);
      if (request === undefined) return;
      await this.#options.approvals.allow(this.#scope, request);
      this.#options.onDidChange();
    },
    revoke: async ({ key }: { readonly key: string }): Promise<void> => {
      await this.#options.approvals.revoke(this.#scope, key);
      this.#options.onDidChange();
    },
    openBrowser: async ({ key }: { readonly key: string }): Promise<void> => {
      const url = this.#viewState?.externalUrls.get(key);
      if (url !== undefined) await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    renderComplexFrame: ({ key }: { readonly key: string }): void => {
      this.#forcedFrames.add(key);
      this.#options.onDidChange();
    },
    openLink: async ({ key }: { readonly key: string }): Promise<void> => {
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
      if (await this.#options.services.ui.confirm(question)) await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
  };
}

/** Names of the operations of `FaceFrames.handlers` in errors. */
export const FRAME_OPERATIONS = {
  allow: l10n.t('Save permission'),
  revoke: l10n.t('Revoke permission'),
  openBrowser: l10n.t('Open in browser'),
  openLink: l10n.t('Open link'),
} as const;
