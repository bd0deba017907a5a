/** Offers the program's MCP server to the editor (`contributes.mcpServerDefinitionProviders`), without any credential. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';
import type { Profile } from '../model/session/session.ts';
import { formatConnectionOptions } from '../model/session/connection-options.ts';

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
        const { markProduction } = await import('../model/session/production.ts');
        const known = all.map(({ profile }) => profile);
        return [...createMcpServerDefinition(markProduction(active.profile, known), extension)];
      },
    }),
  );
}

function isProvided(): boolean {
  return vscode.workspace.getConfiguration('smartObjects').get(SETTING) === true;
}

/**
 * The program `mcp` for a connection of the user; none for one of the workspace, whose address is not trusted. It gets no
 * credential from here. That of the editor's own environment stays if SMART_OBJECTS_BASE_URL names the same platform,
 * and is removed if it does not.
 */
export function createMcpServerDefinition(
  profile: Profile,
  { extensionUri, packageJSON }: Pick<vscode.Extension<unknown>, 'extensionUri' | 'packageJSON'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly vscode.McpStdioServerDefinition[] {
  if (profile.source === 'workspace') return [];
  const { version } = packageJSON as { readonly version: string };
  const cli = vscode.Uri.joinPath(extensionUri, 'dist/cli.mjs').fsPath;
  const isOfConnection = isSameAddress(environment['SMART_OBJECTS_BASE_URL'], profile.baseUrl);
  return [
    new vscode.McpStdioServerDefinition(
      `Smart Objects: ${profile.name}`,
      process.execPath,
      [cli, 'mcp', ...formatConnectionOptions(profile)],
      {
        // Desktop VS Code runs its own program as Node only with this.
        ELECTRON_RUN_AS_NODE: '1',
        ...(!isOfConnection && { SMART_OBJECTS_API_KEY: null, SMART_OBJECTS_ACCESS_TOKEN: null }),
      },
      version,
    ),
  ];
}

function isSameAddress(given: string | undefined, baseUrl: string): boolean {
  if (given === undefined || !URL.canParse(given)) return false;
  const normalize = (url: string): string => new URL(url).href.replace(/\/+$/, '');
  return normalize(given) === normalize(baseUrl);
}
