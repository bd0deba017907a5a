/** The output channel `Smart Objects`: one line an event, redacted by whoever writes it. */
import * as vscode from 'vscode';

export type Log = Pick<vscode.LogOutputChannel, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'show' | 'dispose'>;

export function createLog(): Log {
  return vscode.window.createOutputChannel('Smart Objects', { log: true });
}
