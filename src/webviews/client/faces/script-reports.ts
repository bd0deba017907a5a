/** Console messages of frames that run scripts: accepted from our own frames only, validated and bounded. */
import { toSingleLine } from '../../../platform/text/plain-text.ts';
import { MAX_REPORTS, scriptReportSchema } from '../../protocol/faces.ts';

interface ScriptReport {
  readonly frameTitle: string;
  readonly level: string;
  readonly text: string;
}

/** Reports of all frames together. */
const MAX_LISTED_REPORTS = 500;

/** Collects the reports of frames. */
export class ScriptReports {
  readonly #frames = new Map<HTMLIFrameElement, { readonly title: string; remaining: number }>();
  readonly #onDidChange: () => void;
  list: readonly ScriptReport[] = [];
  #pending: ScriptReport[] = [];

  constructor(onDidChange: () => void) {
    this.#onDidChange = onDidChange;
    addEventListener('message', (event: MessageEvent<unknown>) => {
      const frame = [...this.#frames].find(
        ([iframe]) => iframe.contentWindow !== null && iframe.contentWindow === event.source,
      )?.[1];
      if (frame === undefined || frame.remaining <= 0) return;
      const parsed = scriptReportSchema.safeParse(event.data);
      if (!parsed.success) return;
      frame.remaining--;
      this.#add({ frameTitle: frame.title, level: parsed.data.level, text: toSingleLine(parsed.data.text) });
    });
  }

  /** Accepts the reports of a frame, at most MAX_REPORTS. */
  listen(iframe: HTMLIFrameElement, title: string): void {
    this.#frames.set(iframe, { title, remaining: MAX_REPORTS });
  }

  /** Ignores the frame from now on; the list is cleared with the last frame. */
  stopListening(iframe: HTMLIFrameElement | undefined): void {
    if (iframe !== undefined && this.#frames.delete(iframe) && this.#frames.size === 0) this.list = [];
  }

  /** Notifies once for the reports of 100 milliseconds. */
  #add(report: ScriptReport): void {
    this.#pending.push(report);
    if (this.#pending.length > 1) return;
    setTimeout(() => {
      this.list = [...this.list, ...this.#pending].slice(-MAX_LISTED_REPORTS);
      this.#pending = [];
      this.#onDidChange();
    }, 100);
  }
}
