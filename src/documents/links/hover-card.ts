/** Hover cards in Markdown. Their buttons only open, copy, show or ask: none executes, signs in or changes anything by itself. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../commands/ids.ts';
import { FILTER_KINDS } from '../../model/resources/filter-kinds.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { KnownId } from '../../cache/id-index.ts';
import { formatLabelled } from '../../model/text/labels.ts';
import { escapeLinks } from '../../ui/escape-links.ts';
import { formatLocalTime, parseDateTime, formatRelativeTime } from '../../model/text/time-format.ts';
import { getResourceCommands } from '../resource-commands.ts';
import { getDefinition } from '../../platform/registry.ts';
import { formatStatus } from '../../model/text/status.ts';

/** The commands that a card's buttons may run. */
const CARD_COMMANDS = [
  'openResource',
  'copyId',
  'openExternal',
  'showObjectHistory',
  'showActionLogs',
  'previewFace',
  'previewAsset',
  'labelThis',
  'filterByThis',
] as const satisfies readonly CommandId[];
type CardCommand = (typeof CARD_COMMANDS)[number];

function isCardCommand(command: CommandId): command is CardCommand {
  return CARD_COMMANDS.some((allowed) => allowed === command);
}

/** Room for a label and an address. */
const MAX_LABELLED_LENGTH = 160;

interface CardButton {
  readonly label: string;
  readonly icon: string;
  readonly command: CardCommand;
  readonly argument: ResourceArgument | string;
}

function createLabelButton(argument: ResourceArgument | string, label: string | undefined): CardButton {
  return {
    label: label === undefined ? l10n.t('Label This…') : l10n.t('Edit Label…'),
    icon: 'tag',
    command: 'labelThis',
    argument,
  };
}

/** Returns the buttons for a resource. `readable`: whether it has a document. */
function createResourceButtons(
  resource: ResourceArgument,
  { readable, label }: Pick<ResourceFacts, 'readable' | 'label'>,
): readonly CardButton[] {
  const button = (label: string, icon: string, command: CardCommand): CardButton => ({
    label,
    icon,
    command,
    argument: resource,
  });
  return [
    ...(readable ? [button(l10n.t('Open'), 'go-to-file', 'openResource')] : []),
    button(l10n.t('Copy ID'), 'copy', 'copyId'),
    ...getResourceCommands(resource.kind).flatMap(({ label, icon, command }) =>
      isCardCommand(command) ? [button(label, icon, command)] : [],
    ),
    ...(FILTER_KINDS.has(resource.kind) ? [createFilterButton(resource)] : []),
    createLabelButton(resource, label),
  ];
}

function createFilterButton(argument: ResourceArgument): CardButton {
  return { label: l10n.t('Filter by This'), icon: 'filter', command: 'filterByThis', argument };
}

/** Creates an empty card that is trusted for the allowed commands only. */
function createCard(): vscode.MarkdownString {
  const card = new vscode.MarkdownString(undefined, true);
  card.isTrusted = { enabledCommands: CARD_COMMANDS.map((id) => `smartObjects.${id}`) };
  return card;
}

/** What is known about a resource without reading it. */
interface ResourceFacts {
  readonly known: KnownId | undefined;
  /** the user's label of its id */
  readonly label: string | undefined;
  /** it has a document */
  readonly readable: boolean;
  /** milliseconds since the epoch */
  readonly now: number;
}

