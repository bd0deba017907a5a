import type { FeatureContext, Services } from '../commands/context.ts';
import { registerWebviewPanel } from '../commands/register-webviews.ts';
import type { StatisticsController } from './controller.ts';
import { VIEW_TYPE } from './view-type.ts';

/** Registers the command and panels of the statistics. The controller loads on first use. */
export function registerStatistics(features: FeatureContext): void {
  let loading: Promise<StatisticsController> | undefined;
  const loadController = (services: Services): Promise<StatisticsController> =>
    (loading ??= import('./controller.ts').then(({ StatisticsController }) => new StatisticsController(services)));

  features.registerCommand('showStatistics', async (services, argument) =>
    (await loadController(services)).show(argument),
  );
  registerWebviewPanel(features, VIEW_TYPE, async (services, panel, state) =>
    (await loadController(services)).restore(panel, state),
  );
}
