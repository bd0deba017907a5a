import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { actionLogs } from '../../platform/resources/action-logs.ts';
import { pickSaveTarget, saveFile } from '../../ui/save-file.ts';
import { createExportWriter } from '../../model/export/export-writer.ts';
import { parseRaw, type LogEntry } from '../entry.ts';

const CHUNK_SIZE = 1000;

/**
 * Writes entries to a file that the user chooses, as CSV or one JSON per line. `read` reads the JSON of an entry without
 * stored text. Resolves to the file's URI, `undefined` if cancelled. Rejects with Error.
 */
export async function exportEntries(
  services: Services,
  entries: readonly LogEntry[],
  read: (entry: LogEntry, signal: AbortSignal) => Promise<unknown>,
): Promise<vscode.Uri | undefined> {
  const { ui } = services;
  if (entries.length === 0)
    throw new Error(l10n.t('there are no action logs to export. Change the filters or the search'));
  const name = `action-logs-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.ndjson`;
  const target = await pickSaveTarget(ui, {
    name,
    title: l10n.t('Export Action Logs'),
    filters: { [l10n.t('JSON Lines')]: ['ndjson'], CSV: ['csv'] },
  });
  if (target === undefined) return undefined;
  const writer = createExportWriter(target.path.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson', actionLogs);
  await ui.progress(l10n.t('Exporting action logs'), async (signal, report) => {
    const parts = [writer.head];
    for (let at = 0; at < entries.length; at += CHUNK_SIZE) {
      signal.throwIfAborted();
      const items: unknown[] = [];
      for (const entry of entries.slice(at, at + CHUNK_SIZE))
        items.push(parseRaw(entry) ?? (await read(entry, signal)));
      parts.push(writer.rows(items, at));
      report(
        l10n.t('{0} of {1}', formatNumber(Math.min(at + CHUNK_SIZE, entries.length)), formatNumber(entries.length)),
      );
    }
    parts.push(writer.tail(entries.length));
    // Masks secrets that became known after the entries were read.
    await saveFile(target, services.redact(parts.join('')));
  });
  const open = l10n.t('Open File');
  void ui.info(l10n.t('Action logs exported to {0}.', target.path.split('/').pop() ?? name), open).then((chosen) => {
    if (chosen === open) void vscode.window.showTextDocument(target);
  });
  return target;
}
