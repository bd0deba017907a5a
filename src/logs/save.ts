/** Writes what a view shows into a file: one JSON a line, or CSV, as every export of ours is written. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { actionLogs } from '../platform/resources/action-logs.ts';
import { writerOf } from '../platform/export/format.ts';
import type { LogEntry } from './entry.ts';
import { rawOf } from './history.ts';

const AT_ONCE = 1000;

/** `read` gets the raw JSON of an entry that is too long to be held. Tells where it was written. */
export async function saveEntries(
  services: Services,
  entries: readonly LogEntry[],
  read: (entry: LogEntry, signal: AbortSignal) => Promise<unknown>,
): Promise<vscode.Uri | undefined> {
  const { ui } = services;
  if (entries.length === 0) throw new Error('there is nothing to export. Change the filters or the search first');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `action-logs-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.ndjson`;
  const target = await ui.saveAs({
    title: `Export ${entries.length.toLocaleString('en')} Action Logs`,
    filters: { 'One JSON a Line': ['ndjson'], CSV: ['csv'] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return undefined;
  const writer = writerOf(target.path.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson', actionLogs);
  await ui.progress(`Export ${entries.length.toLocaleString('en')} action logs`, async (signal, say) => {
    const parts = [writer.head];
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const items: unknown[] = [];
      for (const entry of entries.slice(at, at + AT_ONCE)) items.push(rawOf(entry) ?? (await read(entry, signal)));
      parts.push(writer.rows(items, at));
      say(`${Math.min(at + AT_ONCE, entries.length).toLocaleString('en')} written`);
    }
    parts.push(writer.tail(entries.length));
    // Masked when they were read; a secret that became known since is not written either.
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(services.redact(parts.join(''))));
  });
  const open = 'Open File';
  void ui.info(`${entries.length.toLocaleString('en')} action logs were exported.`, open).then((chosen) => {
    if (chosen === open) void vscode.window.showTextDocument(target);
  });
  return target;
}
