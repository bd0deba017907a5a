import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { PlatformError } from '../../platform/errors.ts';
import type { Send } from '../../platform/http/unauthenticated-get.ts';
import { isLoopback } from '../../platform/http/proxy.ts';
import type { TransportResponse } from '../../platform/http/transport.ts';
import { fetchPageHeaders } from './requests.ts';
import { checkFraming, type PageState } from '../policy/framing.ts';

/** Checks whether pages can be framed, with one request for each. */
export class PageChecks {
  readonly #states = new Map<string, PageState>();
  readonly #send: Send;
  readonly #signal: AbortSignal;
  readonly #onDidChange: () => void;
  constructor(send: Send, signal: AbortSignal, changed: () => void) {
    this.#send = send;
    this.#signal = signal;
    this.#onDidChange = changed;
  }

  /** Returns the state of an approved page; the first call starts a request. `connectionUrl` is the connection's base URL. */
  getState(href: string, connectionUrl: string | undefined): PageState {
    const known = this.#states.get(href);
    if (known !== undefined) return known;
    const checking = { status: 'checking' } as const;
    this.#states.set(href, checking);
    void this.#check(new URL(href), connectionUrl).then((state) => {
      if (this.#signal.aborted) return;
      this.#states.set(href, state);
      this.#onDidChange();
    });
    return checking;
  }

  /** Forgets all states, so that pages are requested again. */
  clear(): void {
    this.#states.clear();
  }

  async #check(url: URL, connectionUrl: string | undefined): Promise<PageState> {
    try {
      const { src, ...response } = await this.#readHeaders(url, connectionUrl);
      const framing = checkFraming(src, response);
      return 'reason' in framing ? { status: 'refused', ...framing } : { status: 'shown', src, ...framing };
    } catch (error) {
      if (isPrivateAddressError(error))
        return {
          status: 'refused',
          reason: l10n.t('This page is on a private address and the connection is not, so it is not loaded.'),
        };
      const reason = error instanceof Error ? error.message : l10n.t('no response');
      return { status: 'refused', reason: l10n.t('Could not reach the page ({0}).', reason.slice(0, 200)) };
    }
  }

  /** Requests the page, and finds the URL by which the window reaches it: the window can run on another machine. */
  async #readHeaders(
    url: URL,
    connectionUrl: string | undefined,
  ): Promise<TransportResponse & { readonly src: string }> {
    if (!isLoopback(url.hostname))
      return { src: url.href, ...(await fetchPageHeaders(this.#send, url, connectionUrl, this.#signal)) };
    const external = await vscode.env.asExternalUri(vscode.Uri.parse(url.href, true));
    const src = external.toString(true);
    if (src !== url.href && URL.canParse(src) && isLoopback(new URL(src).hostname)) {
      // The editor is served from this machine too, possibly through a forwarder that is not running.
      const forwarded = await fetchPageHeaders(this.#send, new URL(src), connectionUrl, this.#signal);
      return forwarded.status < 400
        ? { src, ...forwarded }
        : { src: url.href, ...(await fetchPageHeaders(this.#send, url, connectionUrl, this.#signal)) };
    }
    return { src, ...(await fetchPageHeaders(this.#send, url, connectionUrl, this.#signal)) };
  }
}

function isPrivateAddressError(error: unknown): boolean {
  const cause = error instanceof PlatformError ? error.detail.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EPRIVATE';
}
