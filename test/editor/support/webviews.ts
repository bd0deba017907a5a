import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Records the messages that new webview panels receive, and the pages that they load, until `restore`. `send`: as the newest page. */
export function recordPosts(): {
  readonly messages: readonly unknown[];
  readonly pages: readonly unknown[];
  send(type: string, body: object): void;
  restore(): void;
} {
  const messages: unknown[] = [];
  const pages: unknown[] = [];
  let receive: ((message: unknown) => unknown) | undefined;
  const { createWebviewPanel } = vscode.window;
  const replace = (value: typeof createWebviewPanel): void => {
    Object.defineProperty(vscode.window, 'createWebviewPanel', { value, configurable: true, writable: true });
  };
  replace((...args) => {
    const panel = createWebviewPanel(...args);
    const postMessage = panel.webview.postMessage.bind(panel.webview);
    const value = (message: unknown): Thenable<boolean> => {
      messages.push(message);
      return postMessage(message);
    };
    Object.defineProperty(panel.webview, 'postMessage', { value });
    const { webview } = panel;
    const onDidReceiveMessage = webview.onDidReceiveMessage.bind(webview);
    Object.defineProperty(webview, 'onDidReceiveMessage', {
      value: (listener: (message: unknown) => unknown) => onDidReceiveMessage((receive = listener)),
    });
    const prototype: unknown = Object.getPrototypeOf(webview);
    assert.ok(typeof prototype === 'object' && prototype !== null);
    Object.defineProperty(webview, 'html', {
      set: (html: string) => {
        pages.push(html);
        Reflect.set(prototype, 'html', html, webview);
      },
    });
    return panel;
  });
  return {
    messages,
    pages,
    send: (type, body) => {
      receive?.({ type, body });
    },
    restore: () => {
      replace(createWebviewPanel);
    },
  };
}
