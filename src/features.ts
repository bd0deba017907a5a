/** Registers the features, in this order. */
import { registerActions } from './actions/register.ts';
import { registerAgents } from './agents/register.ts';
import type { FeatureContext } from './commands/context.ts';
import { registerConnections } from './connections/register.ts';
import { registerDocuments } from './documents/register.ts';
import { registerEnvironments } from './environments/register.ts';
import { registerExplorer, type ExplorerHooks } from './explorer/register.ts';
import { registerFaces } from './faces/register.ts';
import { registerLogLens } from './lens/register.ts';
import { registerLogs, type LogsHooks } from './logs/register.ts';
import { registerPages } from './pages/register.ts';
import { registerRequests } from './requests/register.ts';
import { registerStatistics } from './statistics/register.ts';
import { registerWatches } from './watches/register.ts';

/** Registers every feature. Returns handles on the tree and the logs for tests. */
export function registerFeatures(features: FeatureContext): {
  readonly explorer: ExplorerHooks;
  readonly logs: LogsHooks;
} {
  registerConnections(features);
  const explorer = registerExplorer(features);
  const documents = registerDocuments(features);
  const faces = registerFaces(features);
  const actions = registerActions(features);
  const logs = registerLogs(features);
  registerStatistics(features);
  registerRequests(features);
  registerAgents(features, actions);
  registerEnvironments(features);
  registerPages(features, { documents, faces, actions, logs });
  registerWatches(features, { documents, logs });
  registerLogLens(features);
  return { explorer, logs };
}
