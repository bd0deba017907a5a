/** The output channel `Smart Objects`. */
import * as vscode from 'vscode';
import { toPlainLines } from '../platform/text/plain-text.ts';

/** The part of `vscode.LogOutputChannel` that is used. */
export interface Log {
  trace(message: string, ...more: unknown[]): void;
  debug(message: string, ...more: unknown[]): void;
  info(message: string, ...more: unknown[]): void;
  warn(message: string, ...more: unknown[]): void;
  error(message: string | Error, ...more: unknown[]): void;
  show(preserveFocus?: boolean): void;
  dispose(): void;
}

/**
 * Creates the channel; sanitizes messages, so that server text cannot forge or reorder lines. Once disposed of, it drops them:
 * the channel would throw, and a request that ends with its window would get that error for an outcome.
 */
export function createLog(): Log {
  const channel = vscode.window.createOutputChannel('Smart Objects', { log: true });
  let isDisposed = false;
  const createWriter =
    (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') =>
    (message: string | Error, ...more: unknown[]): void => {
      if (!isDisposed) channel[level](toPlainLines(String(message)), ...more);
    };
  return {
    trace: createWriter('trace'),
    debug: createWriter('debug'),
    info: createWriter('info'),
    warn: createWriter('warn'),
    error: createWriter('error'),
    show: (preserveFocus) => channel.show(preserveFocus),
    dispose: () => {
      isDisposed = true;
      channel.dispose();
    },
  };
}
