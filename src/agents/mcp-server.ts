/** Offers the program's MCP server to the editor (`contributes.mcpServerDefinitionProviders`), without any credential. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';

const PROVIDER = 'smartObjects.mcp';
const SETTING = 'agents.provideMcpServer';

/** Registers the provider. It names no server unless the user turns it on, and loads nothing before. */
export function registerMcpServer(features: FeatureContext): void {
  const changed = features.addDisposable(new vscode.EventEmitter<void>());
  features.addDisposable(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`smartObjects.${SETTING}`)) changed.fire();
    }),
  );
  features.onServicesLoaded(({ sessions }) => {
    features.addDisposable(
      sessions.onDidChange(() => {
        if (isProvided()) changed.fire();
      }),
    );
  });
  features.addDisposable(
    vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => {
        if (!isProvided()) return [];
        const { active, all } = (await features.services()).sessions;
        const { extension } = features.context;
        if (active === undefined) return [];
        const [{ createMcpServerDefinition }, { markProduction }] = await Promise.all([
          import('./mcp-server-definition.ts'),
          import('../model/session/production.ts'),
        ]);
        const known = all.map(({ profile }) => profile);
        return [...createMcpServerDefinition(markProduction(active.profile, known), extension)];
      },
    }),
  );
}

function isProvided(): boolean {
  return vscode.workspace.getConfiguration('smartObjects').get(SETTING) === true;
}
