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

/** Creates the channel; sanitizes messages, so that server text cannot forge or reorder lines. */
export function createLog(): Log {
  const channel = vscode.window.createOutputChannel('Smart Objects', { log: true });
  return {
    trace: (message, ...more) => channel.trace(toPlainLines(message), ...more),
    debug: (message, ...more) => channel.debug(toPlainLines(message), ...more),
    info: (message, ...more) => channel.info(toPlainLines(message), ...more),
    warn: (message, ...more) => channel.warn(toPlainLines(message), ...more),
    error: (message, ...more) => channel.error(typeof message === 'string' ? toPlainLines(message) : message, ...more),
    show: (preserveFocus) => channel.show(preserveFocus),
    dispose: () => channel.dispose(),
  };
}
