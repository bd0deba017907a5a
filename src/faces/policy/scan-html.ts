/** Scans a face before it is shown: what the policy will block, with positions, and what it loads. */
import * as l10n from '@vscode/l10n';
import { getOwn } from '../../platform/json/json.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { classifyUrl } from './url-kind.ts';
import { findCssUrls } from './css-urls.ts';
import { PositionMap, type Position } from './positions.ts';
import { readTags, type Attribute, type Tag } from './html-tags.ts';

export interface Finding extends Position {
  /** the source of the blocked part, truncated */
  readonly snippet: string;
  readonly reason: string;
}

/** An image that the face refers to by URL. */
export interface ImageLoad extends Position {
  readonly url: string;
  /** the range to replace, and the syntax of its replacement */
  readonly start: number;
  readonly end: number;
  readonly syntax: 'attribute' | 'css' | 'style' | 'bare';
}

/** A link to a web page, or to an email address or telephone number. */
export interface FaceLink extends Position {
  /** the full address */
  readonly url: string;
}

interface ScanResult {
  readonly findings: readonly Finding[];
  readonly images: readonly ImageLoad[];
  readonly links: readonly FaceLink[];
}

const MAX_FINDINGS = 500;
const MAX_IMAGES = 2000;
const MAX_LINKS = 100;
const EMBED_ELEMENTS = new Set(['iframe', 'frame', 'object', 'embed', 'applet', 'portal', 'fencedframe']);
const MEDIA_ELEMENTS = new Set(['audio', 'video', 'source', 'track']);
const IMAGE_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  img: ['src'],
  image: ['href', 'xlink:href', 'src'],
  feimage: ['href', 'xlink:href'],
  input: ['src'],
  video: ['poster'],
  body: ['background'],
  table: ['background'],
  td: ['background'],
  th: ['background'],
};

/** Scans HTML for blocked parts, images and links. `scripts`: scripts are allowed. */
export function scanHtml(html: string, scripts: boolean): ScanResult {
  const lines = new PositionMap(html);
  const findings: Finding[] = [];
  const images: ImageLoad[] = [];
  const links: FaceLink[] = [];
  const addFinding = (offset: number, snippet: string, reason: string): void => {
    if (findings.length < MAX_FINDINGS) findings.push({ ...lines.at(offset), snippet: toPlainText(snippet), reason });
  };
  const addImage = (url: string, start: number, end: number, syntax: ImageLoad['syntax']): void => {
    const address = classifyUrl(url);
    if (address.type === 'script' || address.type === 'other' || (address.type === 'data' && !address.image))
      addFinding(start, l10n.t('Image {0}', url), l10n.t('Only web addresses and data: URLs are supported'));
    else if ((address.type === 'web' || address.type === 'relative') && images.length < MAX_IMAGES)
      images.push({ ...lines.at(start), url, start, end, syntax });
  };
  const scanCss = (text: string, offset: number, syntax: 'css' | 'style' | undefined): void => {
    for (const load of findCssUrls(text)) {
      const at = offset + (syntax === undefined ? 0 : load.start);
      if (load.kind === 'import')
        addFinding(at, `@import ${load.url}`, l10n.t('Stylesheets are not loaded. Include the rules in the face'));
      else if (load.kind === 'font') {
        if (classifyUrl(load.url).type !== 'data')
          addFinding(at, l10n.t('Font {0}', load.url), l10n.t('Only fonts in data: URLs are loaded'));
      } else if (syntax !== undefined) addImage(load.url, at, offset + load.end, syntax);
      // Character references make the offsets unreliable: list the image, but do not replace it.
      else addImage(load.url, at, at, 'css');
    }
  };
  const scanStyleAttribute = (attribute: Attribute): void => {
    const at = findValueOffset(html, attribute);
    if (at === undefined) scanCss(attribute.value, attribute.start, undefined);
    else scanCss(attribute.value, at, 'style');
  };
  let inStyle = false;
  readTags(html, {
    open(tag) {
      inStyle = tag.name === 'style';
      scanElement(tag, scripts, addFinding, addImage, html);
      const link = getLinkUrl(tag);
      if (link !== undefined && links.length < MAX_LINKS) links.push({ ...lines.at(tag.start), url: link });
      for (const attribute of tag.attributes) {
        if (/^on[a-z]/.test(attribute.name) && !scripts)
          addFinding(attribute.start, `${attribute.name}="…"`, l10n.t('Scripts are disabled in faces'));
        else if (attribute.name === 'style' || CSS_IMAGE_ATTRIBUTES.has(attribute.name)) scanStyleAttribute(attribute);
        else if (
          CSS_REFERENCE_ATTRIBUTES.test(attribute.name) &&
          findCssUrls(attribute.value).some(({ url }) => !isInternalReference(url))
        )
          addFinding(
            attribute.start,
            `${attribute.name}="${attribute.value}"`,
            l10n.t('Only elements of the same face can be referenced'),
          );
        else if (hasScriptAddress(attribute))
          addFinding(attribute.start, `${attribute.name}="javascript:…"`, l10n.t('Scripts are disabled in faces'));
      }
    },
    close() {
      inStyle = false;
    },
    text(start, end) {
      if (inStyle) scanCss(html.slice(start, end), start, 'css');
    },
  });
  return { findings, images, links };
}

