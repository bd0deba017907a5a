/** Turns a variant of a face and the data it is shown with into a frame, with everything to be said about it (pure). */
import { addressOf, isPlainHttp } from './address.ts';
import { cardDocument } from './card.ts';
import { plainText } from '../platform/plain-text.ts';
import { kindOfContent } from './content.ts';
import { fillAddress } from './fill-address.ts';
import { htmlDocument, imageDocument, inlineImages, svgDocument, textDocument, type FramePolicy } from './document.ts';
import type { Face, Variant } from './face.ts';
import type { Place } from './lines.ts';
import { reporter } from './reporter.ts';
import { scan, type Finding, type Link, type Load } from './scan.ts';
import type { Subject } from './subject.ts';
import { fillTemplate, type Filled, type Unresolved } from './template/index.ts';
import { whyHeavy } from './weight.ts';

/** Characters of a face; a larger one is not shown. */
export const LARGEST_FACE = 2_000_000;

/** Own assets that one preview fetches. */
export const MOST_ASSETS = 40;

export interface RenderContext {
  readonly scripts: boolean;
  /** others stand in the same page: a link or script of theirs may lead to whatever may be framed there */
  readonly beside?: boolean;
  /** the user wants it drawn although it is heavy */
  readonly anyway?: boolean;
  /** base of relative asset addresses; absent for a file without a connection */
  readonly baseUrl?: string;
  /** what a person has allowed */
  allows(use: Use, origin: string, personal: boolean): boolean;
  /** fetched assets as data: URLs; `null`: it could not be had */
  readonly fetched: ReadonlyMap<string, string | null>;
}

export type Use = 'images' | 'page';

/** An origin that something would load from, once allowed. */
export interface Wish {
  readonly use: Use;
  readonly origin: string;
  /** object data could be sent there */
  readonly personal: boolean;
}

export interface Rendered {
  readonly type: 'document' | 'page' | 'empty';
  readonly srcdoc?: string;
  /** the page's full address; shown only when allowed */
  readonly page?: string;
  /** what Open in Browser opens; web addresses only */
  readonly open?: string;
  readonly note?: string;
  readonly tone?: 'info' | 'warning' | 'error';
  readonly findings: readonly Finding[];
  readonly unresolved: readonly Unresolved[];
  readonly wishes: readonly Wish[];
  /** origins that the frame's images come from, all of them allowed */
  readonly imageOrigins: readonly string[];
  /** asset addresses on the connection's own origin that are not fetched yet */
  readonly missing: readonly string[];
  /** links of the filled face, with their places there */
  readonly links: readonly Link[];
  /** not drawn because it could stop the window; it can be asked for */
  readonly heavy?: boolean;
}

const BARE = { links: [], findings: [], unresolved: [], wishes: [], imageOrigins: [], missing: [] } as const;

export function render(
  face: Face,
  variant: Variant | undefined,
  subject: Subject | undefined,
  context: RenderContext,
): Rendered {
  const content = variant?.content ?? '';
  if (content.length > LARGEST_FACE) {
    const note = `This face is larger than the preview shows (${String(Math.round(content.length / 1000))} thousand characters).`;
    return { ...BARE, type: 'empty', note, tone: 'warning' };
  }
  const filled = fillTemplate(content.toWellFormed(), subject?.data);
  if (filled.text.length > 2 * LARGEST_FACE) {
    const note = 'Filled with this object, the face is larger than the preview shows.';
    return { ...BARE, type: 'empty', note, tone: 'warning', unresolved: openOf(filled) };
  }
  const kind = kindOfContent(filled.text, variant?.mediaType);
  if (kind === 'nothing' && variant?.url !== undefined) {
    const { url, mediaType } = variant;
    const of = kindOfContent(url, mediaType);
    if (of === 'unsupported') return unsupported(url, mediaType);
    return of === 'image' ? picture(url.trim(), face, subject, context) : page(url, subject, context);
  }
  if (kind === 'unsupported') return unsupported(content, variant?.mediaType);
  if (kind === 'page') return page(content.trim(), subject, context);
  if (kind === 'nothing') return card(face, subject, context);
  if (kind === 'text') {
    // What was filled in is escaped already.
    const srcdoc = textDocument(filled.text, filled.text !== content, { images: [] });
    return { ...BARE, type: 'document', srcdoc, unresolved: openOf(filled) };
  }
  if (kind === 'image') return picture(content.trim(), face, subject, context);
  return markup(kind, content, filled, face, subject, context);
}

