/** Face content as a JSON string: copied from a face, opened as an HTML document. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import { tryParseJson } from '../platform/json/parse-json.ts';

/** Copies the content as a one-line JSON string. Rejects if the clipboard cannot be written. */
export async function copyAsJsonString(content: string): Promise<void> {
  await vscode.env.clipboard.writeText(JSON.stringify(content));
  vscode.window.setStatusBarMessage(l10n.t('$(check) Copied as JSON string'), 2500);
}

/**
 * Asks for a JSON string, suggesting the clipboard, and opens its text as an HTML document. Rejects if VS Code
 * cannot open it.
 */
export async function openJsonString(services: Services): Promise<void> {
  const clipboard = (await vscode.env.clipboard.readText()).trim();
  const suggestion = parseJsonString(clipboard) === undefined ? '' : clipboard;
  const text = await services.ui.input({
    title: l10n.t('Open JSON String as HTML'),
    prompt: l10n.t('Content of a face as a JSON string, including the quotes'),
    value: suggestion,
    validateInput: (typed) =>
      parseJsonString(typed) === undefined ? l10n.t('Enter a JSON string, including the quotes.') : undefined,
  });
  const content = text === undefined ? undefined : parseJsonString(text);
  if (content === undefined) return;
  await openUntitledHtml(content);
}

/**
 * Opens content as an untitled HTML document; a single long line is formatted. Rejects if VS Code cannot open it.
 */
export async function openUntitledHtml(content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language: 'html', content });
  await vscode.window.showTextDocument(document, { preview: false });
  if (!content.trim().includes('\n') && content.length > 120)
    await vscode.commands.executeCommand('editor.action.formatDocument');
  return document;
}

/** Parses a JSON string, also one with a trailing comma; `undefined` for anything else. */
function parseJsonString(text: string): string | undefined {
  const value = tryParseJson(text.trim().replace(/,$/, ''));
  return typeof value === 'string' ? value : undefined;
}
