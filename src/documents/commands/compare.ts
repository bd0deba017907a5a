/** Compare With…: diffs two resources, a resource with its earlier text, or the same one on two connections. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getTitleOrId } from '../../cache/title-lookup.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { Snapshot } from '../../cache/snapshots.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { getDefinition } from '../../platform/registry.ts';
import { formatEnvironment } from '../../model/text/heading.ts';
import { formatClockTime, formatLocalTime, formatRelativeTime } from '../../model/text/time-format.ts';
import { parseResource, parseSelection } from '../../model/resources/parse-argument.ts';
import { pickResource } from '../lookup/pick-resource.ts';
import { readOrOfferSignIn, getTargetResource, type DocumentsContext } from '../context.ts';
import { parseUri, toUri } from '../content/file-system.ts';
import { formatDocumentName } from '../content/tab-titles.ts';
import { getResourceKey } from '../content/document-store.ts';
import { SNAPSHOT_SCHEME } from '../../model/resources/resource-schemes.ts';
import { formatResourcePath } from '../../model/resources/resource-uri.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';

interface Side {
  readonly uri: vscode.Uri;
  readonly title: string;
}

type CompareChoice = vscode.QuickPickItem &
  ({ readonly snapshot: Snapshot } | { readonly other: ResourceArgument } | { readonly ask: true });

/** Opens a diff editor. `selection`: the selected rows of the tree; two of them are compared directly. Rejects with Error. */
export async function compareResources(
  context: DocumentsContext,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const selected = parseSelection(selection);
  const [first, second] = selected.map(parseResource);
  if (first !== undefined && second !== undefined && selected.length === 2) {
    await comparePair(context, first, second);
    return;
  }
  const resource =
    getTargetResource(context, argument) ??
    (await pickResource(context, l10n.t('Select the First Resource to Compare')));
  const shownDocument = resource === undefined ? undefined : await readOrOfferSignIn(context, resource);
  if (shownDocument === undefined || resource === undefined) return;
  const choice = await context.services.ui.pick(await createChoices(context, resource), {
    title: l10n.t('Compare “{0}” With…', formatDocumentName(context.services, shownDocument)),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (choice === undefined) return;
  if ('snapshot' in choice) {
    const name = formatDocumentName(context.services, shownDocument, 40);
    const path = formatResourcePath(resource);
    const { readAt } = choice.snapshot;
    await openDiff(
      {
        uri: vscode.Uri.from({ scheme: SNAPSHOT_SCHEME, path, query: String(readAt) }),
        title: `${name} (${formatClockTime(readAt)})`,
      },
      { uri: toUri(resource), title: `${name} (${shownDocument.definition.singular})` },
    );
  } else if ('other' in choice) await comparePair(context, choice.other, resource);
  else {
    const other = await pickResource(context, l10n.t('Select the Second Resource to Compare'));
    if (other !== undefined) await comparePair(context, other, resource);
  }
}

async function createChoices(context: DocumentsContext, resource: ResourceArgument): Promise<readonly CompareChoice[]> {
  const { sessions, snapshots } = context.services;
  const separator = (label: string): CompareChoice => ({ label, kind: vscode.QuickPickItemKind.Separator, ask: true });
  const current = context.store.get(resource)?.text;
  const earlier = (await snapshots.list(resource)).filter(({ text }) => text !== current);
  const elsewhere = sessions.all.filter(({ profile }) => profile.name !== resource.connection);
  const others = [...getOpenResources(), ...context.recents.all].filter(
    (other, index, all) =>
      getResourceKey(other) !== getResourceKey(resource) &&
      sessions.get(other.connection) !== undefined &&
      all.findIndex((candidate) => getResourceKey(candidate) === getResourceKey(other)) === index,
  );
  // The same kind first: the most common comparison.
  const sorted = others.toSorted((a, b) => Number(b.kind === resource.kind) - Number(a.kind === resource.kind));
  return [
    ...(earlier.length > 0 ? [separator(l10n.t('earlier versions'))] : []),
    ...earlier.map((snapshot) => ({
      label: `$(history) ${formatLocalTime(snapshot.readAt)}`,
      description: formatRelativeTime(snapshot.readAt),
      snapshot,
    })),
    ...(elsewhere.length > 0 ? [separator(l10n.t('other connections'))] : []),
    ...elsewhere.map(({ profile }) => ({
      label: `$(plug) ${escapeIcons(profile.name)}`,
      description: formatEnvironment(profile),
      other: { ...resource, connection: profile.name },
    })),
    separator(l10n.t('other resources')),
    { label: `$(search) ${l10n.t('By ID…')}`, ask: true },
    ...sorted.map((other) => ({
      label: escapeIcons(getTitleOrId(context.services, other)),
      description: escapeIcons(toPlainText(other.id, 60)),
      detail: `${getSingular(other)} · ${other.connection}`,
      other,
    })),
  ];
}

function getOpenResources(): readonly ResourceArgument[] {
  return vscode.workspace.textDocuments.flatMap(({ uri }) => parseUri(uri) ?? []);
}

async function comparePair(
  context: DocumentsContext,
  first: ResourceArgument,
  second: ResourceArgument,
): Promise<void> {
  // Read before the diff opens: a failure is shown as a message instead of an empty side.
  for (const resource of [first, second]) if ((await readOrOfferSignIn(context, resource)) === undefined) return;
  const [left, right] = [getName(context, first), getName(context, second)];
  // Whatever tells the two apart.
  const [leftDetail, rightDetail] =
    first.connection !== second.connection
      ? [first.connection, second.connection]
      : left === right
        ? [toPlainText(first.id, 40), toPlainText(second.id, 40)]
        : [getSingular(first), getSingular(second)];
  await openDiff(
    { uri: toUri(first), title: `${left} (${leftDetail})` },
    { uri: toUri(second), title: `${right} (${rightDetail})` },
  );
}

function getName({ store, services }: DocumentsContext, resource: ResourceArgument): string {
  const shownDocument = store.get(resource);
  return shownDocument === undefined
    ? getTitleOrId(services, resource, 40)
    : formatDocumentName(services, shownDocument, 40);
}

function getSingular({ kind }: ResourceArgument): string {
  return getDefinition(kind)?.singular ?? kind;
}

async function openDiff(left: Side, right: Side): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left.uri, right.uri, `${left.title} ↔ ${right.title}`);
}
