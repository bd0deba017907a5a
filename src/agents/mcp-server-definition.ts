import * as vscode from 'vscode';
import { formatConnectionOptions } from '../model/session/connection-options.ts';
import type { Profile } from '../model/session/session.ts';

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
