/** Offers the tools to the language models of the editor (`contributes.languageModelTools`). */
import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';

/** Registers each tool of the manifest; the first call loads the implementation. */
export function registerAgents(features: FeatureContext): void {
  const manifest = features.context.extension.packageJSON as {
    readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
  };
  for (const { name } of manifest.contributes.languageModelTools)
    features.addDisposable(
      vscode.lm.registerTool(name, {
        async invoke({ input }, token) {
          const [{ tools, runTool }, services] = await Promise.all([import('./tools.ts'), features.services()]);
          const tool = tools.find((candidate) => candidate.name === name);
          if (tool === undefined) throw new Error(`There is no tool ${name}`);
          const stop = new AbortController();
          token.onCancellationRequested(() => {
            stop.abort();
          });
          const { sessions } = services;
          const context = {
            sessions: () => sessions.all,
            active: () => sessions.active,
            secrets: () => services.knownSecrets(),
          };
          const { text } = await runTool(tool, input, context, stop.signal);
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        },
      }),
    );
}
