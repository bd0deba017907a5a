import fs from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { formatError } from '../../model/text/error-message.ts';
import type { Session } from '../../model/session/session.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { formatExported, getFileName, getPartialPath, notifyExported, pickExportTarget } from './export-target.ts';
import { savePartial } from '../../ui/save-file.ts';
import { createPartial } from '../../model/files/write-file.ts';
import { NO_PROGRESS, runExport } from './run-export.ts';

/** Prompts for format and file, and writes items that are loaded. Rejects with Error if the file cannot be written. */
export async function exportItems(
  { ui, context }: Services,
  session: Session,
  definition: ResourceDefinition,
  label: string,
  items: readonly { readonly raw: unknown }[],
): Promise<void> {
  const chosen = await pickExportTarget(ui, label, session, definition);
  if (chosen === undefined) return;
  const target = chosen.target.toString();
  const { file, path } = await createPartial(await getPartialPath(chosen.target, context.globalStorageUri));
  try {
    await runExport({
      definition,
      format: chosen.format,
      query: {},
      pages: () => [{ items }],
      file,
      from: NO_PROGRESS,
      signal: session.ended,
      onProgress: () => undefined,
    });
    await savePartial(path, chosen.target);
  } catch (error) {
    await fs.rm(path, { force: true });
    throw new Error(formatError(l10n.t('Export to {0}', getFileName(target)), error), { cause: error });
  }
  notifyExported({ ui }, target, formatExported(items.length, target));
}
