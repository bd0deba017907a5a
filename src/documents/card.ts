/** Hover cards: what is known of a resource, and buttons that open, copy or show. None executes, signs in or sets anything. */
import * as vscode from 'vscode';
import type { CommandId, ResourceArgument } from '../commands/ids.ts';
import type { KnownId } from '../connections/id-index.ts';
import { plainText } from '../platform/plain-text.ts';
import { localTime, parseDateTime, relativeTime } from '../ui/times.ts';
import { rowOf } from './lookup.ts';

/** The closed list of what a card's buttons may do. */
const ALLOWED = [
  'openResource',
  'copyId',
  'openExternal',
  'showObjectHistory',
  'showActionLogs',
  'previewFace',
  'previewAsset',
] as const satisfies readonly CommandId[];
type Allowed = (typeof ALLOWED)[number];

export interface Button {
  readonly label: string;
  readonly icon: string;
  readonly command: Allowed;
  readonly argument: ResourceArgument | string;
}

/** What a resource of a kind can be asked for beyond its document. */
export function buttonsOf(resource: ResourceArgument, readable: boolean): readonly Button[] {
  const button = (label: string, icon: string, command: Allowed): Button => ({
    label,
    icon,
    command,
    argument: resource,
  });
  return [
    ...(readable ? [button('Open', 'go-to-file', 'openResource')] : []),
    button('Copy ID', 'copy', 'copyId'),
    ...(resource.kind === 'objects' ? [button('History', 'history', 'showObjectHistory')] : []),
    ...(['batches', 'wallets'].includes(resource.kind) ? [button('Action Logs', 'history', 'showActionLogs')] : []),
    ...(['objects', 'faces', 'templates'].includes(resource.kind)
      ? [button('Preview Face', 'open-preview', 'previewFace')]
      : []),
    ...(resource.kind === 'assets' ? [button('Preview', 'open-preview', 'previewAsset')] : []),
  ];
}

/** An empty card that may run the allowed commands, and nothing else. */
export function emptyCard(): vscode.MarkdownString {
  const card = new vscode.MarkdownString(undefined, true);
  card.isTrusted = { enabledCommands: ALLOWED.map((id) => `smartObjects.${id}`) };
  return card;
}

/** The card of a resource. `known`: what earlier answers told; nothing is asked for now. */
export function resourceCard(
  resource: ResourceArgument,
  known: KnownId | undefined,
  readable: boolean,
  now: number,
): vscode.MarkdownString {
  const card = emptyCard();
  const row = rowOf(resource.kind);
  card.appendMarkdown(`$(${row?.icon ?? 'file'}) **`);
  card.appendText(inert(known?.title ?? '', 80) || (row?.singular ?? 'resource'));
  card.appendMarkdown('**  \n');
  // Of what was never met, the title already says the kind.
  const kind = known === undefined ? undefined : row?.singular;
  const facts = [kind, known?.state, momentOf(known?.when, now), resource.connection];
  card.appendText(
    facts
      .filter((fact) => fact !== undefined)
      .map((fact) => inert(fact, 60))
      .join(' · '),
  );
  card.appendMarkdown('\n\n');
  card.appendText(inert(resource.id, 100));
  appendButtons(card, buttonsOf(resource, readable));
  if (!readable) card.appendMarkdown('\n\n_The platform offers no way to read it by its id._');
  return card;
}

function momentOf(when: string | undefined, now: number): string | undefined {
  const time = when === undefined ? undefined : parseDateTime(when);
  return time === undefined ? undefined : relativeTime(time, now);
}

/** Text that Markdown makes no link of: `appendText` escapes its syntax, but bare addresses still become links. */
export function inert(text: string, most: number): string {
  return plainText(text, most)
    .replaceAll('<', '<\u2060')
    .replaceAll('://', ':\u2060//')
    .replace(/www\./gi, (word) => `${word.slice(0, 3)}\u2060.`)
    .replaceAll('@', '\u2060@');
}

export function appendButtons(card: vscode.MarkdownString, buttons: readonly Button[]): void {
  card.appendMarkdown('\n\n');
  card.appendMarkdown(buttons.map(buttonText).join(' &nbsp; '));
}

function buttonText({ label, icon, command, argument }: Button): string {
  return `[$(${icon}) ${label}](${commandLink(command, argument)} "${label}")`;
}

/** Parentheses, quotes and the like would end the link early. */
export function commandLink(command: Allowed, argument: ResourceArgument | string): string {
  const encoded = encodeURIComponent(JSON.stringify([argument]).toWellFormed());
  const safe = encoded.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return `command:smartObjects.${command}?${safe}`;
}

/** An organization has no document; what can be read of it is the person's own role there. */
export function organizationCard(role: ResourceArgument, id: string, label: string | undefined): vscode.MarkdownString {
  const card = emptyCard();
  card.appendMarkdown('$(organization) **');
  card.appendText(inert(label ?? '', 80) || 'organization');
  card.appendMarkdown('**  \n');
  card.appendText(inert(id, 100));
  appendButtons(card, [
    { label: 'Your Role', icon: 'shield', command: 'openResource', argument: role },
    { label: 'Copy ID', icon: 'copy', command: 'copyId', argument: { ...role, id: `organization/${id}` } },
  ]);
  return card;
}

/** A picture below a card, given as a data: URI. It comes by itself, for it may have to be fetched. */
export function pictureCard(dataUri: string): vscode.MarkdownString {
  return new vscode.MarkdownString(`![picture](${dataUri}|height=64)`);
}

/** A moment in this machine's time, with how long ago. */
export function momentCard(time: number, now: number): vscode.MarkdownString {
  const card = new vscode.MarkdownString();
  card.appendText(`${localTime(time)} (${relativeTime(time, now)})`);
  return card;
}

/** Words of our own. */
export function noteCard(text: string): vscode.MarkdownString {
  const card = new vscode.MarkdownString();
  card.appendText(text);
  return card;
}

/** Something that only looks like an id: it is looked up when the person says so, and not before. */
export function lookUpCard(id: string): vscode.MarkdownString {
  const card = emptyCard();
  card.appendText(inert(id, 100));
  appendButtons(card, [{ label: 'Look Up', icon: 'search', command: 'openResource', argument: id }]);
  return card;
}
