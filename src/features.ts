/** The list of features, in the order in which they register their commands, views and providers. */
import { registerActions } from './actions/register.ts';
import type { Entry } from './commands/entry.ts';
import { registerConnections } from './connections/register.ts';
import { registerDocuments } from './documents/register.ts';
import { registerExplorer, type ExplorerHooks } from './explorer/register.ts';
import { registerFaces } from './faces/register.ts';
import { registerLogs, type LogsHooks } from './logs/register.ts';
import { registerStatistics } from './stats/register.ts';

/** Registers every feature. Returns handles on the tree and the logs, for whoever embeds the extension. */
export function registerFeatures(entry: Entry): { readonly explorer: ExplorerHooks; readonly logs: LogsHooks } {
  registerConnections(entry);
  const explorer = registerExplorer(entry);
  registerDocuments(entry);
  registerFaces(entry);
  registerActions(entry);
  const logs = registerLogs(entry);
  registerStatistics(entry);
  return { explorer, logs };
}