/** Creates the card of a resource from what is cached about it. */
export function createResourceCard(resource: ResourceArgument, facts: ResourceFacts): vscode.MarkdownString {
  const { known, label, readable, now } = facts;
  const card = createCard();
  const definition = getDefinition(resource.kind);
  card.appendMarkdown(`$(${definition?.icon ?? 'file'}) **`);
  // The known title of an account is that of the resource in which it was found.
  const isNamedByLabel = label !== undefined && definition?.read.by === 'cache';
  card.appendText(
    escapeLinks((isNamedByLabel ? label : known?.title) ?? '', 80) || (definition?.singular ?? l10n.t('resource')),
  );
  card.appendMarkdown('**  \n');
  // For an unknown resource, the title is already its kind.
  const kind = known === undefined ? undefined : definition?.singular;
  const details = [kind, known?.state && formatStatus(known.state), formatAge(known?.when, now), resource.connection];
  card.appendText(
    details
      .filter((fact) => fact !== undefined)
      .map((fact) => escapeLinks(fact, 60))
      .join(' · '),
  );
  // The title of a resource without a name is its id.
  if (known?.title !== resource.id || label !== undefined) {
    card.appendMarkdown('\n\n');
    const value = isNamedByLabel ? resource.id : formatLabelled(resource.id, label);
    card.appendText(escapeLinks(value, MAX_LABELLED_LENGTH));
  }
  appendButtons(card, createResourceButtons(resource, facts));
  if (!readable) card.appendMarkdown(`\n\n_${l10n.t('The API can’t read it by its ID.')}_`);
  return card;
}

function formatAge(when: string | undefined, now: number): string | undefined {
  const time = when === undefined ? undefined : parseDateTime(when);
  return time === undefined ? undefined : formatRelativeTime(time, now);
}

/** Appends buttons to a card in one line. */
function appendButtons(card: vscode.MarkdownString, buttons: readonly CardButton[]): void {
  card.appendMarkdown('\n\n');
  card.appendMarkdown(buttons.map(formatButton).join(' &nbsp; '));
}

function formatButton({ label, icon, command, argument }: CardButton): string {
  return `[$(${icon}) ${label}](${createCommandLink(command, argument)} "${label}")`;
}

/** Returns a command link; encodes also the characters that would end a Markdown link. */
function createCommandLink(command: CardCommand, argument: ResourceArgument | string): string {
  const encoded = encodeURIComponent(JSON.stringify([argument]).toWellFormed());
  const safe = encoded.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return `command:smartObjects.${command}?${safe}`;
}

/** Creates the card of an organization, which has no document; it links to the user's role there. */
export function createOrganizationCard(
  role: ResourceArgument,
  id: string,
  label: string | undefined,
): vscode.MarkdownString {
  const card = createCard();
  card.appendMarkdown('$(organization) **');
  card.appendText(escapeLinks(label ?? '', 80) || l10n.t('Organization'));
  card.appendMarkdown('**  \n');
  card.appendText(escapeLinks(id, 100));
  appendButtons(card, [
    { label: l10n.t('Your Role'), icon: 'shield', command: 'openResource', argument: role },
    { label: l10n.t('Copy ID'), icon: 'copy', command: 'copyId', argument: { ...role, id: `organization/${id}` } },
    createFilterButton({ ...role, kind: 'organizations', id }),
  ]);
  return card;
}

/** Creates a card with a picture from a data: URI. */
export function createPictureCard(dataUri: string): vscode.MarkdownString {
  return new vscode.MarkdownString(`![${l10n.t('image')}](${dataUri}|height=64)`);
}

/** Creates a card with a local and relative time; both arguments in milliseconds since the epoch. */
export function createTimeCard(time: number, now: number): vscode.MarkdownString {
  const card = new vscode.MarkdownString();
  card.appendText(`${formatLocalTime(time)} (${formatRelativeTime(time, now)})`);
  return card;
}

/** Creates a card with plain text. */
export function createTextCard(text: string): vscode.MarkdownString {
  const card = new vscode.MarkdownString();
  card.appendText(text);
  return card;
}

/** Creates the card of an address, account name or id of no known resource. */
export function createLabelCard(value: string, label: string | undefined): vscode.MarkdownString {
  const card = createCard();
  card.appendText(escapeLinks(formatLabelled(value, label), MAX_LABELLED_LENGTH));
  appendButtons(card, [createLabelButton(value, label)]);
  return card;
}

/** Creates a card that offers to look up a word that looks like an id. */
export function createLookUpCard(id: string): vscode.MarkdownString {
  const card = createCard();
  card.appendText(escapeLinks(id, 100));
  appendButtons(card, [{ label: l10n.t('Look Up'), icon: 'search', command: 'openResource', argument: id }]);
  return card;
}
