/** Completion items of action files. */
import * as l10n from '@vscode/l10n';
import type { Location } from 'jsonc-parser';
import * as vscode from 'vscode';
import { actionKinds, getActionKind, type ActionField } from '../file/action-kinds.ts';
import type { KnownIdentities } from '../testing/check-test-file.ts';
import type { KnownResource } from './live-data.ts';

/** The range of the token at the cursor, which a completion replaces. */
export function getTokenRange(
  document: vscode.TextDocument,
  position: vscode.Position,
  { previousNode }: Location,
): vscode.Range {
  const offset = document.offsetAt(position);
  if (previousNode === undefined || offset < previousNode.offset || offset > previousNode.offset + previousNode.length)
    return new vscode.Range(position, position);
  const { offset: start, length } = previousNode;
  return new vscode.Range(document.positionAt(start), document.positionAt(start + length));
}

/** The kinds of action, with their required fields. */
export function createKindItems(
  { isAtPropertyKey, previousNode }: Location,
  range: vscode.Range,
): vscode.CompletionItem[] {
  // A key with a value only changes its name.
  const hasValue = isAtPropertyKey && previousNode?.colonOffset !== undefined && previousNode.colonOffset >= 0;
  return actionKinds.map(({ name, about, fields }) => {
    const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Method);
    item.detail = about;
    item.range = range;
    item.filterText = JSON.stringify(name);
    if (hasValue) item.insertText = JSON.stringify(name);
    else {
      const lines = fields
        .filter(({ optional }) => optional !== true)
        .map((field, index) => `\t"${field.name}": ${formatSnippetValue(field, index + 1)}`);
      item.insertText = new vscode.SnippetString(`"${name}": {\n${lines.join(',\n')}\n}`);
    }
    return item;
  });
}

function formatSnippetValue({ sample }: ActionField, index: number): string {
  const inner = /^"(.*)"$/.exec(sample)?.[1];
  const escaped = (text: string): string => text.replace(/[$}\\]/g, '\\$&');
  return inner === undefined ? `\${${String(index)}:${escaped(sample)}}` : `"\${${String(index)}}"`;
}

/** The fields of a kind of action. */
export function createFieldItems(kind: string, location: Location, range: vscode.Range): vscode.CompletionItem[] {
  const hasValue = (location.previousNode?.colonOffset ?? -1) >= 0;
  return (getActionKind(kind)?.fields ?? []).map((field) => {
    const item = new vscode.CompletionItem(field.name, vscode.CompletionItemKind.Property);
    item.detail = field.about;
    item.range = range;
    item.filterText = JSON.stringify(field.name);
    item.insertText = hasValue
      ? JSON.stringify(field.name)
      : new vscode.SnippetString(`"${field.name}": ${formatSnippetValue(field, 1)}`);
    return item;
  });
}

/** An item that is found by name and by id. */
export function createResourceItem(
  { id, name, details }: KnownResource,
  index: number,
  range: vscode.Range,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(
    { label: name === id ? id : name, description: id },
    vscode.CompletionItemKind.Value,
  );
  item.detail = details;
  item.range = range;
  item.insertText = JSON.stringify(id);
  item.filterText = JSON.stringify(`${name} ${id}`);
  item.sortText = String(index).padStart(4, '0');
  return item;
}

/** The names of identities. */
export function createIdentityItems(
  identities: KnownIdentities | undefined,
  range: vscode.Range,
): vscode.CompletionItem[] {
  return (identities?.names ?? []).map((name) => {
    const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Value);
    item.detail = l10n.t('identity of {0}', identities?.connection ?? '');
    item.range = range;
    item.insertText = JSON.stringify(name);
    item.filterText = JSON.stringify(name);
    return item;
  });
}
