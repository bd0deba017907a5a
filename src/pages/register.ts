/** Registers the pages of resources; their code loads when one is first opened or restored. */
import type { ActionHooks } from '../actions/register.ts';
import type { FeatureContext, Services } from '../commands/context.ts';
import { registerWebviewPanel } from '../commands/register-webviews.ts';
import type { DocumentHooks } from '../documents/register.ts';
import type { FaceHooks } from '../faces/register.ts';
import type { LogsHooks } from '../logs/register.ts';
import type { PagesController } from './controller.ts';
import { PAGE_TYPE } from './view-type.ts';

interface FeatureHooks {
  readonly documents: DocumentHooks;
  readonly faces: FaceHooks;
  readonly actions: ActionHooks;
  readonly logs: LogsHooks;
}

/** Registers the commands and the panel of pages, which show parts of other features. */
export function registerPages(features: FeatureContext, { documents, faces, actions, logs }: FeatureHooks): void {
  let loading: Promise<PagesController> | undefined;
  const load = async (services: Services): Promise<PagesController> => {
    const [{ PagesController }, { context }, { gates }] = await Promise.all([
      import('./controller.ts'),
      documents.controller(),
      faces.controller(services),
    ]);
    return new PagesController({ features, services, documents: context, gates, logs });
  };
  const getController = (services: Services): Promise<PagesController> => (loading ??= load(services));
  features.registerCommand('openPage', async (services, resource, keep) =>
    (await getController(services)).open(resource, keep === true ? 'kept' : 'active'),
  );
  features.registerCommand('openToSide', async (services, resource) =>
    (await getController(services)).open(resource, 'beside'),
  );
  features.registerCommand('showObjectHistory', async (services, argument) =>
    (await getController(services)).openHistory(argument),
  );
  registerWebviewPanel(features, PAGE_TYPE, async (services, panel, state) =>
    (await getController(services)).restore(panel, state),
  );
  features.addDisposable(
    actions.onDidTouch((run) => void loading?.then((controller) => controller.refreshTouched(run))),
  );
}
