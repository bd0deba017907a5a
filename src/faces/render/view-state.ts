/** Puts the parts of a preview together: the state of its view, and the policy of the page. */
import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import type { PagePolicy } from '../../webviews/html.ts';
import type { FaceFrame, FaceProblem, FaceState } from '../../webviews/protocol/faces.ts';
import { formatApproval, getApprovalId, type ApprovalRequest } from '../policy/approvals.ts';
import type { PageState } from '../policy/framing.ts';
import { ALL_VARIANTS, type Face, type FaceAsset, type Variant } from '../source/face.ts';
import type { Subject } from '../source/subject.ts';
import { NOT_SUPPORTED } from '../template/fill-template.ts';
import { resolveConnectionAsset } from './image-policy.ts';
import { renderFace } from './render.ts';
import type { RenderContext, RenderResult } from './result.ts';

const MAX_FRAMES = 40;
const MAX_PROBLEMS = 300;
const MAX_LINKS = 200;

export interface PreviewInput {
  readonly face: Face;
  readonly variant: string;
  /** `undefined`: without an object's data */
  readonly subjects: readonly (Subject | undefined)[];
  readonly context: RenderContext;
  /** keys of frames that are rendered although they could block the window */
  readonly forcedFrames: ReadonlySet<string>;
  /** whether a page did not respond with a frame, by its hash */
  isUnresponsive(hash: string): boolean;
  /** whether an approved page can be framed */
  getPageState(href: string): PageState;
}

export interface PreviewViewState {
  readonly state: Pick<
    FaceState,
    | 'variants'
    | 'variant'
    | 'frames'
    | 'problems'
    | 'omittedProblems'
    | 'unsupportedFeatures'
    | 'approvalRequests'
    | 'links'
    | 'assets'
    | 'config'
  >;
  readonly policy: PagePolicy;
  /** hashes of the content of the frames */
  readonly hashes: readonly string[];
  readonly approvalRequests: ReadonlyMap<string, ApprovalRequest>;
  /** assets to fetch */
  readonly missingImages: readonly string[];
  /** the address for Open in Browser, by frame key */
  readonly externalUrls: ReadonlyMap<string, string>;
  /** addresses of the faces' links, by the key in `state.links` */
  readonly links: ReadonlyMap<string, string>;
}

