/** Puts a preview's parts together into what its view is told, and the policy that its page needs (pure). */
import { plainText } from '../platform/plain-text.ts';
import type { PagePolicy } from '../webviews/html.ts';
import type { FaceFrame, FaceProblem, FaceState } from '../webviews/protocol-faces.ts';
import { idOf, labelOf } from './approvals.ts';
import type { Face, FaceAsset, Variant } from './face.ts';
import { ownAsset, render, type RenderContext, type Rendered, type Wish } from './render.ts';
import type { Subject } from './subject.ts';
import { NOT_SUPPORTED } from './template/index.ts';

export const ALL = 'all';
const MOST_FRAMES = 40;
const MOST_PROBLEMS = 300;
const MAX_LINKS = 200;

/** Whether an allowed page can be framed, as far as it is known. */
export type PageState =
  | { readonly status: 'checking' }
  | { readonly status: 'shown'; readonly src: string; readonly note?: string }
  | { readonly status: 'refused'; readonly why: string };

export interface Preview {
  readonly face: Face;
  readonly variant: string;
  /** undefined: nobody's data */
  readonly subjects: readonly (Subject | undefined)[];
  readonly context: RenderContext;
  /** keys of frames that are drawn although they are heavy */
  readonly anyway: ReadonlySet<string>;
  /** of an allowed page */
  pageState(href: string): PageState;
}

export interface Composed {
  readonly state: Pick<
    FaceState,
    | 'variants'
    | 'variant'
    | 'frames'
    | 'problems'
    | 'moreProblems'
    | 'unsupported'
    | 'asks'
    | 'links'
    | 'assets'
    | 'config'
  >;
  readonly policy: PagePolicy;
  readonly wishes: ReadonlyMap<string, Wish>;
  /** assets to fetch */
  readonly missing: readonly string[];
  /** what Open in Browser opens, by frame */
  readonly external: ReadonlyMap<string, string>;
  /** addresses of the faces' links, by the key that the state has for each */
  readonly links: ReadonlyMap<string, string>;
}

export function compose(preview: Preview): Composed {
  const { face, context } = preview;
  const [first] = face.variants;
  const variant =
    preview.variant === ALL || face.variants.some(({ key }) => key === preview.variant)
      ? preview.variant
      : (first?.key ?? '');
  const shown: readonly (Variant | undefined)[] =
    variant === ALL ? face.variants : [face.variants.find(({ key }) => key === variant)];
  const frames: FaceFrame[] = [];
  const problems: FaceProblem[] = [];
  const wishes = new Map<string, Wish>();
  const missing = new Set<string>();
  const external = new Map<string, string>();
  const links = new Map<string, { readonly key: string; readonly url: string; readonly where: string }>();
  const imageOrigins = new Set<string>();
  const frameOrigins = new Set<string>();
  const listed = new Set<string>();
  let more = 0;
  for (const [at, of] of shown.entries()) {
    for (const [index, subject] of preview.subjects.entries()) {
      if (frames.length >= MOST_FRAMES) break;
      const key = `${of?.key ?? 'none'} ${String(index)}`;
      const anyway = preview.anyway.has(key);
      const rendered = render(face, of, subject, { ...context, beside: shown.length > 1, anyway });
      const title = cut(
        [shown.length > 1 ? of?.label : undefined, subject?.label].filter((word) => word !== undefined).join(' · '),
      );
      const frame = frameOf(rendered, key, title === '' ? face.name : title, of, preview);
      frames.push(frame);
      if (frame.src !== undefined) frameOrigins.add(new URL(frame.src).origin);
      if (rendered.open !== undefined) external.set(key, rendered.open);
      for (const wish of rendered.wishes) wishes.set(idOf(wish), wish);
      for (const { url } of rendered.links)
        if (!links.has(url) && links.size < MAX_LINKS)
          links.set(url, { key: `link ${String(links.size)}`, url, where: preview.subjects.length > 1 ? title : '' });
      for (const url of rendered.missing) missing.add(url);
      for (const origin of rendered.imageOrigins) imageOrigins.add(origin);
      // The same face with other data is blocked at the same places: what is new there is listed, the rest is not repeated.
      const label = shown.length > 1 ? (of?.label ?? '') : '';
      const own = problemsOf(
        rendered,
        index === 0 ? label : title,
        preview.subjects.length > 1 || shown.length > 1 ? title : '',
      ).filter(({ type, line, column, what }) => {
        const known = JSON.stringify([type, at, type === 'blocked' || index, line, column, what]);
        return !listed.has(known) && listed.add(known);
      });
      more += Math.max(0, problems.length + own.length - MOST_PROBLEMS);
      problems.push(...own.slice(0, Math.max(0, MOST_PROBLEMS - problems.length)));
    }
  }
  return {
    state: {
      variants: variantsOf(face),
      variant,
      frames,
      problems,
      moreProblems: more,
      // Only where a template did not fill: else nobody asks.
      unsupported:
        problems.some(({ type }) => type === 'placeholder') && preview.subjects.some((subject) => subject !== undefined)
          ? [...NOT_SUPPORTED]
          : [],
      asks: [...wishes].map(([id, wish]) => askOf(id, wish)),
      links: [...links.values()].map(({ key, url, where }) => ({ key, url: plainText(url, 1000), where })),
      assets: assetRows([...face.assets, ...preview.subjects.flatMap((subject) => subject?.assets ?? [])], context),
      ...(face.config !== undefined && { config: JSON.stringify(face.config, undefined, 2).slice(0, 200_000) }),
    },
    policy: {
      hosts: context.scripts ? 'scriptedFace' : 'face',
      images: ['data:', ...[...imageOrigins].sort()],
      frames: [...frameOrigins].sort(),
    },
    wishes,
    missing: [...missing],
    external,
    links: new Map([...links.values()].map(({ key, url }) => [key, url])),
  };
}

