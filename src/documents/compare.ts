/** Compare With…: two resources, one resource then and now, or the same one on two connections, in VS Code's own diff. */
import * as vscode from 'vscode';
import type { ResourceArgument } from '../commands/ids.ts';
import type { Snapshot } from '../connections/snapshots.ts';
import { plainText } from '../platform/plain-text.ts';
import { clockTime, localTime, relativeTime } from '../ui/times.ts';
import { resourceFrom, selectedFrom } from './argument.ts';
import { chooseResource } from './choose.ts';
import { readOrOfferSignIn, targetOf, type Desk } from './desk.ts';
import { resourceOf, uriOf } from './file-system.ts';
import { rowOf } from './lookup.ts';
import { keyOf } from './store.ts';
import { pathOf, SNAPSHOT_SCHEME } from './uri.ts';

interface Side {
  readonly uri: vscode.Uri;
  readonly title: string;
}

type Choice = vscode.QuickPickItem &
  ({ readonly seen: Snapshot } | { readonly other: ResourceArgument } | { readonly ask: true });

/** `argument`: a resource or row, or two of them, as VS Code hands over a selection in the tree. */
export async function compareResources(desk: Desk, argument: unknown, selection: unknown): Promise<void> {
  const selected = selectedFrom(selection);
  const [first, second] = selected.map(resourceFrom);
  if (first !== undefined && second !== undefined && selected.length === 2) {
    await compareTwo(desk, first, second);
    return;
  }
  const resource = targetOf(argument) ?? (await chooseResource(desk, 'Compare: the first one'));
  const shown = resource === undefined ? undefined : await readOrOfferSignIn(desk, resource);
  if (shown === undefined || resource === undefined) return;
  const choice = await desk.services.ui.pick(await choices(desk, resource), {
    title: `Compare ${shown.row.singular} ${plainText(resource.id, 60)} with`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (choice === undefined) return;
  if ('seen' in choice) await diff(seenSide(resource, choice.seen), liveSide(resource));
  else if ('other' in choice) await compareTwo(desk, choice.other, resource);
  else {
    const other = await chooseResource(desk, 'Compare: the other one');
    if (other !== undefined) await compareTwo(desk, other, resource);
  }
}

async function choices(desk: Desk, resource: ResourceArgument): Promise<readonly Choice[]> {
  const { sessions, snapshots } = desk.services;
  const separator = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator, ask: true });
  const current = desk.store.get(resource)?.text;
  const seen = (await snapshots.of(resource)).filter(({ text }) => text !== current);
  const elsewhere = sessions.all.filter(({ profile }) => profile.name !== resource.connection);
  const others = [...open(), ...desk.recents.all].filter(
    (other, index, all) =>
      keyOf(other) !== keyOf(resource) &&
      sessions.get(other.connection) !== undefined &&
      all.findIndex((one) => keyOf(one) === keyOf(other)) === index,
  );
  // The same kind first: that is what people compare.
  const sorted = others.toSorted((a, b) => Number(b.kind === resource.kind) - Number(a.kind === resource.kind));
  return [
    ...(seen.length > 0 ? [separator('as it was')] : []),
    ...seen.map((snapshot) => ({
      label: `$(history) ${localTime(snapshot.readAt)}`,
      description: relativeTime(snapshot.readAt),
      seen: snapshot,
    })),
    ...(elsewhere.length > 0 ? [separator('on another connection')] : []),
    ...elsewhere.map(({ profile }) => ({
      label: `$(plug) ${profile.name}`,
      description: profile.environment ?? '',
      other: { ...resource, connection: profile.name },
    })),
    separator('another resource'),
    { label: '$(search) By ID…', ask: true },
    ...sorted.map((other) => ({
      label: plainText('title' in other && typeof other.title === 'string' ? other.title : other.id, 80),
      description: plainText(other.id, 60),
      detail: `${rowOf(other.kind)?.singular ?? other.kind} · ${other.connection}`,
      other,
    })),
  ];
}

/** Of the documents in tabs. */
function open(): readonly ResourceArgument[] {
  return vscode.workspace.textDocuments.flatMap(({ uri }) => resourceOf(uri) ?? []);
}

async function compareTwo(desk: Desk, first: ResourceArgument, second: ResourceArgument): Promise<void> {
  // Read before the diff opens: an error is told in words, and not as an empty half.
  for (const resource of [first, second]) if ((await readOrOfferSignIn(desk, resource)) === undefined) return;
  const apart = first.connection !== second.connection;
  await diff(liveSide(first, apart), liveSide(second, apart));
}

function liveSide(resource: ResourceArgument, withConnection = false): Side {
  const id = plainText(resource.id, 40);
  return { uri: uriOf(resource), title: withConnection ? `${id} (${resource.connection})` : id };
}

function seenSide(resource: ResourceArgument, { readAt }: Snapshot): Side {
  const uri = vscode.Uri.from({ scheme: SNAPSHOT_SCHEME, path: pathOf(resource), query: String(readAt) });
  return { uri, title: `${plainText(resource.id, 40)} at ${clockTime(readAt)}` };
}

async function diff(left: Side, right: Side): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left.uri, right.uri, `${left.title} ↔ ${right.title}`);
}