/** Renders all frames of a preview. `render` is `renderFace`, or a version of it that caches. */
export function createViewState(preview: PreviewInput, render: typeof renderFace = renderFace): PreviewViewState {
  const { face, context } = preview;
  const [first] = face.variants;
  const variant =
    preview.variant === ALL_VARIANTS || face.variants.some(({ key }) => key === preview.variant)
      ? preview.variant
      : (first?.key ?? '');
  const shownVariants: readonly (Variant | undefined)[] =
    variant === ALL_VARIANTS ? face.variants : [face.variants.find(({ key }) => key === variant)];
  const frames: FaceFrame[] = [];
  const problems: FaceProblem[] = [];
  const approvalRequests = new Map<string, ApprovalRequest>();
  const missingImages = new Set<string>();
  const externalUrls = new Map<string, string>();
  const links = new Map<string, { readonly key: string; readonly url: string; readonly frameTitle: string }>();
  const imageOrigins = new Set<string>();
  const frameOrigins = new Set<string>();
  const hashes = new Set<string>();
  const listed = new Set<string>();
  let omitted = 0;
  for (const [variantIndex, variantShown] of shownVariants.entries()) {
    for (const [index, subject] of preview.subjects.entries()) {
      if (frames.length >= MAX_FRAMES) break;
      const key = `${variantShown?.key ?? 'none'} ${String(index)}`;
      const renderWithGate = (gate: RenderContext['gate']): RenderResult =>
        render(face, variantShown, subject, {
          ...context,
          sharesPage: shownVariants.length > 1,
          ...(gate !== undefined && { gate }),
        });
      const forced = preview.forcedFrames.has(key);
      const requested = renderWithGate(forced ? 'none' : undefined);
      const isUnresponsive = !forced && requested.type !== 'empty' && preview.isUnresponsive(hashFrame(requested));
      const rendered = isUnresponsive ? renderWithGate('closed') : requested;
      const title = truncate(
        [shownVariants.length > 1 ? variantShown?.label : undefined, subject?.label]
          .filter((part) => part !== undefined)
          .join(' · '),
      );
      const frame = createFrame(rendered, key, title === '' ? face.name : title, variantShown, preview);
      frames.push(frame);
      if (frame.type !== 'empty') hashes.add(hashFrame(rendered));
      if (frame.src !== undefined) frameOrigins.add(new URL(frame.src).origin);
      if (rendered.externalUrl !== undefined) externalUrls.set(key, rendered.externalUrl);
      for (const request of rendered.approvalRequests) approvalRequests.set(getApprovalId(request), request);
      for (const { url } of rendered.links)
        if (!links.has(url) && links.size < MAX_LINKS)
          links.set(url, {
            key: `link ${String(links.size)}`,
            url,
            frameTitle: preview.subjects.length > 1 ? title : '',
          });
      for (const url of rendered.missingImages) missingImages.add(url);
      for (const origin of rendered.imageOrigins) imageOrigins.add(origin);
      // A variant has the same blocked parts with each object: list them once.
      const label = shownVariants.length > 1 ? (variantShown?.label ?? '') : '';
      const frameProblems = createProblems(
        rendered,
        index === 0 ? label : title,
        preview.subjects.length > 1 || shownVariants.length > 1 ? title : '',
      ).filter(({ type, line, column, snippet }) => {
        const problemKey = JSON.stringify([type, variantIndex, type === 'blocked' || index, line, column, snippet]);
        return !listed.has(problemKey) && listed.add(problemKey);
      });
      omitted += Math.max(0, problems.length + frameProblems.length - MAX_PROBLEMS);
      problems.push(...frameProblems.slice(0, Math.max(0, MAX_PROBLEMS - problems.length)));
    }
  }
  return {
    state: {
      variants: createVariantChoices(face),
      variant,
      frames,
      problems,
      omittedProblems: omitted,
      // Listed only if a placeholder was not filled.
      unsupportedFeatures:
        problems.some(({ type }) => type === 'placeholder') && preview.subjects.some((subject) => subject !== undefined)
          ? [...NOT_SUPPORTED]
          : [],
      approvalRequests: [...approvalRequests].map(([id, request]) => formatApprovalRequest(id, request)),
      links: [...links.values()].map(({ key, url, frameTitle }) => ({ key, url: toPlainText(url, 1000), frameTitle })),
      assets: createAssetRows(
        [...face.assets, ...preview.subjects.flatMap((subject) => subject?.assets ?? [])],
        context,
      ),
      ...(face.config !== undefined && { config: JSON.stringify(face.config, undefined, 2).slice(0, 200_000) }),
    },
    policy: {
      frameContent: context.scripts ? 'scriptedFace' : 'face',
      images: ['data:', ...[...imageOrigins].sort()],
      frames: [...frameOrigins].sort(),
    },
    hashes: [...hashes],
    approvalRequests,
    missingImages: [...missingImages],
    externalUrls,
    links: new Map([...links.values()].map(({ key, url }) => [key, url])),
  };
}

function hashFrame({ srcdoc, pageUrl }: RenderResult): string {
  return createHash('sha256')
    .update(srcdoc ?? pageUrl ?? '')
    .digest('hex');
}

