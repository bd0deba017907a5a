/** Errors for which the notification of a failed command has a button. */
import { MessageError, formatText, stored, type StoredText } from '../platform/text/message.ts';

/** An error at a place in a document, which the user can open. */
export class LocatedError extends Error {
  override readonly name = 'LocatedError';
  /** URI of the document */
  readonly uri: string;
  /** from 1, as `column` */
  readonly line: number;
  readonly column: number;

  constructor(message: string, location: { readonly uri: string; readonly line: number; readonly column: number }) {
    super(message);
    this.uri = location.uri;
    this.line = location.line;
    this.column = location.column;
  }
}

/** An error that trusting the workspace resolves, before anything was sent. */
export class UntrustedWorkspaceError extends MessageError {
  override readonly name = 'UntrustedWorkspaceError';
  /** the message without the remark that nothing was sent */
  readonly reason: string;

  /** `reason`: one or more sentences, without the last full stop */
  constructor(reason: StoredText) {
    super(stored('{0}. Nothing was sent', reason));
    this.reason = formatText(reason);
  }
}
