/** Offers the tools to the language models of the editor (`contributes.languageModelTools`). */
import * as vscode from 'vscode';
import type { ActionHooks } from '../actions/register.ts';
import type { FeatureContext } from '../commands/context.ts';
import type { EditorTools } from './editor-tools.ts';
import { registerMcpServer } from './mcp-server.ts';

/** Registers each tool of the manifest, and the MCP server; the first call loads the implementation. */
export function registerAgents(features: FeatureContext, actions: ActionHooks): void {
  const manifest = features.context.extension.packageJSON as {
    readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
  };
  let loading: Promise<EditorTools> | undefined;
  const load = async (): Promise<EditorTools> => {
    const [{ EditorTools }, services] = await Promise.all([import('./editor-tools.ts'), features.services()]);
    return new EditorTools(services, actions);
  };
  const getTools = (): Promise<EditorTools> => (loading ??= load());
  for (const { name } of manifest.contributes.languageModelTools)
    features.addDisposable(
      vscode.lm.registerTool<object>(name, {
        prepareInvocation: async ({ input }, token) => (await getTools()).prepare(name, input, toSignal(token)),
        invoke: async ({ input }, token) => {
          const text = await (await getTools()).invoke(name, input, toSignal(token));
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        },
      }),
    );
  registerMcpServer(features);
}

function toSignal(token: vscode.CancellationToken): AbortSignal {
  const stop = new AbortController();
  if (token.isCancellationRequested) stop.abort();
  token.onCancellationRequested(() => stop.abort());
  return stop.signal;
}