function createFrame(
  rendered: RenderResult,
  key: string,
  title: string,
  variant: Variant | undefined,
  preview: PreviewInput,
): FaceFrame {
  const base = {
    key,
    title,
    canOpenInBrowser: rendered.externalUrl !== undefined,
    heavy: rendered.heavy === true,
    ...(variant?.aspect !== undefined && { aspect: variant.aspect }),
  };
  const note = {
    ...(rendered.note !== undefined && { note: rendered.note }),
    ...(rendered.tone !== undefined && { tone: rendered.tone }),
  };
  if (rendered.type !== 'page' || rendered.pageUrl === undefined) {
    const { type, srcdoc } = rendered;
    return { ...base, ...note, type: type === 'document' ? type : 'empty', ...(srcdoc !== undefined && { srcdoc }) };
  }
  const state = preview.getPageState(rendered.pageUrl);
  if (state.status === 'checking')
    return { ...base, type: 'empty', note: l10n.t('Checking whether the page allows embedding…'), tone: 'info' };
  if (state.status === 'refused')
    return {
      ...base,
      type: 'empty',
      note: `${state.reason} ${l10n.t('Open it in the browser instead.')}`,
      tone: 'warning',
    };
  const scripts = preview.context.scripts ? '' : l10n.t('Scripts are disabled.');
  return {
    ...base,
    type: 'page',
    src: state.src,
    note: [rendered.note, state.note, scripts].filter((text) => text !== undefined && text !== '').join(' '),
    tone: 'info',
  };
}

const truncate = (text: string): string => toPlainText(text, 400);

function createProblems(
  { findings, unresolved }: RenderResult,
  blockedFrameTitle: string,
  unresolvedFrameTitle: string,
): FaceProblem[] {
  return [
    ...findings.map(({ line, column, snippet, reason }) => ({
      type: 'blocked' as const,
      frameTitle: blockedFrameTitle,
      line,
      column,
      snippet: truncate(snippet),
      reason: truncate(reason),
    })),
    ...unresolved.map(({ placeholder, line, column, reason }) => ({
      type: 'placeholder' as const,
      frameTitle: unresolvedFrameTitle,
      line,
      column,
      snippet: truncate(placeholder),
      reason: truncate(reason),
    })),
  ];
}

function createVariantChoices({ variants }: Face): { readonly key: string; readonly label: string }[] {
  const rows = variants.map(({ key, label }) => ({ key, label }));
  return rows.length > 1
    ? [...rows, { key: ALL_VARIANTS, label: l10n.t('All variants ({0})', formatNumber(rows.length)) }]
    : rows;
}

function formatApprovalRequest(
  id: string,
  { kind, origin, sends }: ApprovalRequest,
): { id: string; text: string; button: string } {
  const notLoaded =
    kind === 'images'
      ? l10n.t('Images from {0} are not loaded.', origin)
      : l10n.t('The page from {0} is not loaded.', origin);
  const sent =
    sends === 'data'
      ? l10n.t('Loading can send object data there.')
      : sends === 'id'
        ? l10n.t('Loading sends the ID of the object there.')
        : undefined;
  return {
    id,
    text: sent === undefined ? notLoaded : `${notLoaded} ${sent}`,
    button: kind === 'images' ? l10n.t('Load Images') : l10n.t('Show Page'),
  };
}

function createAssetRows(assets: readonly FaceAsset[], context: RenderContext): FaceState['assets'] {
  const listed = new Set<string>();
  return assets
    .filter(({ id, url }) => !listed.has(`${id} ${url}`) && listed.add(`${id} ${url}`))
    .slice(0, 100)
    .map(({ id, name, type, url }) => {
      const connectionUrl = resolveConnectionAsset(url, context.baseUrl);
      const note =
        connectionUrl === undefined
          ? l10n.t('External')
          : context.fetchedImages.get(connectionUrl) === null
            ? l10n.t('Not available')
            : l10n.t('On this connection');
      return { name: name === '' ? id : name, type, url: url.slice(0, 500), note };
    });
}

/** Lists approvals, given by id, for the view. */
export function createApprovalRows(ids: readonly string[]): { readonly key: string; readonly label: string }[] {
  return ids.map((key) => ({ key, label: formatApproval(key) }));
}
