/** Renders a variant of a face with an object's data into what its frame shows, and collects what to report about it. */
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { findComplexityWarning } from '../policy/complexity.ts';
import type { FramePolicy } from '../policy/frame-policy.ts';
import type { Position } from '../policy/positions.ts';
import { scanHtml, type Finding, type ImageLoad } from '../policy/scan-html.ts';
import { getContentKind } from '../source/content-kind.ts';
import type { Face, Variant } from '../source/face.ts';
import type { Subject } from '../source/subject.ts';
import { fillTemplate, type FillResult } from '../template/fill-template.ts';
import { createCardDocument } from './card.ts';
import { CONSOLE_SCRIPT } from './console-script.ts';
import {
  createHtmlDocument,
  createImageDocument,
  inlineImages,
  createSvgDocument,
  createTextDocument,
} from './document.ts';
import { fillUrl } from './fill-url.ts';
import { ImagePolicy, selectImage } from './image-policy.ts';
import { renderPage } from './page.ts';
import { EMPTY_RESULT, getExternalUrl, getUnresolved, type RenderContext, type RenderResult } from './result.ts';

/** Maximum number of characters of a face. */
const MAX_FACE_LENGTH = 2_000_000;

/**
 * Renders one variant with the data of `subject`; without a variant or content, the card of `subject`. A document that could
 * block the window is replaced by the card, unless the user has requested it. Never throws.
 */
export function renderFace(
  face: Face,
  variant: Variant | undefined,
  subject: Subject | undefined,
  context: RenderContext,
): RenderResult {
  const rendered = renderVariant(face, variant, subject, context);
  const { gate = 'complexity' } = context;
  const warning =
    gate === 'none'
      ? undefined
      : gate === 'closed'
        ? l10n.t('The window did not respond, or was closed, while this face was being shown.')
        : findDocumentWarning(rendered);
  if (warning === undefined) return rendered;
  const note = { note: warning, tone: 'warning', heavy: true, unresolved: rendered.unresolved } as const;
  if (subject === undefined) return { ...EMPTY_RESULT, ...note, type: 'empty' };
  const card = renderCard(face, subject, context);
  const withImage = gate === 'complexity' && findDocumentWarning(card) === undefined;
  return { ...(withImage ? card : renderCard(face, withoutImage(subject), context)), ...note };
}

function findDocumentWarning({ srcdoc }: RenderResult): string | undefined {
  return srcdoc === undefined ? undefined : findComplexityWarning(srcdoc);
}

function withoutImage(subject: Subject): Subject {
  const { image: _image, ...card } = subject.card;
  return { ...subject, card };
}

function renderVariant(
  face: Face,
  variant: Variant | undefined,
  subject: Subject | undefined,
  context: RenderContext,
): RenderResult {
  const content = variant?.content ?? '';
  if (content.length > MAX_FACE_LENGTH) {
    const note = l10n.t(
      'This face is too large for the preview: it has more than {0} characters.',
      formatNumber(MAX_FACE_LENGTH),
    );
    return { ...EMPTY_RESULT, type: 'empty', note, tone: 'warning' };
  }
  const filled = (context.fill ?? fillTemplate)(content.toWellFormed(), subject?.data);
  if (filled === undefined)
    return { ...EMPTY_RESULT, type: 'empty', note: l10n.t('Rendering…'), tone: 'info', isPending: true };
  if (filled.text.length > 2 * MAX_FACE_LENGTH) {
    const note = l10n.t('This face is too large for the preview with the data of this object.');
    return { ...EMPTY_RESULT, type: 'empty', note, tone: 'warning', unresolved: getUnresolved(filled) };
  }
  const kind = getContentKind(filled.text, variant?.mediaType);
  if (kind === 'nothing' && variant?.url !== undefined) {
    const { url, mediaType } = variant;
    const urlKind = getContentKind(url, mediaType);
    if (urlKind === 'unsupported') return renderUnsupported(url, mediaType);
    return urlKind === 'image' ? renderImage(url.trim(), face, subject, context) : renderPage(url, subject, context);
  }
  if (kind === 'unsupported') return renderUnsupported(content, variant?.mediaType);
  if (kind === 'page') return renderPage(content.trim(), subject, context);
  if (kind === 'nothing') {
    const card = renderCard(face, subject, context);
    if (content.trim() === '' || subject === undefined) return card;
    const note = l10n.t('The face is empty for this object. The metadata of the object is shown instead.');
    return { ...card, note, unresolved: getUnresolved(filled) };
  }
  if (kind === 'text') {
    // Filled values are already escaped.
    const srcdoc = createTextDocument(filled.text, filled.text !== content, { images: [] });
    return { ...EMPTY_RESULT, type: 'document', srcdoc, unresolved: getUnresolved(filled) };
  }
  if (kind === 'image') return renderImage(content.trim(), face, subject, context);
  return renderMarkup(kind, content, filled, face, subject, context);
}

