/** The sandboxed iframes of opaque origin; an iframe is replaced only when its content changes. */
import * as l10n from '@vscode/l10n';
import linkExternal from '@vscode/codicons/src/icons/link-external.svg';
import { createToolButton } from '../controls.ts';
import { replaceChildren, h, update } from '../dom.ts';
import type { FaceFrame, FaceState, DisplayOptions } from '../../protocol/faces.ts';
import type { ScriptReports } from './script-reports.ts';

const FOCUS_INTERVAL_MS = 100;
const FRAME_SIZES = { card: [320, 448], phone: [390, 844], wide: [1024, 576] } as const;

/** Posts what both pages with frames can post. */
type PostFrame = (type: 'openBrowser' | 'renderComplexFrame', body: { readonly key: string }) => void;

interface FrameElements {
  readonly figure: HTMLElement;
  readonly caption: HTMLElement;
  readonly box: HTMLElement;
  readonly note: HTMLElement;
  iframe: HTMLIFrameElement | undefined;
  /** the inputs of the current frame */
  renderedKey: string;
}

/** The frames of the preview, by their keys. */
export class FrameList {
  readonly #container: HTMLElement;
  readonly #reports: ScriptReports;
  readonly #post: PostFrame;
  readonly #frames = new Map<string, FrameElements>();
  readonly #loaded = new WeakSet<HTMLIFrameElement>();
  #focusTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(container: HTMLElement, reports: ScriptReports, post: PostFrame) {
    this.#container = container;
    this.#reports = reports;
    this.#post = post;
    for (const type of ['blur', 'focus', 'visibilitychange']) addEventListener(type, () => this.#markFocusedFrame());
  }

  /** No style sheet matches the focus of an iframe, and no event reports that it moves from one iframe to the next. */
  #markFocusedFrame(): void {
    clearTimeout(this.#focusTimer);
    this.#focusTimer = setTimeout(() => {
      const { activeElement } = document;
      for (const { box, iframe } of this.#frames.values())
        box.toggleAttribute('data-focused', iframe !== undefined && iframe === activeElement);
      if (activeElement instanceof HTMLIFrameElement && !document.hidden) this.#markFocusedFrame();
    }, FOCUS_INTERVAL_MS);
  }

  /** Whether all frames have loaded. */
  get isLoaded(): boolean {
    return [...this.#frames.values()].every(({ iframe }) => iframe === undefined || this.#loaded.has(iframe));
  }

  /** Updates the frames to a state; unchanged ones are not reloaded. */
  render(
    { frames, scripts, loading }: Pick<FaceState, 'frames' | 'scripts' | 'loading'>,
    display: DisplayOptions,
  ): void {
    const keys = new Set(frames.map(({ key }) => key));
    for (const [key, elements] of this.#frames) {
      if (keys.has(key)) continue;
      this.#reports.stopListening(elements.iframe);
      elements.figure.remove();
      this.#frames.delete(key);
    }
    for (const [index, frame] of frames.entries()) {
      const elements = this.#frames.get(frame.key) ?? this.#createFrame(frame.key);
      // Moving an iframe reloads it.
      const current = this.#container.children[index];
      if (current !== elements.figure) this.#container.insertBefore(elements.figure, current ?? null);
      this.#update(elements, frame, scripts);
      layOutFrame(elements, frame, display);
    }
    this.#container.setAttribute('aria-busy', String(loading));
  }

  #createFrame(key: string): FrameElements {
    const caption = h('figcaption');
    const box = h('div', { class: 'frame' });
    const note = h('p', { class: 'note' });
    const elements: FrameElements = {
      figure: h('figure', {}, caption, note, box),
      caption,
      box,
      note,
      iframe: undefined,
      renderedKey: '',
    };
    this.#frames.set(key, elements);
    return elements;
  }

  #update(elements: FrameElements, frame: FaceFrame, scripts: boolean): void {
    const { key, title, canOpenInBrowser, heavy } = frame;
    update(elements.caption, [title, heavy, canOpenInBrowser], () => [
      h('bdi', { title }, title),
      heavy &&
        createToolButton({
          label: l10n.t('Show Anyway'),
          name: `show ${key}`,
          onClick: () => this.#post('renderComplexFrame', { key }),
        }),
      canOpenInBrowser &&
        createToolButton({
          icon: linkExternal,
          label: l10n.t('Open in Browser'),
          name: `browser ${key}`,
          text: true,
          onClick: () => this.#post('openBrowser', { key }),
        }),
    ]);
    elements.note.dataset['tone'] = frame.tone ?? 'info';
    replaceChildren(elements.note, frame.type === 'empty' ? undefined : frame.note);
    const renderedKey = JSON.stringify([
      frame.type,
      frame.srcdoc,
      frame.src,
      scripts,
      frame.type === 'empty' ? frame.note : '',
    ]);
    if (renderedKey === elements.renderedKey) return;
    elements.renderedKey = renderedKey;
    this.#reports.stopListening(elements.iframe);
    elements.iframe = undefined;
    if (frame.type === 'empty') {
      replaceChildren(elements.box, h('p', { class: 'empty' }, frame.note ?? l10n.t('Nothing to show.')));
      return;
    }
    // Replace the iframe: a changed sandbox takes effect only when it loads.
    const iframe = h('iframe', {
      sandbox: scripts ? 'allow-scripts' : '',
      referrerpolicy: 'no-referrer',
      allow: '',
      title: l10n.t('Face: {0}', title),
      ...(frame.type === 'page' ? { src: frame.src } : { srcdoc: frame.srcdoc }),
      on: {
        load: () => {
          this.#loaded.add(iframe);
        },
      },
    });
    elements.iframe = iframe;
    if (scripts) this.#reports.listen(iframe, title);
    replaceChildren(elements.box, iframe);
  }
}

/** Applies size and zoom. Zoom scales the iframe; the box around it scrolls. */
function layOutFrame({ figure, box, iframe }: FrameElements, frame: FaceFrame, display: DisplayOptions): void {
  figure.dataset['size'] = display.size;
  // Messages in place of a face use the editor's background.
  box.dataset['background'] = iframe === undefined ? 'theme' : display.background;
  const { zoom, size, height: maxHeight } = display;
  // Messages need no fixed height.
  const aspect = iframe === undefined ? undefined : frame.aspect;
  // At most as high as chosen, with the aspect ratio of the face.
  figure.style.maxWidth =
    size === 'free' && aspect !== undefined ? `min(100%, ${String(Math.round(maxHeight * aspect))}px)` : '';
  if (size === 'free') {
    box.style.width = '100%';
    box.style.height = iframe === undefined || aspect !== undefined ? 'auto' : `${String(maxHeight)}px`;
    box.style.aspectRatio = aspect === undefined ? '' : String(aspect);
    scaleFrame(iframe, `${String(100 / zoom)}%`, `${String(100 / zoom)}%`, zoom);
    return;
  }
  const [width, defaultHeight] = FRAME_SIZES[size];
  const height = frame.aspect === undefined ? defaultHeight : Math.round(width / frame.aspect);
  box.style.aspectRatio = '';
  box.style.width = `${String(Math.round(width * zoom) + 2)}px`;
  box.style.height = `${String(Math.round(height * zoom) + 2)}px`;
  scaleFrame(iframe, `${String(width)}px`, `${String(height)}px`, zoom);
}

function scaleFrame(iframe: HTMLIFrameElement | undefined, width: string, height: string, zoom: number): void {
  if (iframe === undefined) return;
  iframe.style.width = width;
  iframe.style.height = height;
  iframe.style.transform = zoom === 1 ? '' : `scale(${String(zoom)})`;
}
