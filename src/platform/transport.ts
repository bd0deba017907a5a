/** Sends one HTTP request over undici and returns the whole answer as text; knows nothing of resources. */

/** Milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** from the request's last byte to the answer's headers */
  readonly headers: number;
  /** between two chunks of the body */
  readonly body: number;
  /** from the request's first byte to the answer's last, however steadily it trickles; default: `headers` + `body` */
  readonly whole?: number;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** sent as it stands, `content-type` is the caller's */
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly timeouts: Timeouts;
  /** `error`: any 3xx rejects with code `contract`. `follow`: at most 5, GET only. `answer`: a 3xx is the answer. */
  readonly redirect: 'follow' | 'error' | 'answer';
  /** lower-case names of headers that must never reach another origin */
  readonly credentialHeaders: readonly string[];
  /** bytes after decompression; more rejects with code `tooLarge` */
  readonly maxBytes: number;
  /** what of the body becomes `text`; default: all of it, as UTF-8 */
  readonly take?: 'base64' | 'nothing';
  /** a host that is, or stands for, a private address rejects with code `network`, and nothing is sent */
  readonly publicOnly?: boolean;
  /** requests of one lane never wait for a connection that another lane uses; default `read` */
  readonly lane?: 'read' | 'effect';
  /**
   * Called right before the first byte is written, for each hop of a redirect. Throwing takes the request back: it
   * rejects with code `cancelled` and `sent: false`.
   */
  readonly onSent?: () => void;
}

export interface TransportAnswer {
  readonly status: number;
  /** lower-case names; repeated headers joined with `, ` */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** where the answer came from, after redirects */
  readonly url: URL;
}

/** Proxy and certificate settings, in the editor's terms but without the editor. */
export interface NetworkSettings {
  /** `http.proxy`; empty means none set, then the environment counts */
  readonly proxy?: string;
  /** `http.noProxy` */
  readonly noProxy?: readonly string[];
  /** `http.proxyStrictSSL` (default true) */
  readonly strictSsl?: boolean;
  /** PEM texts of further certificate authorities, on top of Node's own and the system's */
  readonly certificates?: readonly string[];
  /** the environment to read HTTPS_PROXY, HTTP_PROXY, NO_PROXY from; default `process.env` */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface Transport {
  /** Rejects with a PlatformError (network, timeout, cancelled, tooLarge, contract); any status resolves. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Ends every connection of every pool; requests under way reject as `cancelled`. */
  close(): Promise<void>;
}
