/**
 * The host's side of a webview, panel or view alike: its page, typed posts, checked messages, and a gate that opens when the
 * view is ready. How a room uses it:
 *
 *   // src/webviews/protocol-stats.ts (pure; both sides import it)
 *   export const protocol = defineProtocol({ toView: { state: z.object({ … }) }, toHost: { choose: z.strictObject({ … }) } });
 *
 *   // src/webviews/client/stats/main.ts + main.css: see client/kit.ts. It is built into dist/webviews/stats.js and .css.
 *
 *   // src/stats/panel.ts, on the host
 *   const host = hostView(protocol, {
 *     container: panel,                       // WebviewPanel, or the WebviewView of a view provider
 *     extensionUri, log, bundle: 'stats', title: 'Statistics',
 *     show: () => host.post('state', stateNow()),   // called when ready, shown again, or the theme changes
 *     handlers: { choose: ({ … }) => { … } },
 *   });
 *
 * The view is a function of its state: `show` posts all of it, and a post before the view is ready is dropped, since `show`
 * comes right after. Nothing is retained while hidden. For restoring see lazy.ts: `lazyPanel` for panels, `lazyView` for views.
 */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Disposables } from '../ui/disposables.ts';
import type { Log } from '../ui/log.ts';
import { pageHtml, type PagePolicy } from './html.ts';
import {
  LIFE,
  receive,
  wrap,
  type BodyOf,
  type Handlers,
  type Messages,
  type Protocol,
  type TypeOf,
} from './protocol.ts';

export type Container = vscode.WebviewPanel | vscode.WebviewView;

export interface HostOptions<ToHost extends Messages> {
  readonly container: Container;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  /** folder under src/webviews/client */
  readonly bundle: string;
  readonly title: string;
  readonly policy?: PagePolicy;
  /** posts the whole state */
  readonly show: () => unknown;
  readonly handlers: Handlers<ToHost>;
  /** visible or not: stop polling while it is not */
  readonly onVisible?: (visible: boolean) => unknown;
}

export interface ViewHost<ToView extends Messages> {
  readonly visible: boolean;
  readonly disposed: boolean;
  /** The page has loaded and listens. */
  readonly ready: boolean;
  /** False when there is nobody to receive it; `show` will be called once there is. */
  post<Type extends TypeOf<ToView>>(type: Type, body: BodyOf<ToView, Type>): boolean;
  /** Another policy means another page: the view reloads and is shown anew. */
  setPolicy(policy: PagePolicy): void;
  /** Ends with the container. */
  own<T extends vscode.Disposable>(disposable: T): T;
  /** Fires with the container's end. */
  readonly ended: AbortSignal;
}

/** Fills the container and keeps it alive until it is closed. */
export function hostView<ToView extends Messages, ToHost extends Messages>(
  _protocol: Protocol<ToView, ToHost>,
  options: HostOptions<ToHost>,
): ViewHost<ToView> {
  const { container, extensionUri, log, show } = options;
  const { webview } = container;
  const owned = new Disposables();
  const ending = new AbortController();
  const roots = vscode.Uri.joinPath(extensionUri, 'dist', 'webviews');
  let ready = false;
  let page = '';

  const load = (policy: PagePolicy | undefined): void => {
    ready = false;
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [roots] };
    const html = pageHtml({
      title: options.title,
      script: webview.asWebviewUri(vscode.Uri.joinPath(roots, `${options.bundle}.js`)).toString(),
      style: webview.asWebviewUri(vscode.Uri.joinPath(roots, `${options.bundle}.css`)).toString(),
      cspSource: webview.cspSource,
      nonce: randomBytes(18).toString('base64'),
      ...(policy !== undefined && { policy }),
    });
    page = JSON.stringify(policy ?? {});
    webview.html = html;
  };

  const onLife = {
    ready: () => {
      ready = true;
      show();
    },
    broken: ({ message }: BodyOf<typeof LIFE, 'broken'>) => {
      log.error(`The view ${options.title} broke: ${message}`);
    },
  };

  owned.add(
    webview.onDidReceiveMessage((value: unknown) => {
      if (receive(LIFE, onLife, value) === undefined) return;
      const wrong = receive(_protocol.toHost, options.handlers, value);
      if (wrong !== undefined) log.warn(`The view ${options.title} sent ${wrong}; it was ignored`);
    }),
  );
  owned.add(
    vscode.window.onDidChangeActiveColorTheme(() => {
      if (ready) show();
    }),
  );
  const watch = (): void => {
    // A hidden page is gone: it loads again and says so.
    if (!container.visible) ready = false;
    options.onVisible?.(container.visible);
  };
  owned.add(
    'onDidChangeViewState' in container
      ? container.onDidChangeViewState(watch)
      : container.onDidChangeVisibility(watch),
  );
  container.onDidDispose(() => {
    ready = false;
    ending.abort();
    owned.dispose();
  });
  load(options.policy);

  return {
    get visible() {
      return !owned.ended && container.visible;
    },
    get disposed() {
      return owned.ended;
    },
    get ready() {
      return ready;
    },
    post(type, body) {
      if (!ready || owned.ended) return false;
      void webview.postMessage(wrap<ToView, typeof type>(type, body));
      return true;
    },
    setPolicy(policy) {
      if (!owned.ended && JSON.stringify(policy) !== page) load(policy);
    },
    own: (disposable) => owned.add(disposable),
    ended: ending.signal,
  };
}