function scanElement(
  { name, attributes, start }: Tag,
  scripts: boolean,
  addFinding: (offset: number, snippet: string, reason: string) => void,
  addImage: (url: string, start: number, end: number, syntax: ImageLoad['syntax']) => void,
  html: string,
): void {
  const value = (attributeName: string): string | undefined =>
    attributes.find((attribute) => attribute.name === attributeName)?.value;
  const loads = (attributeName: string): boolean =>
    !['nothing', 'fragment', undefined].includes(getUrlType(value(attributeName)));
  if (name === 'script') {
    if (!scripts) addFinding(start, '<script>', l10n.t('Scripts are disabled in faces'));
    else if (loads('src'))
      addFinding(
        start,
        `<script src="${value('src') ?? ''}">`,
        l10n.t('Script files are not loaded. Include the script in the face'),
      );
  } else if (name === 'link')
    addFinding(start, `<link rel="${value('rel') ?? ''}">`, l10n.t('Linked files are not loaded'));
  else if (name === 'base') addFinding(start, '<base>', l10n.t('Base addresses are not supported in faces'));
  else if (name === 'form') addFinding(start, '<form>', l10n.t('Forms are not submitted'));
  else if (name === 'meta' && value('http-equiv')?.trim().toLowerCase() === 'refresh')
    addFinding(start, '<meta http-equiv="refresh">', l10n.t('Faces can’t redirect'));
  else if (EMBED_ELEMENTS.has(name)) addFinding(start, `<${name}>`, l10n.t('Faces can’t embed other content'));
  else if (MEDIA_ELEMENTS.has(name) && loads('src'))
    addFinding(start, `<${name} src="${value('src') ?? ''}">`, l10n.t('Audio and video are not loaded'));
  else if (name === 'use') {
    const target = value('href') ?? value('xlink:href') ?? '';
    if (!isInternalReference(target))
      addFinding(start, `<use href="${target}">`, l10n.t('Only elements of the same face can be referenced'));
  }
  for (const attribute of attributes) {
    const isImage =
      (getOwn(IMAGE_ATTRIBUTES, name) ?? []).includes(attribute.name) &&
      (name !== 'input' || /^\s*image\s*$/i.test(value('type') ?? ''));
    if (isImage) addImage(attribute.value, attribute.valueStart, attribute.end, 'attribute');
    else if (attribute.name === 'srcset' || attribute.name === 'imagesrcset') {
      const parts = attribute.value.split(/,\s/, 50);
      // The browser chooses one of several candidates, and a comma can be part of a URL: do not replace these.
      const valueOffset = attribute.value.includes(',') ? undefined : findValueOffset(html, attribute);
      for (const part of parts) {
        const [url = ''] = part.trim().split(/\s/);
        const at = valueOffset === undefined ? attribute.start : valueOffset + attribute.value.indexOf(url);
        addImage(url, at, valueOffset === undefined ? at : at + url.length, 'bare');
      }
    } else if (attribute.name === 'ping' && (name === 'a' || name === 'area'))
      addFinding(attribute.start, `ping="${attribute.value}"`, l10n.t('Faces can’t send requests'));
  }
}

/** Returns the address of a link that the user can open. */
function getLinkUrl({ name, attributes }: Tag): string | undefined {
  if (name !== 'a' && name !== 'area') return undefined;
  const href = attributes.find((one) => one.name === 'href') ?? attributes.find((one) => one.name === 'xlink:href');
  const address = href === undefined ? undefined : classifyUrl(href.value);
  if (address?.type === 'web') return address.url;
  const isContact = address?.type === 'other' && (address.scheme === 'mailto' || address.scheme === 'tel');
  if (!isContact || href === undefined || !URL.canParse(href.value)) return undefined;
  const contact = new URL(href.value);
  return contact.pathname === '' ? undefined : contact.href;
}

/** Returns the offset of a value whose source has no character references. */
function findValueOffset(html: string, { value, valueStart, end }: Attribute): number | undefined {
  const source = html.slice(valueStart, end);
  const at = value === '' ? -1 : source.indexOf(value);
  return at < 0 || !/^["']?$/.test(source.slice(at + value.length)) ? undefined : valueStart + at;
}

function isInternalReference(url: string): boolean {
  return ['nothing', 'fragment'].includes(classifyUrl(url).type);
}

/** SVG attributes with CSS values: those that load an image, and those that only refer to parts of the document. */
const CSS_IMAGE_ATTRIBUTES = new Set(['mask', 'cursor']);
const CSS_REFERENCE_ATTRIBUTES = /^(fill|stroke|filter|clip-path|marker(-(start|mid|end))?)$/;

function getUrlType(url: string | undefined): string | undefined {
  return url === undefined ? undefined : classifyUrl(url).type;
}

const URL_ATTRIBUTES = new Set(['href', 'xlink:href', 'src', 'action', 'formaction', 'data', 'to', 'from', 'values']);
function hasScriptAddress({ name, value }: Attribute): boolean {
  return URL_ATTRIBUTES.has(name) && classifyUrl(value).type === 'script';
}
