/** The output channel `Smart Objects`: one line an event, redacted by whoever writes it. */
import * as vscode from 'vscode';
import { plainLines } from '../platform/plain-text.ts';

/** Of `vscode.LogOutputChannel`: what we use. */
export interface Log {
  trace(message: string, ...more: unknown[]): void;
  debug(message: string, ...more: unknown[]): void;
  info(message: string, ...more: unknown[]): void;
  warn(message: string, ...more: unknown[]): void;
  error(message: string | Error, ...more: unknown[]): void;
  show(preserveFocus?: boolean): void;
  dispose(): void;
}

/** Writes every message through the sanitizer, so that no server text can forge a line or reorder one. */
export function createLog(): Log {
  const channel = vscode.window.createOutputChannel('Smart Objects', { log: true });
  return {
    trace: (message, ...more) => {
      channel.trace(plainLines(message), ...more);
    },
    debug: (message, ...more) => {
      channel.debug(plainLines(message), ...more);
    },
    info: (message, ...more) => {
      channel.info(plainLines(message), ...more);
    },
    warn: (message, ...more) => {
      channel.warn(plainLines(message), ...more);
    },
    error: (message, ...more) => {
      channel.error(typeof message === 'string' ? plainLines(message) : message, ...more);
    },
    show: (preserveFocus) => {
      channel.show(preserveFocus);
    },
    dispose: () => {
      channel.dispose();
    },
  };
}
