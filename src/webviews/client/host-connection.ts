/** The browser's side of the messages between a webview and its host. */
import * as z from 'zod/mini';
import {
  dispatchMessage,
  createMessage,
  type MessageBody,
  type MessageHandlers,
  type MessageSchemas,
  type Protocol,
  type MessageType,
} from '../protocol/index.ts';

// With its compiler zod tries `eval`, which the policy reports as a violation.
z.config({ jitless: true });

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** Posts a message of a protocol to the host. */
export type Post<P extends { readonly toHost: MessageSchemas }> = <Type extends MessageType<P['toHost']>>(
  type: Type,
  body: MessageBody<P['toHost'], Type>,
) => void;

interface WebviewConnection<ToHost extends MessageSchemas> {
  readonly post: Post<{ readonly toHost: ToHost }>;
  /** Returns the state of the last `setState`, or `undefined` if it does not fit the schema. */
  getState<S extends z.ZodMiniType>(schema: S): z.output<S> | undefined;
  /** Stores the state; VS Code gives it to the panel's serializer after a reload of the window. */
  setState(state: unknown): void;
}

/**
 * Connects the page to its host: checks and dispatches its messages, reports uncaught errors, and posts `ready` after the
 * caller's synchronous code, so that the first state finds the page built. Hides the page until the first message, since
 * before a state its controls do nothing. Call once a page.
 */
export function connectToHost<ToView extends MessageSchemas, ToHost extends MessageSchemas>(
  protocol: Protocol<ToView, ToHost>,
  handlers: MessageHandlers<ToView>,
): WebviewConnection<ToHost> {
  const api = acquireVsCodeApi();
  const reportError = (message: string): void =>
    api.postMessage({ type: 'error', body: { message: message.slice(0, 2000) } });
  addEventListener('error', (event) => reportError(event.message));
  addEventListener('unhandledrejection', (event) =>
    reportError(event.reason instanceof Error ? event.reason.message : 'a rejected promise'),
  );
  const { style } = document.body;
  style.visibility = 'hidden';
  addEventListener('message', (event: MessageEvent<unknown>) => {
    // The host posts from the parent frame, which has the same origin. Frames of this page have an opaque origin.
    if (event.origin !== window.origin) return;
    style.visibility = '';
    // What a handler throws becomes an unhandled rejection, which is reported above.
    void dispatchMessage(protocol.toView, handlers, event.data).then((problem) => {
      if (problem !== undefined) reportError(`the host sent ${problem}`);
    });
  });
  queueMicrotask(() => api.postMessage({ type: 'ready', body: {} }));
  return {
    post: (type, body) => api.postMessage(createMessage<ToHost, typeof type>(type, body)),
    getState(schema) {
      const parsed = schema.safeParse(api.getState());
      return parsed.success ? parsed.data : undefined;
    },
    setState: (state) => api.setState(state),
  };
}
