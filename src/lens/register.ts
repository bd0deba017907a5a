import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';

const isOn = (): boolean => vscode.workspace.getConfiguration('smartObjects').get('logLens') === true;

/** Loads the lenses of action logs once their setting is on. Until then none is registered. */
export function registerLogLens(features: FeatureContext): void {
  const load = (): void => {
    if (!isOn()) return;
    listener.dispose();
    void import('./log-lenses.ts').then(({ registerLenses }) => registerLenses(features, isOn));
  };
  const listener = features.addDisposable(vscode.workspace.onDidChangeConfiguration(load));
  load();
}
