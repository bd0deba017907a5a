import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Records the messages that new webview panels receive, and the pages that they load, until `restore`. */
export function recordPosts(): {
  readonly messages: readonly unknown[];
  readonly pages: readonly unknown[];
  restore(): void;
} {
  const messages: unknown[] = [];
  const pages: unknown[] = [];
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
    restore: () => {
      replace(createWebviewPanel);
    },
  };
}
