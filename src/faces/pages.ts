/** Web pages as faces: whether one may be framed, found out once, and the address by which the window reaches it. */
import * as vscode from 'vscode';
import { PlatformError } from '../platform/errors.ts';
import type { Send } from '../platform/plain-get.ts';
import { isLoopback } from '../platform/proxy.ts';
import type { TransportAnswer } from '../platform/transport.ts';
import { fetchHeaders } from './fetch.ts';
import { framingOf } from './framing.ts';
import type { PageState } from './state.ts';

export class Pages {
  readonly #states = new Map<string, PageState>();
  readonly #send: Send;
  readonly #signal: AbortSignal;
  readonly #changed: () => void;
  constructor(send: Send, signal: AbortSignal, changed: () => void) {
    this.#send = send;
    this.#signal = signal;
    this.#changed = changed;
  }

  /** Only for pages that are allowed: asking starts the one request. `home` is the connection's base URL. */
  state(href: string, home: string | undefined): PageState {
    const known = this.#states.get(href);
    if (known !== undefined) return known;
    const checking = { status: 'checking' } as const;
    this.#states.set(href, checking);
    void this.#check(new URL(href), home).then((state) => {
      if (this.#signal.aborted) return;
      this.#states.set(href, state);
      this.#changed();
    });
    return checking;
  }

  /** The next look asks again. */
  forget(): void {
    this.#states.clear();
  }

  async #check(url: URL, home: string | undefined): Promise<PageState> {
    try {
      const { src, ...answer } = await this.#look(url, home);
      const framing = framingOf(src, answer);
      return 'why' in framing ? { status: 'refused', ...framing } : { status: 'shown', src, ...framing };
    } catch (error) {
      if (isPrivate(error))
        return {
          status: 'refused',
          why: 'This page lies on a private address and the connection does not: it is not loaded here.',
        };
      const why = error instanceof Error ? error.message : 'no answer';
      return { status: 'refused', why: `The page could not be reached (${why.slice(0, 200)}).` };
    }
  }

  /** One request to the page, and the address by which the window reaches it: this machine may be another one for it. */
  async #look(url: URL, home: string | undefined): Promise<TransportAnswer & { readonly src: string }> {
    if (!isLoopback(url.hostname))
      return { src: url.href, ...(await fetchHeaders(this.#send, url, home, this.#signal)) };
    const external = await vscode.env.asExternalUri(vscode.Uri.parse(url.href, true));
    const src = external.toString(true);
    if (src !== url.href && URL.canParse(src) && isLoopback(new URL(src).hostname)) {
      // The editor is served from here too, by way of a forwarder that may be switched off.
      const forwarded = await fetchHeaders(this.#send, new URL(src), home, this.#signal);
      return forwarded.status < 400
        ? { src, ...forwarded }
        : { src: url.href, ...(await fetchHeaders(this.#send, url, home, this.#signal)) };
    }
    return { src, ...(await fetchHeaders(this.#send, url, home, this.#signal)) };
  }
}

function isPrivate(error: unknown): boolean {
  const cause = error instanceof PlatformError ? error.detail.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EPRIVATE';
}
