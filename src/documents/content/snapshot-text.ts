import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Snapshots } from '../../cache/snapshots.ts';
import { isKind } from '../../platform/registry.ts';
import { parseResourcePath } from '../../model/resources/resource-uri.ts';

/**
 * Resolves to the earlier text of the time in the address's query, or to a message as a JSON string if it is no longer
 * stored. Never rejects.
 */
export async function readSnapshotText(snapshots: Snapshots, uri: vscode.Uri): Promise<string> {
  const resource = parseResourcePath(uri.path, isKind);
  const earlier = resource === undefined ? [] : await snapshots.list(resource);
  return (
    earlier.find(({ readAt }) => String(readAt) === uri.query)?.text ??
    `${JSON.stringify(l10n.t('This version is no longer available.'))}\n`
  );
}
