import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { isApproved, type ApprovalRequest } from '../policy/approvals.ts';
import type { Finding, ImageLoad } from '../policy/scan-html.ts';
import { classifyUrl, isInsecureRemoteOrigin } from '../policy/url-kind.ts';
import type { Face } from '../source/face.ts';
import { MAX_ASSETS } from '../source/image-cache.ts';
import type { Subject } from '../source/subject.ts';
import type { RenderContext, RenderResult } from './result.ts';

/** Decides for each image: inlined, loaded from its origin, or blocked with an approval request. */
export class ImagePolicy {
  readonly findings: Finding[] = [];
  readonly #context: RenderContext;
  readonly #assetUrls: ReadonlySet<string>;
  /** whether addresses of images can contain data of the object */
  readonly #withObjectData: boolean;
  readonly #approvalRequests = new Map<string, ApprovalRequest>();
  readonly #origins = new Set<string>();
  readonly #missingImages = new Set<string>();

  constructor(face: Face, subject: Subject | undefined, context: RenderContext, withObjectData: boolean) {
    this.#context = context;
    this.#withObjectData = withObjectData;
    this.#assetUrls = new Set(
      [...face.assets, ...(subject?.assets ?? [])].flatMap(
        ({ url }) => resolveConnectionAsset(url, context.baseUrl) ?? [],
      ),
    );
  }

  /** Records the decision for one image. */
  check(load: ImageLoad): void {
    const assetUrl = this.#getAssetUrl(load.url);
    if (assetUrl !== undefined && load.end > load.start) {
      const fetched = this.#context.fetchedImages.get(assetUrl);
      if (fetched === undefined && this.#context.fetchedImages.size < MAX_ASSETS) this.#missingImages.add(assetUrl);
      else if (fetched === undefined)
        this.#addFinding(load, l10n.t('A preview can load up to {0} assets', formatNumber(MAX_ASSETS)));
      else if (fetched === null) this.#addFinding(load, l10n.t('The asset could not be loaded as an image'));
      return;
    }
    const address = classifyUrl(load.url);
    if (address.type !== 'web') {
      const reason =
        assetUrl === undefined
          ? l10n.t('Relative addresses are only supported for assets of the face or object')
          : l10n.t('Relative addresses of assets are only supported without srcset and character references');
      this.#addFinding(load, reason);
      return;
    }
    const { origin } = address;
    const request = { kind: 'images', origin, sends: this.#withObjectData ? 'data' : 'nothing' } as const;
    if (isInsecureRemoteOrigin(origin)) {
      this.#addFinding(load, l10n.t('Images are not loaded over unencrypted HTTP. Use HTTPS'));
      return;
    }
    if (isApproved(this.#context.approvals, request)) {
      this.#origins.add(origin);
      return;
    }
    this.#approvalRequests.set(origin, request);
    this.#addFinding(load, l10n.t('Images from {0} require your permission', origin));
  }

  get origins(): readonly string[] {
    return [...this.#origins].sort();
  }
  get approvalRequests(): readonly ApprovalRequest[] {
    return [...this.#approvalRequests.values()];
  }
  get missingImages(): readonly string[] {
    return [...this.#missingImages];
  }

  /** The fetched image of an asset as a data: URL. */
  getDataUrl(url: string): string | undefined {
    const assetUrl = this.#getAssetUrl(url);
    return assetUrl === undefined ? undefined : (this.#context.fetchedImages.get(assetUrl) ?? undefined);
  }

  #getAssetUrl(url: string): string | undefined {
    const assetUrl = resolveConnectionAsset(url, this.#context.baseUrl);
    return assetUrl !== undefined && this.#assetUrls.has(assetUrl) ? assetUrl : undefined;
  }

  #addFinding({ line, column, url }: ImageLoad, reason: string): void {
    if (this.findings.length < 200)
      this.findings.push({ line, column, snippet: l10n.t('Image {0}', url.slice(0, 120)), reason });
  }
}

/** Resolves the address of an asset on the origin of the connection; `undefined` for other origins. */
export function resolveConnectionAsset(url: string, baseUrl: string | undefined): string | undefined {
  const text = url.trim();
  if (baseUrl === undefined || text === '' || !URL.canParse(text, baseUrl)) return undefined;
  const full = new URL(text, baseUrl);
  full.hash = '';
  return full.origin === new URL(baseUrl).origin && full.username === '' && full.password === ''
    ? full.href
    : undefined;
}

/** Applies the image policy to a single image; `source` is what to show, if it may be shown. */
export function selectImage(
  url: string,
  withObjectData: boolean,
  face: Face,
  subject: Subject | undefined,
  context: RenderContext,
): Pick<RenderResult, 'findings' | 'approvalRequests' | 'imageOrigins' | 'missingImages'> & {
  readonly source: string | undefined;
} {
  const address = classifyUrl(url);
  const images = new ImagePolicy(face, subject, context, withObjectData);
  if (address.type !== 'data') images.check({ url, start: 0, end: 1, syntax: 'attribute', line: 1, column: 1 });
  const allowed = address.type === 'web' && images.origins.includes(address.origin) ? address.url : undefined;
  const source = address.type === 'data' && address.image ? url : (images.getDataUrl(url) ?? allowed);
  const { findings, approvalRequests, origins, missingImages } = images;
  return { source, findings, approvalRequests, imageOrigins: origins, missingImages };
}
