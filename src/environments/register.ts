import type { FeatureContext } from '../commands/context.ts';

/** Registers the command that compares environments; what it does is imported on first use. */
export function registerEnvironments(features: FeatureContext): void {
  features.registerCommand('compareEnvironments', async (services, argument) =>
    (await import('./compare-command.ts')).compareEnvironments(services, argument),
  );
}
