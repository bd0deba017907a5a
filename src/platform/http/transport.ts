/** The interface of the HTTP transport, and its settings. It has no knowledge of resources. */

/** Milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** from the last byte of the request to the headers of the response */
  readonly headers: number;
  /** between two chunks of the body */
  readonly body: number;
  /** from the first byte of the request to the last of the response; default: `headers` + `body` */
  readonly total?: number;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** sent unchanged; the caller sets `content-type` */
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly timeouts: Timeouts;
  /** `error`: a 3xx rejects with code `contract`. `follow`: at most 5, GET only. `manual`: a 3xx resolves. */
  readonly redirect: 'follow' | 'error' | 'manual';
  /** lower-case names of headers that must never reach another origin */
  readonly credentialHeaders: readonly string[];
  /** bytes after decompression; more rejects with code `tooLarge` */
  readonly maxBytes: number;
  /** the encoding of the body in `text`; default: UTF-8 */
  readonly responseBody?: 'base64' | 'none';
  /** a host with a private address rejects with code `network` before anything is sent */
  readonly publicOnly?: boolean;
  /** requests of different pools never wait for each other's connections; default `read` */
  readonly pool?: 'read' | 'effect';
  /**
   * Called right before the first byte is written, for each hop of a redirect. Throwing withdraws the request: it rejects
   * with code `cancelled` and `sent: false`.
   */
  readonly onSent?: () => void;
  /** Called when the head of the response has arrived, for each hop of a redirect. */
  readonly onResponse?: () => void;
}

export interface TransportResponse {
  readonly status: number;
  /** lower-case names; repeated headers joined with `, ` */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** the final URL, after redirects */
  readonly url: URL;
}

/** Proxy and certificate settings, in the editor's terms but without the editor. */
export interface NetworkSettings {
  /** `http.proxy`; if empty, the environment is used */
  readonly proxy?: string;
  /** `http.noProxy` */
  readonly noProxy?: readonly string[];
  /** `http.proxyStrictSSL` (default true) */
  readonly strictSsl?: boolean;
  /** PEM texts of certificate authorities, in addition to Node's and the system's */
  readonly certificates?: readonly string[];
  /** the environment to read HTTPS_PROXY, HTTP_PROXY, NO_PROXY from; default `process.env` */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface Transport {
  /** Resolves for any status. Rejects with PlatformError: network, timeout, cancelled, tooLarge or contract. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes all connections; pending requests reject with `cancelled`. */
  close(): Promise<void>;
}
