/** Parses a face before it is shown: what the policy will block, with its place, and what it wants to load (pure). */
import { own } from '../platform/json.ts';
import { plainText } from '../platform/plain-text.ts';
import { addressOf } from './address.ts';
import { cssLoads } from './css.ts';
import { Lines, type Place } from './lines.ts';
import { readTags, type Attribute, type Tag } from './tokens.ts';

export interface Finding extends Place {
  /** the thing, as it stands in the source, cut */
  readonly what: string;
  readonly why: string;
}

/** An image that the face names by address. */
export interface Load extends Place {
  readonly url: string;
  /** the range to replace, and how to write the new address there */
  readonly start: number;
  readonly end: number;
  readonly as: 'attribute' | 'css' | 'style' | 'bare';
}

/** A link of the face that leads to the web. */
export interface Link extends Place {
  /** the full address */
  readonly url: string;
}

export interface Scan {
  readonly findings: readonly Finding[];
  readonly images: readonly Load[];
  readonly links: readonly Link[];
}

const MOST_FINDINGS = 500;
const MOST_IMAGES = 2000;
const MAX_LINKS = 100;
const EMBEDS = new Set(['iframe', 'frame', 'object', 'embed', 'applet', 'portal', 'fencedframe']);
const MEDIA = new Set(['audio', 'video', 'source', 'track']);
const IMAGES: Readonly<Record<string, readonly string[]>> = {
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

export function scan(html: string, scripts: boolean): Scan {
  const lines = new Lines(html);
  const findings: Finding[] = [];
  const images: Load[] = [];
  const links: Link[] = [];
  const find = (offset: number, what: string, why: string): void => {
    if (findings.length < MOST_FINDINGS) findings.push({ ...lines.at(offset), what: plainText(what), why });
  };
  const image = (url: string, start: number, end: number, as: Load['as']): void => {
    const address = addressOf(url);
    if (address.type === 'script' || address.type === 'other' || (address.type === 'data' && !address.image))
      find(start, `Image ${url}`, 'only data: images and web addresses can be images here');
    else if ((address.type === 'web' || address.type === 'relative') && images.length < MOST_IMAGES)
      images.push({ ...lines.at(start), url, start, end, as });
  };
  const css = (text: string, offset: number, of: 'css' | 'style' | undefined): void => {
    for (const load of cssLoads(text)) {
      const at = offset + (of === undefined ? 0 : load.start);
      if (load.use === 'import')
        find(at, `@import ${load.url}`, 'no stylesheet is loaded: put the rules into the face');
      else if (load.use === 'font') find(at, `Font ${load.url}`, 'no font is loaded');
      else if (of !== undefined) image(load.url, at, offset + load.end, of);
      // Offsets may be off by entities: listed, and not replaced.
      else image(load.url, at, at, 'css');
    }
  };
  const styled = (attribute: Attribute): void => {
    const at = insideOf(html, attribute);
    if (at === undefined) css(attribute.value, attribute.start, undefined);
    else css(attribute.value, at, 'style');
  };
  let inStyle = false;
  readTags(html, {
    open(tag) {
      inStyle = tag.name === 'style';
      element(tag, scripts, find, image, html);
      const link = linkOf(tag);
      if (link !== undefined && links.length < MAX_LINKS) links.push({ ...lines.at(tag.start), url: link });
      for (const attribute of tag.attributes) {
        if (/^on[a-z]/.test(attribute.name) && !scripts)
          find(attribute.start, `${attribute.name}="…"`, 'faces run no scripts');
        else if (attribute.name === 'style' || DRAWN.has(attribute.name)) styled(attribute);
        else if (REFERENCES.test(attribute.name) && cssLoads(attribute.value).some(({ url }) => !isWithin(url)))
          find(attribute.start, `${attribute.name}="${attribute.value}"`, 'only parts of the same face can be used');
        else if (hasScriptAddress(attribute))
          find(attribute.start, `${attribute.name}="javascript:…"`, 'faces run no scripts');
      }
    },
    close() {
      inStyle = false;
    },
    text(start, end) {
      if (inStyle) css(html.slice(start, end), start, 'css');
    },
  });
  return { findings, images, links };
}

function element(
  { name, attributes, start }: Tag,
  scripts: boolean,
  find: (offset: number, what: string, why: string) => void,
  image: (url: string, start: number, end: number, as: Load['as']) => void,
  html: string,
): void {
  const value = (of: string): string | undefined => attributes.find((attribute) => attribute.name === of)?.value;
  const loads = (of: string): boolean => !['nothing', 'fragment', undefined].includes(typeOf(value(of)));
  if (name === 'script') {
    if (!scripts) find(start, '<script>', 'faces run no scripts');
    else if (loads('src'))
      find(start, `<script src="${value('src') ?? ''}">`, 'no script is loaded: put it into the face');
  } else if (name === 'link') find(start, `<link rel="${value('rel') ?? ''}">`, 'no linked file is loaded');
  else if (name === 'base') find(start, '<base>', 'a face has no base address');
  else if (name === 'form') find(start, '<form>', 'forms are not sent');
  else if (name === 'meta' && value('http-equiv')?.trim().toLowerCase() === 'refresh')
    find(start, '<meta http-equiv="refresh">', 'a face cannot lead elsewhere');
  else if (EMBEDS.has(name)) find(start, `<${name}>`, 'nothing is framed or embedded in a face');
  else if (MEDIA.has(name) && loads('src'))
    find(start, `<${name} src="${value('src') ?? ''}">`, 'no sound or video is loaded');
  else if (name === 'use') {
    const target = value('href') ?? value('xlink:href') ?? '';
    if (!isWithin(target)) find(start, `<use href="${target}">`, 'only parts of the same face can be used');
  }
  for (const attribute of attributes) {
    const isImage =
      (own(IMAGES, name) ?? []).includes(attribute.name) &&
      (name !== 'input' || /^\s*image\s*$/i.test(value('type') ?? ''));
    if (isImage) image(attribute.value, attribute.valueStart, attribute.end, 'attribute');
    else if (attribute.name === 'srcset' || attribute.name === 'imagesrcset') {
      const parts = attribute.value.split(/,\s/, 50);
      // Of several a browser chooses, and a comma of an address may be taken for one between them.
      const inside = attribute.value.includes(',') ? undefined : insideOf(html, attribute);
      for (const part of parts) {
        const [url = ''] = part.trim().split(/\s/);
        const at = inside === undefined ? attribute.start : inside + attribute.value.indexOf(url);
        image(url, at, inside === undefined ? at : at + url.length, 'bare');
      }
    } else if (attribute.name === 'ping' && (name === 'a' || name === 'area'))
      find(attribute.start, `ping="${attribute.value}"`, 'nothing is sent from a face');
  }
}

/** Where a link leads, if that is the web. */
function linkOf({ name, attributes }: Tag): string | undefined {
  if (name !== 'a' && name !== 'area') return undefined;
  const href = attributes.find((one) => one.name === 'href') ?? attributes.find((one) => one.name === 'xlink:href');
  const address = href === undefined ? undefined : addressOf(href.value);
  return address?.type === 'web' ? address.url : undefined;
}

/** Where the value of an attribute begins that stands in the source as it is read: no character references. */
function insideOf(html: string, { value, valueStart, end }: Attribute): number | undefined {
  const written = html.slice(valueStart, end);
  const at = value === '' ? -1 : written.indexOf(value);
  return at < 0 || !/^["']?$/.test(written.slice(at + value.length)) ? undefined : valueStart + at;
}

function isWithin(url: string): boolean {
  return ['nothing', 'fragment'].includes(addressOf(url).type);
}

/** Attributes of SVG that are CSS: those that draw an image, and those that only know parts of a document. */
const DRAWN = new Set(['mask', 'cursor']);
const REFERENCES = /^(fill|stroke|filter|clip-path|marker(-(start|mid|end))?)$/;

function typeOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : addressOf(url).type;
}

const ADDRESSES = new Set(['href', 'xlink:href', 'src', 'action', 'formaction', 'data', 'to', 'from', 'values']);
function hasScriptAddress({ name, value }: Attribute): boolean {
  return ADDRESSES.has(name) && addressOf(value).type === 'script';
}