function frameOf(
  rendered: Rendered,
  key: string,
  title: string,
  variant: Variant | undefined,
  preview: Preview,
): FaceFrame {
  const base = {
    key,
    title,
    external: rendered.open !== undefined,
    heavy: rendered.heavy === true,
    ...(variant?.aspect !== undefined && { aspect: variant.aspect }),
  };
  const note = {
    ...(rendered.note !== undefined && { note: rendered.note }),
    ...(rendered.tone !== undefined && { tone: rendered.tone }),
  };
  if (rendered.type !== 'page' || rendered.page === undefined) {
    const { type, srcdoc } = rendered;
    return { ...base, ...note, type: type === 'document' ? type : 'empty', ...(srcdoc !== undefined && { srcdoc }) };
  }
  const state = preview.pageState(rendered.page);
  if (state.status === 'checking')
    return { ...base, type: 'empty', note: 'Asking the page whether it may be framed…', tone: 'info' };
  if (state.status === 'refused')
    return { ...base, type: 'empty', note: `${state.why} Open it in a browser instead.`, tone: 'warning' };
  const scripts = preview.context.scripts ? '' : ' Its scripts do not run.';
  return {
    ...base,
    type: 'page',
    src: state.src,
    note: [rendered.note, state.note].join(' ').trim() + scripts,
    tone: 'info',
  };
}

/** A face says what it likes, at any length. */
const cut = (text: string): string => plainText(text, 400);

function problemsOf({ findings, unresolved }: Rendered, blockedIn: string, openIn: string): FaceProblem[] {
  return [
    ...findings.map(({ line, column, what, why }) => ({
      type: 'blocked' as const,
      where: blockedIn,
      line,
      column,
      what: cut(what),
      why: cut(why),
    })),
    ...unresolved.map(({ placeholder, line, column, reason }) => ({
      type: 'placeholder' as const,
      where: openIn,
      line,
      column,
      what: cut(placeholder),
      why: cut(reason),
    })),
  ];
}

function variantsOf({ variants }: Face): { readonly key: string; readonly label: string }[] {
  const rows = variants.map(({ key, label }) => ({ key, label }));
  return rows.length > 1 ? [...rows, { key: ALL, label: `All ${String(rows.length)} variants` }] : rows;
}

function askOf(id: string, { use, origin, personal }: Wish): { id: string; text: string; button: string } {
  const data = personal ? ' Loading can send data of the object there.' : '';
  return use === 'images'
    ? { id, text: `Images of ${origin} are not loaded.${data}`, button: 'Load Images' }
    : { id, text: `A page of ${origin} is not loaded.${data}`, button: 'Show Page Here' };
}

function assetRows(assets: readonly FaceAsset[], context: RenderContext): FaceState['assets'] {
  const seen = new Set<string>();
  return assets
    .filter(({ id, url }) => !seen.has(`${id} ${url}`) && seen.add(`${id} ${url}`))
    .slice(0, 100)
    .map(({ id, name, type, url }) => {
      const own = ownAsset(url, context.baseUrl);
      const note =
        own === undefined ? 'elsewhere' : context.fetched.get(own) === null ? 'not to be had' : 'the connection’s own';
      return { name: name === '' ? id : name, type, url: url.slice(0, 500), note };
    });
}

export function allowedRows(ids: readonly string[]): { readonly key: string; readonly label: string }[] {
  return ids.map((key) => ({ key, label: labelOf(key) }));
}

export interface Text {
  /** of the variant */
  readonly label: string;
  readonly content: string;
}

/** What is written in the variant of that key, or in the first that has a text. Throws where there is none. */
export function textOf(face: Face | undefined, key?: string): Text {
  for (const { key: own, label, content = '' } of face?.variants ?? [])
    if ((key === undefined || own === key) && content.trim() !== '') return { label, content };
  throw new Error(key === ALL ? 'Choose one variant first' : 'There is no content, only a page or a card');
}
