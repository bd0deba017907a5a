/** The Requests view: what was sent to a connection and received, since the view was first opened. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../commands/context.ts';
import { formatHar } from '../model/requests/har.ts';
import type { RecordedRequest } from '../model/requests/request-history.ts';
import { REQUEST_SCHEME } from '../model/resources/resource-schemes.ts';
import { PlatformError } from '../platform/errors.ts';
import { isObject } from '../platform/json/json.ts';
import { MASK, maskText } from '../platform/json/secrets.ts';
import { MAX_TRACED_URL, type TracedBody } from '../platform/requests/request-trace.ts';
import { formatBytes, formatList } from '../platform/text/localization.ts';
import { toPlainLines } from '../platform/text/plain-text.ts';
import { runInForeground } from '../ui/foreground.ts';
import { pickSaveTarget, saveFile } from '../ui/save-file.ts';
import {
  createRequestRow,
  requestsProtocol,
  type BodyPart,
  type CopyFormat,
  type RequestBody,
  type RequestDetails,
} from '../webviews/protocol/requests.ts';
import { createWebviewHost, type WebviewHost } from '../webviews/webview-host.ts';
import { formatRequestCode } from './request-code.ts';

/** Milliseconds between two posts of new requests. */
const POST_INTERVAL = 150;
/** Characters of a body in the details; the document has the rest. */
const MAX_PREVIEW = 4000;

let documents: vscode.Disposable | undefined;

/** Starts to record requests, and shows them in the view. */
export function showRequests(features: FeatureContext, services: Services, view: vscode.WebviewView): void {
  services.requests.start();
  documents ??= features.addDisposable(
    vscode.workspace.registerTextDocumentContentProvider(REQUEST_SCHEME, {
      provideTextDocumentContent: (uri) => readBody(services, uri),
    }),
  );
  new RequestsView(services, view).listen();
}

