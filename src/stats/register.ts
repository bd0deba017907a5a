/** Registers the statistics dashboard: cheap proxies now, the room itself on first use. */
import type { Entry, Services } from '../commands/entry.ts';
import { lazyPanel } from '../webviews/lazy.ts';
import type { StatisticsRoom } from './room.ts';

export function registerStatistics(entry: Entry): void {
  let loading: Promise<StatisticsRoom> | undefined;
  const room = (services: Services): Promise<StatisticsRoom> =>
    (loading ??= import('./room.ts').then(({ StatisticsRoom }) => new StatisticsRoom(services)));

  entry.command('showStatistics', async (services, of) => (await room(services)).show(of));
  lazyPanel(entry, 'smartObjects.statistics', async (services, panel, state) =>
    (await room(services)).restore(panel, state),
  );
}
