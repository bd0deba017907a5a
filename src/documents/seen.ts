/** Earlier texts of a resource, as a comparison shows them. */
import type * as vscode from 'vscode';
import type { Snapshots } from '../connections/snapshots.ts';
import { isKind } from '../platform/registry.ts';
import { resourceOfPath } from './uri.ts';

/** The text that was seen at the moment in the address's query; says so where it is no longer kept. */
export async function seenText(snapshots: Snapshots, uri: vscode.Uri): Promise<string> {
  const resource = resourceOfPath(uri.path, isKind);
  const seen = resource === undefined ? [] : await snapshots.of(resource);
  return seen.find(({ readAt }) => String(readAt) === uri.query)?.text ?? '"This earlier text is no longer kept."\n';
}