class RequestsView {
  readonly #services: Services;
  readonly #host: WebviewHost<typeof requestsProtocol.toView>;
  /** undefined: the active one */
  #chosen: string | undefined;
  /** the number of the newest request that was posted */
  #posted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services, view: vscode.WebviewView) {
    this.#services = services;
    const { context, log, ui } = services;
    this.#host = createWebviewHost(requestsProtocol, {
      container: view,
      extensionUri: context.extensionUri,
      log,
      ui,
      bundle: 'requests',
      title: l10n.t('Requests'),
      postState: () => this.#postState(),
      handlers: {
        choose: ({ connection }) => {
          this.#chosen = connection;
          this.#postState();
        },
        select: ({ id }) => {
          this.#host.post('details', createDetails(this.#find(id)));
        },
        openBody: ({ id, part }) => this.#openBody(id, part),
        copy: ({ id, format }) => this.#copy(id, format),
        repeat: ({ id }) => this.#repeat(id),
        export: ({ ids }) => this.#export(new Set(ids)),
        clear: () => services.requests.clear(this.#connection),
      },
      operations: { copy: l10n.t('Copy request'), repeat: l10n.t('Repeat request'), export: l10n.t('Export requests') },
    });
  }

  /** Posts new requests until the view is disposed of. */
  listen(): void {
    const { requests, sessions } = this.#services;
    this.#host.register(
      requests.onDidChange((connection) => {
        if (connection === this.#connection) this.#schedule();
      }),
    );
    this.#host.register({ dispose: () => clearTimeout(this.#timer) });
    this.#host.register(sessions.onDidChange(() => this.#postState()));
  }

  get #connection(): string {
    return this.#chosen ?? this.#services.sessions.active?.profile.name ?? '';
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#postAdded();
    }, POST_INTERVAL);
  }

  #postState(): void {
    const { requests, sessions } = this.#services;
    const connection = this.#connection;
    const names = new Set([...sessions.all.map(({ profile }) => profile.name), ...requests.connections, connection]);
    names.delete('');
    const recorded = requests.get(connection);
    this.#posted = recorded.at(-1)?.id ?? 0;
    this.#host.post('state', { connections: [...names], connection, rows: recorded.map(createRequestRow) });
  }

  #postAdded(): void {
    const recorded = this.#services.requests.get(this.#connection);
    const last = recorded.at(-1)?.id ?? 0;
    const rows = recorded.filter(({ id }) => id > this.#posted).map(createRequestRow);
    this.#posted = Math.max(this.#posted, last);
    this.#host.post('added', { first: recorded[0]?.id ?? this.#posted + 1, rows });
  }

  #find(id: number): RecordedRequest {
    const found = this.#services.requests.get(this.#connection).find((request) => request.id === id);
    if (found === undefined) throw new Error(l10n.t('This request is no longer kept'));
    return found;
  }

  async #openBody(id: number, part: BodyPart): Promise<void> {
    const { trace } = this.#find(id);
    const body = part === 'request' ? trace.details?.requestBody : trace.details?.responseBody;
    const name = `${trace.operation} ${String(id)} ${part}`.replace(/[^\w.]+/g, '-');
    const uri = vscode.Uri.from({
      scheme: REQUEST_SCHEME,
      path: `/${name}.${/^[[{]/.test(body?.text ?? '') ? 'json' : 'txt'}`,
      query: JSON.stringify({ connection: this.#connection, id, part }),
    });
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  async #copy(id: number, format: CopyFormat): Promise<void> {
    const { trace } = this.#find(id);
    const target = this.#services.sessions.get(this.#connection)?.client.target;
    const code = formatRequestCode(trace, format, target?.credentialHeaderNames.apiKeyHeader ?? '');
    await vscode.env.clipboard.writeText(maskText(code.text, this.#services.knownSecrets()));
    const message =
      code.variables.length === 0
        ? l10n.t('Copied')
        : l10n.t('Copied. The credential is read from {0}', formatList(code.variables));
    vscode.window.setStatusBarMessage(`$(check) ${message}`, 5000);
  }

  /** Sends a read again; its row says how it ended. Rejects with Error for a request that can't be repeated. */
  async #repeat(id: number): Promise<void> {
    const { trace } = this.#find(id);
    const client = this.#services.sessions.get(this.#connection)?.client;
    const path = client === undefined ? '' : getPath(client.target.baseUrl, trace.url);
    if (client === undefined || !trace.isRead || path === undefined)
      throw new Error(l10n.t('Only requests that read, and that this connection can send, can be repeated'));
    await runInForeground(() => client.getJson(path)).catch((error: unknown) => {
      if (!(error instanceof PlatformError) || error.detail.sent === false) throw error;
    });
  }

  async #export(ids: ReadonlySet<number>): Promise<void> {
    const { requests, ui, context } = this.#services;
    const traces = requests.get(this.#connection).flatMap(({ id, trace }) => (ids.has(id) ? [trace] : []));
    const target = await pickSaveTarget(ui, {
      name: `${this.#connection.replace(/[^\w.-]+/g, '-')}.har`,
      filters: { [l10n.t('HTTP archive')]: ['har'] },
      title: l10n.t('Export Requests'),
    });
    if (target === undefined) return;
    const manifest: unknown = context.extension.packageJSON;
    const version = isObject(manifest) ? String(manifest['version']) : '';
    await saveFile(target, this.#services.redact(formatHar(traces, version)));
    void ui.info(l10n.t('The requests were exported. Secrets are masked; names and other data are not.'));
  }
}

/** The path and query below the base URL; undefined for another server, and if a part is masked or cut. */
function getPath(baseUrl: string, url: string): string | undefined {
  const base = baseUrl.replace(/\/$/, '');
  const path = url.startsWith(`${base}/`) ? url.slice(base.length) : undefined;
  if (path === undefined || path.includes(MASK) || url.length === MAX_TRACED_URL) return undefined;
  // Braces would be placeholders of the path.
  return path.replace(/[{}]/g, encodeURIComponent);
}

function createDetails({ id, trace: { url, details } }: RecordedRequest): RequestDetails {
  const { requestHeaders = [], requestBody, responseHeaders = [], responseBody } = details ?? {};
  return {
    id,
    url,
    isKept: details !== undefined,
    requestHeaders: [...requestHeaders],
    ...(requestBody !== undefined && { requestBody: createPreview(requestBody) }),
    responseHeaders: [...responseHeaders],
    ...(responseBody !== undefined && { responseBody: createPreview(responseBody) }),
  };
}

function createPreview({ text, size, isCut }: TracedBody): RequestBody {
  return { preview: toPlainLines(text.slice(0, MAX_PREVIEW)), isWhole: !isCut && text.length <= MAX_PREVIEW, size };
}

/** The text of a document that `openBody` opened. */
function readBody({ requests }: Services, { query }: vscode.Uri): string {
  const of: unknown = JSON.parse(query);
  const { connection, id, part } = isObject(of) ? of : {};
  const details = requests.get(String(connection)).find((request) => request.id === id)?.trace.details;
  const body = part === 'request' ? details?.requestBody : details?.responseBody;
  if (body === undefined) return l10n.t('This body is no longer kept.');
  if (!body.isCut) return `${body.text}\n`;
  return `${body.text}…\n\n${l10n.t('This is the start of a body of {0}.', formatBytes(body.size))}\n`;
}
