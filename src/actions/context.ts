import type { Services } from '../commands/context.ts';
import type { RunStore } from './history/run-store.ts';
import type { LiveDataBySession } from './language/live-data.ts';

/** What the parts of the actions feature share. */
export interface ActionsContext {
  readonly services: Services;
  readonly store: RunStore;
  readonly liveData: LiveDataBySession;
}
