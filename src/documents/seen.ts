/** Earlier texts of a resource, as a comparison shows them. */
import type * as vscode from 'vscode';
import { isKind } from '../platform/registry.ts';
import type { Snapshots } from './snapshots.ts';
import { resourceOfPath } from './uri.ts';

/** The text that was seen at the moment in the address's query; says so where it is no longer kept. */
export function seenText(snapshots: Snapshots, uri: vscode.Uri): string {
  const resource = resourceOfPath(uri.path, isKind);
  const snapshot =
    resource === undefined ? undefined : snapshots.of(resource).find(({ readAt }) => String(readAt) === uri.query);
  return snapshot?.text ?? '"This earlier text is no longer kept."\n';
}
