import * as vscode from 'vscode';

/** Records the messages that new webview panels receive, until `restore`. */
export function recordPosts(): { readonly messages: readonly unknown[]; restore(): void } {
  const messages: unknown[] = [];
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
    return panel;
  });
  return {
    messages,
    restore: () => {
      replace(createWebviewPanel);
    },
  };
}