function renderUnsupported(address: string, mediaType: string | undefined): RenderResult {
  const ending = /\.(\w{1,8})(?:[?#]|$)/.exec(address.trim())?.[1];
  const type =
    toPlainText(mediaType ?? '', 80) ||
    (ending === undefined ? l10n.t({ message: 'unknown', args: [], comment: 'A type of file' }) : `.${ending}`);
  return {
    ...EMPTY_RESULT,
    ...getExternalUrl(address),
    type: 'empty',
    note: l10n.t('No preview is available for this type ({0}).', type),
    tone: 'info',
  };
}

function renderMarkup(
  kind: 'html' | 'svg',
  source: string,
  filled: FillResult,
  face: Face,
  subject: Subject | undefined,
  context: RenderContext,
): RenderResult {
  const { text } = filled;
  const unresolved = getUnresolved(filled);
  const scanned = scanHtml(text, context.scripts);
  const original = source === text ? scanned : scanHtml(source, context.scripts);
  // The policy allows whole origins, and templates and scripts can put object data into any address of one, also through CSS.
  const withObjectData = text !== source || source.includes('{{') || context.scripts;
  const images = new ImagePolicy(face, subject, context, withObjectData);
  const findSourcePosition = createSourcePositionLookup(original.images, scanned.images);
  for (const load of scanned.images) images.check({ ...load, ...findSourcePosition(load) });
  const policy: FramePolicy = {
    images: images.origins,
    ...(context.scripts && { scripts: { reporter: CONSOLE_SCRIPT } }),
  };
  const inlined = inlineImages(text, scanned.images, (url) => images.getDataUrl(url));
  return {
    type: 'document',
    srcdoc: kind === 'svg' ? createSvgDocument(inlined, policy) : createHtmlDocument(inlined, policy),
    links: scanned.links,
    // Positions refer to the source, those of findings that come from data to the filled text.
    findings: [...original.findings, ...getAddedFindings(scanned.findings, original.findings), ...images.findings].sort(
      compareByPosition,
    ),
    unresolved,
    approvalRequests: images.approvalRequests,
    imageOrigins: images.origins,
    missingImages: images.missingImages,
  };
}

const compareByPosition = (a: Finding, b: Finding): number => a.line - b.line || a.column - b.column;

/** Maps images of the filled text to their positions in the source, if the two can be matched. */
function createSourcePositionLookup(
  source: readonly ImageLoad[],
  filled: readonly ImageLoad[],
): (load: ImageLoad) => Position {
  const at = new Map(filled.map((load, index) => [load, index]));
  const sameLength = source.length === filled.length;
  const byUrl = Map.groupBy(source, ({ url }) => url);
  return (load) => {
    const found = sameLength ? source[at.get(load) ?? -1] : byUrl.get(load.url)?.[0];
    const { line, column } = found ?? load;
    return { line, column };
  };
}

function getAddedFindings(all: readonly Finding[], known: readonly Finding[]): readonly Finding[] {
  if (all === known) return [];
  const texts = new Set(known.map(({ snippet, reason }) => `${snippet}\n${reason}`));
  const added = all.filter(({ snippet, reason }) => !snippet.includes('{{') && !texts.has(`${snippet}\n${reason}`));
  return added.map((finding) => ({
    ...finding,
    reason: l10n.t('{0} (from object data, position in the rendered text)', finding.reason),
  }));
}

/** Renders content that is the address of an image. A literal address counts as an asset of the face. */
function renderImage(source: string, face: Face, subject: Subject | undefined, context: RenderContext): RenderResult {
  const filled = fillUrl(source, subject?.data);
  const text = filled.text.trim();
  const unresolved = getUnresolved(filled);
  const withObjectData = text !== source || source.includes('{{');
  const asset = { id: '', name: face.name, type: '', url: text };
  const faceWithAsset = withObjectData ? face : { ...face, assets: [...face.assets, asset] };
  const { source: image, ...rest } = selectImage(text, withObjectData, faceWithAsset, subject, context);
  const external = getExternalUrl(text);
  if (image === undefined) {
    const [finding] = rest.findings;
    const note = finding === undefined ? l10n.t('Loading the image…') : `${finding.reason}.`;
    return { ...EMPTY_RESULT, ...rest, ...external, type: 'empty', note, tone: 'info', unresolved };
  }
  const srcdoc = createImageDocument(image, face.name, { images: rest.imageOrigins });
  return { ...EMPTY_RESULT, ...rest, ...external, type: 'document', srcdoc, unresolved };
}

function renderCard(face: Face, subject: Subject | undefined, context: RenderContext): RenderResult {
  if (subject === undefined) {
    return {
      ...EMPTY_RESULT,
      type: 'empty',
      note: l10n.t('This face has no content. Select an object to show its metadata.'),
      tone: 'info',
    };
  }
  const { image } = subject.card;
  // The address is data of the object.
  const selected = image === undefined ? undefined : selectImage(image, true, face, subject, context);
  const srcdoc = createCardDocument(subject.card, selected?.source, selected?.imageOrigins ?? []);
  const { note, url } = subject.card;
  return { ...EMPTY_RESULT, ...selected, ...getExternalUrl(url ?? ''), type: 'document', srcdoc, note, tone: 'info' };
}
