import type { FeatureContext } from '../commands/context.ts';
import { registerWebviewView } from '../commands/register-webviews.ts';

/** Registers the Requests view. Its code loads, and requests are recorded, once it is first shown. */
export function registerRequests(features: FeatureContext): void {
  registerWebviewView(features, 'smartObjects.requests', async (services, view) =>
    (await import('./requests-view.ts')).showRequests(features, services, view),
  );
}
