/** The output channel `Smart Objects`: one line an event, redacted by whoever writes it. */
import * as vscode from 'vscode';

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

export function createLog(): Log {
  return vscode.window.createOutputChannel('Smart Objects', { log: true });
}