function unsupported(address: string, mediaType: string | undefined): Rendered {
  const ending = /\.(\w{1,8})(?:[?#]|$)/.exec(address.trim())?.[1];
  const type = plainText(mediaType ?? '', 80) || (ending === undefined ? 'unknown' : `.${ending}`);
  return {
    ...BARE,
    ...openOfAddress(address),
    type: 'empty',
    note: `There is no preview for this type (${type}).`,
    tone: 'info',
  };
}

function markup(
  kind: 'html' | 'svg',
  source: string,
  filled: Filled,
  face: Face,
  subject: Subject | undefined,
  context: RenderContext,
): Rendered {
  const { text } = filled;
  const unresolved = openOf(filled);
  const heavy = context.anyway === true ? undefined : whyHeavy(text);
  if (heavy !== undefined) {
    const instead = subject === undefined ? { ...BARE, type: 'empty' as const } : card(face, subject, context);
    return { ...instead, note: heavy, tone: 'warning', unresolved, heavy: true };
  }
  const scanned = scan(text, context.scripts);
  const original = source === text ? scanned : scan(source, context.scripts);
  // The policy tells origins apart, not addresses, and what was filled in, or a script, may make any address: one of CSS, say.
  const personal = text !== source || source.includes('{{') || context.scripts;
  const images = new ImageChoice(face, subject, context, personal);
  const place = placeInSource(original.images, scanned.images);
  for (const load of scanned.images) images.consider({ ...load, ...place(load) });
  const policy: FramePolicy = { images: images.origins, ...(context.scripts && { scripts: { reporter } }) };
  const inlined = inlineImages(text, scanned.images, (url) => images.data(url));
  return {
    type: 'document',
    srcdoc: kind === 'svg' ? svgDocument(inlined, policy) : htmlDocument(inlined, policy),
    links: scanned.links,
    // Places are the source's; what only data brought in is listed too, with its place in the filled text.
    findings: [...original.findings, ...newFindings(scanned.findings, original.findings), ...images.findings].sort(
      byPlace,
    ),
    unresolved,
    wishes: images.wishes,
    imageOrigins: images.origins,
    missing: images.missing,
  };
}

/** What a person should know about the filling; what stopped it comes first. */
function openOf({ unresolved, errors }: Filled): readonly Unresolved[] {
  const stops = errors.filter(({ phase }) => phase !== 'execute');
  return [...stops.map(({ message, ...place }) => ({ ...place, reason: message })), ...unresolved];
}

const byPlace = (a: Finding, b: Finding): number => a.line - b.line || a.column - b.column;

/** Where an image of the filled text stands in the source, as far as the two can be matched. */
function placeInSource(source: readonly Load[], filled: readonly Load[]): (load: Load) => Place {
  const at = new Map(filled.map((load, index) => [load, index]));
  const same = source.length === filled.length;
  const byUrl = Map.groupBy(source, ({ url }) => url);
  return (load) => {
    const found = same ? source[at.get(load) ?? -1] : byUrl.get(load.url)?.[0];
    const { line, column } = found ?? load;
    return { line, column };
  };
}

function newFindings(all: readonly Finding[], known: readonly Finding[]): readonly Finding[] {
  if (all === known) return [];
  const texts = new Set(known.map(({ what, why }) => `${what}\n${why}`));
  const fresh = all.filter(({ what, why }) => !what.includes('{{') && !texts.has(`${what}\n${why}`));
  return fresh.map((finding) => ({
    ...finding,
    why: `${finding.why} (from the object’s data; line of the filled text)`,
  }));
}

const PLAIN_HTTP_IMAGE = 'no image is loaded over plain http, which others can read and change on the way: use https';

/** Decides for each image: inlined, allowed from its origin, or blocked with a wish. */
class ImageChoice {
  readonly findings: Finding[] = [];
  readonly #context: RenderContext;
  readonly #own: ReadonlySet<string>;
  /** whether what loads could tell of the object */
  readonly #personal: boolean;
  readonly #wishes = new Map<string, Wish>();
  readonly #origins = new Set<string>();
  readonly #missing = new Set<string>();

  constructor(face: Face, subject: Subject | undefined, context: RenderContext, personal: boolean) {
    this.#context = context;
    this.#personal = personal;
    this.#own = new Set(
      [...face.assets, ...(subject?.assets ?? [])].flatMap(({ url }) => ownAsset(url, context.baseUrl) ?? []),
    );
  }

  consider(load: Load): void {
    const own = this.#ownAddress(load.url);
    if (own !== undefined && load.end > load.start) {
      const fetched = this.#context.fetched.get(own);
      if (fetched === undefined && this.#context.fetched.size < MOST_ASSETS) this.#missing.add(own);
      else if (fetched === undefined)
        this.#find(load, `only ${String(MOST_ASSETS)} assets are fetched for one preview`);
      else if (fetched === null) this.#find(load, 'the asset could not be fetched as an image');
      return;
    }
    const address = addressOf(load.url);
    if (address.type !== 'web') {
      const why =
        own === undefined
          ? 'and this is no asset of the face or object'
          : 'and an asset is put in only where it is the one picture, written without character references';
      this.#find(load, `a face has no base address, ${why}`);
      return;
    }
    const { origin } = address;
    if (isPlainHttp(origin)) {
      this.#find(load, PLAIN_HTTP_IMAGE);
      return;
    }
    if (this.#context.allows('images', origin, this.#personal)) {
      this.#origins.add(origin);
      return;
    }
    this.#wishes.set(origin, { use: 'images', origin, personal: this.#personal });
    this.#find(load, `no image is loaded from ${origin} unless you allow it`);
  }

  get origins(): readonly string[] {
    return [...this.#origins].sort();
  }
  get wishes(): readonly Wish[] {
    return [...this.#wishes.values()];
  }
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  data(url: string): string | undefined {
    const own = this.#ownAddress(url);
    return own === undefined ? undefined : (this.#context.fetched.get(own) ?? undefined);
  }

  #ownAddress(url: string): string | undefined {
    const own = ownAsset(url, this.#context.baseUrl);
    return own !== undefined && this.#own.has(own) ? own : undefined;
  }

  #find({ line, column, url }: Load, why: string): void {
    if (this.findings.length < 200) this.findings.push({ line, column, what: `Image ${url.slice(0, 120)}`, why });
  }
}

/** The full address of an asset that lies on the connection's own origin. */
export function ownAsset(url: string, baseUrl: string | undefined): string | undefined {
  const text = url.trim();
  if (baseUrl === undefined || text === '' || !URL.canParse(text, baseUrl)) return undefined;
  const full = new URL(text, baseUrl);
  full.hash = '';
  return full.origin === new URL(baseUrl).origin && full.username === '' && full.password === ''
    ? full.href
    : undefined;
}

/** The address of an image as the whole content: written there literally, it counts among the face's own assets. */
function picture(source: string, face: Face, subject: Subject | undefined, context: RenderContext): Rendered {
  const filled = fillAddress(source, subject?.data);
  const text = filled.text.trim();
  const unresolved = openOf(filled);
  const personal = text !== source || source.includes('{{');
  const asset = { id: '', name: face.name, type: '', url: text };
  const owner = personal ? face : { ...face, assets: [...face.assets, asset] };
  const { shown, ...rest } = oneImage(text, personal, owner, subject, context);
  const open = openOfAddress(text);
  if (shown === undefined) {
    const [finding] = rest.findings;
    const why = finding === undefined ? 'The image is being fetched.' : `Not shown: ${finding.why}.`;
    return { ...BARE, ...rest, ...open, type: 'empty', note: why, tone: 'info', unresolved };
  }
  const srcdoc = imageDocument(shown, face.name, { images: rest.imageOrigins });
  return { ...BARE, ...rest, ...open, type: 'document', srcdoc, unresolved };
}

function oneImage(url: string, personal: boolean, face: Face, subject: Subject | undefined, context: RenderContext) {
  const address = addressOf(url);
  const images = new ImageChoice(face, subject, context, personal);
  if (address.type !== 'data') images.consider({ url, start: 0, end: 1, as: 'attribute', line: 1, column: 1 });
  const allowed = address.type === 'web' && images.origins.includes(address.origin) ? address.url : undefined;
  const shown = address.type === 'data' && address.image ? url : (images.data(url) ?? allowed);
  const { findings, wishes, origins: imageOrigins, missing } = images;
  return { shown, findings, wishes, imageOrigins, missing };
}

function card(face: Face, subject: Subject | undefined, context: RenderContext): Rendered {
  if (subject === undefined) {
    return {
      ...BARE,
      type: 'empty',
      note: 'This face has no content and no page. Choose an object to see its card.',
      tone: 'info',
    };
  }
  const { image } = subject.card;
  const chosen = image === undefined ? undefined : oneImage(image, false, face, subject, context);
  const srcdoc = cardDocument(subject.card, chosen?.shown, chosen?.imageOrigins ?? []);
  const { note, url } = subject.card;
  return { ...BARE, ...chosen, ...openOfAddress(url ?? ''), type: 'document', srcdoc, note, tone: 'info' };
}

function openOfAddress(url: string): { readonly open?: string } {
  const address = addressOf(url);
  return address.type === 'web' ? { open: address.url } : {};
}

/** The object's id goes along as `object_id`, as viewers of the platform do it. */
function page(source: string, subject: Subject | undefined, context: RenderContext): Rendered {
  const filled = fillAddress(source, subject?.data);
  const unresolved = openOf(filled);
  const address = addressOf(filled.text);
  if (address.type !== 'web' || !URL.canParse(address.url)) {
    return {
      ...BARE,
      type: 'empty',
      note: 'The page’s address is not one of the web.',
      tone: 'warning',
      unresolved,
    };
  }
  const url = new URL(address.url);
  url.username = '';
  url.password = '';
  if (subject !== undefined) url.searchParams.set('object_id', subject.id);
  if (isPlainHttp(url.origin)) {
    const note = `This face is a page of ${url.origin} over plain http, which others can read and change on the way: it is not shown here unless its address begins with https.`;
    return { ...BARE, type: 'empty', open: url.href, note, tone: 'warning', unresolved };
  }
  const personal = filled.text !== source || source.includes('{{') || context.beside === true;
  const allowed = context.allows('page', url.origin, personal);
  const wishes: Wish[] = allowed ? [] : [{ use: 'page', origin: url.origin, personal }];
  return {
    ...BARE,
    type: allowed ? 'page' : 'empty',
    page: url.href,
    open: url.href,
    note: pageNote(url, allowed),
    tone: 'info',
    unresolved,
    wishes,
  };
}

function pageNote(url: URL, allowed: boolean): string {
  return allowed
    ? `A page of ${url.origin}, not of the platform and not checked by anyone.`
    : `This face is a page of ${url.origin}. It is not loaded until you say so.`;
}
