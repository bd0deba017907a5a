/**
 * The host's side of a webview, panel or view alike: its page, typed posts, checked messages. A feature uses it like this:
 *
 *   // src/webviews/protocol/example.ts: imported by both sides, without vscode
 *   export const protocol = defineProtocol({ toView: { state: z.object({ … }) }, toHost: { choose: z.strictObject({ … }) } });
 *
 *   // src/webviews/client/example/main.ts and main.css (see client/dom.ts) are built into dist/webviews/example.js and .css
 *
 *   // src/example/panel.ts
 *   const host = createWebviewHost(protocol, {
 *     container: panel,                       // WebviewPanel, or the WebviewView of a view provider
 *     extensionUri, log, ui, bundle: 'example', title: 'Example',
 *     postState: () => host.post('state', getState()),
 *     handlers: { choose: async ({ … }) => { … } },
 *   });
 *
 * The view is a function of its state. `postState` posts all of it: when the view is ready, shown again, or the theme changes.
 * A post before the view is ready is dropped. Nothing is retained while the view is hidden. What a handler throws or rejects
 * with is logged and shown. To restore panels after a reload of the window, see commands/register-webviews.ts.
 */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { formatError, isCancelled } from '../model/text/error-message.ts';
import { getDisplayLanguage } from '../platform/text/localization.ts';
import { displayTranslations } from '../ui/display-language.ts';
import { Disposables } from '../ui/disposables.ts';
import { runInForeground } from '../ui/foreground.ts';
import type { Log } from '../ui/log.ts';
import type { Ui } from '../ui/ui.ts';
import { createPageHtml, formatContentSecurityPolicy, type PagePolicy } from './html.ts';
import {
  LIFECYCLE_MESSAGES,
  dispatchMessage,
  createMessage,
  type MessageBody,
  type MessageHandlers,
  type MessageSchemas,
  type Protocol,
  type MessageType,
} from './protocol/index.ts';

/** The modules that each page imports, and the hashes of its messages, as JSON; defined by esbuild.mjs */
declare const PAGES: string;
const pagesSchema = z.record(z.string(), z.object({ imports: z.array(z.string()), messages: z.array(z.string()) }));

export type WebviewContainer = vscode.WebviewPanel | vscode.WebviewView;

interface WebviewOptions {
  readonly container: WebviewContainer;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  /** shows what a handler throws or rejects with */
  readonly ui: Pick<Ui, 'error'>;
  /** folder under src/webviews/client */
  readonly bundle: string;
  readonly title: string;
  readonly policy?: PagePolicy;
}

interface WebviewBehavior<ToHost extends MessageSchemas> {
  /** posts the whole state */
  readonly postState: () => unknown;
  readonly handlers: MessageHandlers<ToHost>;
  /** the operation of each message for errors, in the form that `formatError` expects; default: `title` */
  readonly operations?: Readonly<Partial<Record<MessageType<ToHost>, string>>>;
  /** called with the new visibility: stop polling while hidden */
  readonly onDidChangeVisibility?: (visible: boolean) => unknown;
}

export interface WebviewHost<ToView extends MessageSchemas> {
  readonly visible: boolean;
  readonly disposed: boolean;
  /** The page has loaded and listens. */
  readonly ready: boolean;
  /** Milliseconds from the request of the page until it was ready: at least what a message and its response take. */
  readonly loadTime: number;
  /** Returns false if the page is not ready; `postState` is called once it is. */
  post<Type extends MessageType<ToView>>(type: Type, body: MessageBody<ToView, Type>): boolean;
  /** Reloads the page if its policy is another. Ignored while a page loads: call it again in `postState`. */
  setPolicy(policy: PagePolicy): void;
  /** Disposes of `disposable` together with the container. */
  register<T extends vscode.Disposable>(disposable: T): T;
  /** aborted when the container is disposed of */
  readonly disposeSignal: AbortSignal;
}

/** Loads the page into the container and handles its messages until the container is disposed of. */
export function createWebviewHost<ToView extends MessageSchemas, ToHost extends MessageSchemas>(
  protocol: Protocol<ToView, ToHost>,
  options: WebviewOptions & WebviewBehavior<ToHost>,
): WebviewHost<ToView> {
  const host = openWebview(protocol, options);
  host.serve(options);
  return host;
}

