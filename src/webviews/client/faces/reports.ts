/** What frames that run scripts report: accepted from our own frames only, checked, bounded, shown as text. */
import { singleLine } from '../../../platform/plain-text.ts';
import { faceReport } from '../../protocol-faces.ts';

export interface Report {
  readonly from: string;
  readonly level: string;
  readonly text: string;
}

/** Of all frames together. */
const MOST = 500;

export class Reports {
  readonly #frames = new Map<HTMLIFrameElement, { readonly title: string; left: number }>();
  readonly #changed: () => void;
  list: readonly Report[] = [];
  #pending: Report[] = [];

  constructor(changed: () => void) {
    this.#changed = changed;
    addEventListener('message', (event: MessageEvent<unknown>) => {
      const frame = [...this.#frames].find(
        ([iframe]) => iframe.contentWindow !== null && iframe.contentWindow === event.source,
      )?.[1];
      if (frame === undefined || frame.left <= 0) return;
      const read = faceReport.safeParse(event.data);
      if (!read.success) return;
      frame.left--;
      this.#add({ from: frame.title, level: read.data.level, text: singleLine(read.data.text) });
    });
  }

  listen(iframe: HTMLIFrameElement, title: string): void {
    this.#frames.set(iframe, { title, left: 200 });
  }

  forget(iframe: HTMLIFrameElement | undefined): void {
    if (iframe !== undefined && this.#frames.delete(iframe) && this.#frames.size === 0) this.list = [];
  }

  /** A flood is drawn once. */
  #add(report: Report): void {
    this.#pending.push(report);
    if (this.#pending.length > 1) return;
    setTimeout(() => {
      this.list = [...this.list, ...this.#pending].slice(-MOST);
      this.#pending = [];
      this.#changed();
    }, 100);
  }
}
