import type { FeatureContext, Services } from '../commands/context.ts';
import { registerWebviewPanel } from '../commands/register-webviews.ts';
import type { FacesController } from './controller.ts';
import { PANEL_TYPE, SCRIPTED_PANEL_TYPE } from './panel-types.ts';

/** What pages with faces use; the first call loads the previews. */
export interface FaceHooks {
  controller(services: Services): Promise<FacesController>;
}

/** Registers the commands and panels of face previews; their code loads on first use. */
export function registerFaces(features: FeatureContext): FaceHooks {
  let loading: Promise<FacesController> | undefined;
  const controller = (services: Services): Promise<FacesController> =>
    (loading ??= import('./controller.ts').then(({ FacesController }) => new FacesController(features, services)));

  features.registerCommand('previewFace', async (services, source) => (await controller(services)).preview(source));
  features.registerCommand('previewAsset', async (services, source) =>
    (await controller(services)).preview(source, 'assets'),
  );
  features.registerCommand('openFaceLab', async (services, source) => (await controller(services)).openLab(source));
  for (const type of [PANEL_TYPE, SCRIPTED_PANEL_TYPE])
    registerWebviewPanel(features, type, async (services, panel, state) =>
      (await controller(services)).restore(panel, state),
    );
  return { controller };
}