/** Loads the page into the container. Call `serve` before the page is ready, so in the same turn. */
export function openWebview<ToView extends MessageSchemas, ToHost extends MessageSchemas>(
  { toHost }: Protocol<ToView, ToHost>,
  options: WebviewOptions,
): WebviewHost<ToView> & {
  /** Handles the messages of the page until the container is disposed of. */
  serve(behavior: WebviewBehavior<ToHost>): void;
} {
  const { container, extensionUri, log } = options;
  const { webview } = container;
  const disposables = new Disposables();
  const disposal = new AbortController();
  const resourceRoot = vscode.Uri.joinPath(extensionUri, 'dist', 'webviews');
  let ready = false;
  let requestedAt = 0;
  let loadTime = 0;
  let loadedPolicy = '';

  const formatPolicy = (policy: PagePolicy | undefined): string =>
    formatContentSecurityPolicy({ cspSource: '', nonce: '', ...(policy !== undefined && { policy }) });

  const loadPage = (policy: PagePolicy | undefined): void => {
    ready = false;
    requestedAt = performance.now();
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [resourceRoot] };
    const { imports = [], messages = [] } = z.parse(pagesSchema, JSON.parse(PAGES))[options.bundle] ?? {};
    const translations = selectTranslations(messages);
    const getAddress = (file: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(resourceRoot, file)).toString();
    const html = createPageHtml({
      title: options.title,
      language: getDisplayLanguage(),
      ...(translations !== undefined && { messages: translations }),
      script: getAddress(`${options.bundle}.js`),
      imports: imports.map(getAddress),
      style: getAddress(`${options.bundle}.css`),
      cspSource: webview.cspSource,
      nonce: randomBytes(18).toString('base64'),
      ...(policy !== undefined && { policy }),
    });
    loadedPolicy = formatPolicy(policy);
    webview.html = html;
  };

  container.onDidDispose(() => {
    ready = false;
    disposal.abort();
    disposables.dispose();
  });
  loadPage(options.policy);

  const serve = (behavior: WebviewBehavior<ToHost>): void => {
    const lifecycleHandlers = {
      ready: () => {
        ready = true;
        loadTime = performance.now() - requestedAt;
        behavior.postState();
      },
      error: ({ message }: MessageBody<typeof LIFECYCLE_MESSAGES, 'error'>) =>
        log.error(`The view ${options.title} broke: ${message}`),
    };

    const receiveMessage = async (value: unknown): Promise<void> => {
      const type = getMessageType(value);
      try {
        const problem = Object.hasOwn(LIFECYCLE_MESSAGES, type)
          ? await dispatchMessage(LIFECYCLE_MESSAGES, lifecycleHandlers, value)
          : // The user waits for what the page requests.
            await runInForeground(() => dispatchMessage(toHost, behavior.handlers, value), false);
        if (problem !== undefined) log.warn(`The view ${options.title} sent ${problem}; it was ignored`);
      } catch (error) {
        if (isCancelled(error) || (error instanceof Error && error.name === 'AbortError')) return;
        const operations: Readonly<Record<string, string | undefined>> = behavior.operations ?? {};
        const text = formatError(operations[type] ?? options.title, error);
        log.error(text);
        await options.ui.error(text);
      }
    };
    disposables.add(webview.onDidReceiveMessage((value: unknown) => void receiveMessage(value)));
    disposables.add(
      vscode.window.onDidChangeActiveColorTheme(() => {
        if (ready) behavior.postState();
      }),
    );
    let isShown = container.visible;
    const handleVisibilityChange = (): void => {
      // VS Code unloads a hidden page; it sends `ready` again once it is shown.
      if (!container.visible) ready = false;
      else if (!isShown) requestedAt = performance.now();
      isShown = container.visible;
      behavior.onDidChangeVisibility?.(container.visible);
    };
    disposables.add(
      'onDidChangeViewState' in container
        ? container.onDidChangeViewState(handleVisibilityChange)
        : container.onDidChangeVisibility(handleVisibilityChange),
    );
  };

  return {
    serve,
    get visible() {
      return !disposables.isDisposed && container.visible;
    },
    get disposed() {
      return disposables.isDisposed;
    },
    get ready() {
      return ready;
    },
    get loadTime() {
      return loadTime;
    },
    post(type, body) {
      if (!ready || disposables.isDisposed) return false;
      void webview.postMessage(createMessage<ToView, typeof type>(type, body));
      return true;
    },
    setPolicy(policy) {
      // While a page loads, VS Code may leave the page that replaces it without a state: `ready` calls `postState` first.
      const canLoad = !disposables.isDisposed && (ready || !container.visible);
      if (canLoad && formatPolicy(policy) !== loadedPolicy) loadPage(policy);
    },
    register: (disposable) => disposables.add(disposable),
    disposeSignal: disposal.signal,
  };
}

/** The type of a message that is not checked yet; empty if it has none. */
function getMessageType(value: unknown): string {
  const type: unknown = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  return typeof type === 'string' ? type : '';
}

/** The packed translations of messages, by their hashes; `undefined` in English. */
function selectTranslations(hashes: readonly string[]): Readonly<Record<string, string>> | undefined {
  const messages = displayTranslations;
  if (messages === undefined) return undefined;
  const translated = hashes.flatMap((key) => {
    const translation = messages[key];
    return translation === undefined ? [] : [[key, translation] as const];
  });
  return Object.fromEntries(translated);
}
