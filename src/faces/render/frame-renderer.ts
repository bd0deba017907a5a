import { MAX_ASSETS } from '../source/image-cache.ts';
import { TemplateFiller } from '../template/template-filler.ts';
import { renderFace } from './render.ts';
import type { RenderContext, RenderResult } from './result.ts';

/** Results that are cached; the least recently used go first. */
const MAX_RESULTS = 40;

type RenderArguments = Parameters<typeof renderFace>;
type FetchedImages = RenderContext['fetchedImages'];

interface CachedResult {
  readonly inputs: readonly unknown[];
  /** the images that rendering looked up, with what it found */
  readonly images: ReadonlyMap<string, string | null | undefined>;
  readonly result: RenderResult;
}

/** Renders faces, and renders one again only if its face, variant, data, approvals or images have changed. */
export class FrameRenderer {
  readonly #filler: TemplateFiller;
  /** in the order of use, the latest last */
  #results: readonly CachedResult[] = [];

  /** `onDidChange` is called when a result that was pending can be rendered. */
  constructor(onDidChange: () => void, signal: AbortSignal) {
    this.#filler = new TemplateFiller(onDidChange, signal);
  }

  /** As `renderFace`; the result is pending while the template is being filled. */
  readonly render = (...[face, variant, subject, options]: RenderArguments): RenderResult => {
    const context = { ...options, fill: this.#filler.fill };
    const inputs = [face, variant, subject, ...getContextInputs(context)];
    const cached =
      this.#results.find(
        (known) => isSameList(known.inputs, inputs) && isCurrent(known.images, context.fetchedImages),
      ) ?? render(inputs, face, variant, subject, context);
    if (cached.result.isPending === true) return cached.result;
    this.#results = [...this.#results.filter((known) => known !== cached), cached].slice(-MAX_RESULTS);
    return cached.result;
  };
}

function render(inputs: readonly unknown[], ...[face, variant, subject, context]: RenderArguments): CachedResult {
  const images = new Map<string, string | null | undefined>();
  const fetchedImages: FetchedImages = {
    size: context.fetchedImages.size,
    get(url) {
      const image = context.fetchedImages.get(url);
      images.set(url, image);
      return image;
    },
  };
  return { inputs, images, result: renderFace(face, variant, subject, { ...context, fetchedImages }) };
}

/** What a result depends on besides images. */
function getContextInputs({
  scripts,
  sharesPage,
  gate,
  baseUrl,
  approvals,
  fetchedImages,
}: RenderContext): readonly unknown[] {
  return [scripts, sharesPage, gate, baseUrl, approvals.join('\n'), fetchedImages.size >= MAX_ASSETS];
}

function isCurrent(images: CachedResult['images'], fetched: FetchedImages): boolean {
  return [...images].every(([url, image]) => fetched.get(url) === image);
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
