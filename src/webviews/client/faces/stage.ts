/** The frames: sandboxed, of opaque origin; one is touched only when what it shows has changed. */
import linkExternal from '@vscode/codicons/src/icons/link-external.svg';
import { toolButton } from '../controls.ts';
import { fill, h } from '../kit.ts';
import type { FaceFrame, FaceState, Look } from '../../protocol-faces.ts';
import type { Reports } from './reports.ts';

const FIXED = { card: [320, 448], phone: [390, 844], wide: [1024, 576] } as const;

export interface StageActions {
  openBrowser(key: string): void;
  showAnyway(key: string): void;
}

interface Shown {
  readonly figure: HTMLElement;
  readonly caption: HTMLElement;
  readonly box: HTMLElement;
  readonly note: HTMLElement;
  iframe: HTMLIFrameElement | undefined;
  /** what the frame was made from */
  made: string;
}

export class Stage {
  readonly #scroller: HTMLElement;
  readonly #reports: Reports;
  readonly #actions: StageActions;
  readonly #shown = new Map<string, Shown>();

  constructor(scroller: HTMLElement, reports: Reports, actions: StageActions) {
    this.#scroller = scroller;
    this.#reports = reports;
    this.#actions = actions;
  }

  show({ frames, scripts, busy }: FaceState, look: Look): void {
    const keys = new Set(frames.map(({ key }) => key));
    for (const [key, shown] of this.#shown) {
      if (keys.has(key)) continue;
      this.#reports.forget(shown.iframe);
      shown.figure.remove();
      this.#shown.delete(key);
    }
    for (const [index, frame] of frames.entries()) {
      const shown = this.#shown.get(frame.key) ?? this.#make(frame.key);
      // Moving a frame in the page would load it again.
      const there = this.#scroller.children[index];
      if (there !== shown.figure) this.#scroller.insertBefore(shown.figure, there ?? null);
      this.#update(shown, frame, scripts);
      layOut(shown, frame, look);
    }
    this.#scroller.setAttribute('aria-busy', String(busy));
  }

  #make(key: string): Shown {
    const caption = h('figcaption');
    const box = h('div', { class: 'frame' });
    const note = h('p', { class: 'note' });
    const shown: Shown = {
      figure: h('figure', {}, caption, note, box),
      caption,
      box,
      note,
      iframe: undefined,
      made: '',
    };
    this.#shown.set(key, shown);
    return shown;
  }

  #update(shown: Shown, frame: FaceFrame, scripts: boolean): void {
    const { key, title, external, heavy } = frame;
    fill(
      shown.caption,
      h('bdi', { title }, title),
      heavy &&
        toolButton({
          label: 'Show Anyway',
          run: () => {
            this.#actions.showAnyway(key);
          },
        }),
      external &&
        toolButton({
          icon: linkExternal,
          label: 'Open in Browser',
          text: true,
          run: () => {
            this.#actions.openBrowser(key);
          },
        }),
    );
    shown.note.dataset['tone'] = frame.tone ?? 'info';
    fill(shown.note, frame.type === 'empty' ? undefined : frame.note);
    const made = JSON.stringify([
      frame.type,
      frame.srcdoc,
      frame.src,
      scripts,
      frame.type === 'empty' ? frame.note : '',
    ]);
    if (made === shown.made) return;
    shown.made = made;
    this.#reports.forget(shown.iframe);
    shown.iframe = undefined;
    if (frame.type === 'empty') {
      fill(shown.box, h('p', { class: 'empty' }, frame.note ?? 'Nothing to show.'));
      return;
    }
    // Made anew, not changed: a sandbox counts from the moment of loading.
    const iframe = h('iframe', {
      sandbox: scripts ? 'allow-scripts' : '',
      referrerpolicy: 'no-referrer',
      allow: '',
      title: `Face: ${title}`,
      ...(frame.type === 'page' ? { src: frame.src } : { srcdoc: frame.srcdoc }),
    });
    shown.iframe = iframe;
    if (scripts) this.#reports.listen(iframe, title);
    fill(shown.box, iframe);
  }
}

/** The frame's own size stays what was chosen; zooming scales the picture, and the box around it scrolls. */
function layOut({ figure, box, iframe }: Shown, frame: FaceFrame, look: Look): void {
  figure.dataset['size'] = look.size;
  // What is said instead of a face stands on the editor's ground.
  box.dataset['background'] = iframe === undefined ? 'theme' : look.background;
  const { zoom, size, height: most } = look;
  // Empty ones need no room.
  const aspect = iframe === undefined ? undefined : frame.aspect;
  // As high as was chosen at the most, and of the face's own shape.
  figure.style.maxWidth =
    size === 'free' && aspect !== undefined ? `min(100%, ${String(Math.round(most * aspect))}px)` : '';
  if (size === 'free') {
    box.style.width = '100%';
    box.style.height = iframe === undefined || aspect !== undefined ? 'auto' : `${String(most)}px`;
    box.style.aspectRatio = aspect === undefined ? '' : String(aspect);
    scale(iframe, `${String(100 / zoom)}%`, `${String(100 / zoom)}%`, zoom);
    return;
  }
  const [width, tall] = FIXED[size];
  const height = frame.aspect === undefined ? tall : Math.round(width / frame.aspect);
  box.style.aspectRatio = '';
  box.style.width = `${String(Math.round(width * zoom) + 2)}px`;
  box.style.height = `${String(Math.round(height * zoom) + 2)}px`;
  scale(iframe, `${String(width)}px`, `${String(height)}px`, zoom);
}

function scale(iframe: HTMLIFrameElement | undefined, width: string, height: string, zoom: number): void {
  if (iframe === undefined) return;
  iframe.style.width = width;
  iframe.style.height = height;
  iframe.style.transform = zoom === 1 ? '' : `scale(${String(zoom)})`;
}
