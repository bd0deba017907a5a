import type * as vscode from 'vscode';

/** The text of one action to run, as an editor shows it, saved or not. */
export interface ActionSource {
  readonly name: string;
  /** the file, or the suite of a step; absent for a text without a file */
  readonly uri?: vscode.Uri;
  readonly text: string;
  /** name of the identity of the connection that runs it; absent: the one that the user chose */
  readonly as?: string;
}
