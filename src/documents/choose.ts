/** Asks which resource is meant: a recent one, one that is known, or any id, which is looked up. */
import { pluralOf } from '../platform/resource.ts';
import * as vscode from 'vscode';
import type { ResourceArgument } from '../commands/ids.ts';
import type { KnownId } from '../connections/id-index.ts';
import type { Session } from '../connections/types.ts';
import { errorText } from '../ui/error-text.ts';
import { plainText } from '../platform/plain-text.ts';
import { organizationFrom, resourceFrom } from './argument.ts';
import type { Desk } from './desk.ts';
import { candidates, lookUp, rowOf, type Found, type LookupResult } from './lookup.ts';

interface ResourceChoice extends vscode.QuickPickItem {
  readonly resource: ResourceArgument;
}

/** Known ids that are offered beside the recent ones: a list to search in, not the whole index. */
const MOST_KNOWN = 500;

/** `on`: where a typed id is looked up, if that is known. `undefined` when the person cancels, or has been told that there is no such resource. */
export async function chooseResource(desk: Desk, title: string, on?: Session): Promise<ResourceArgument | undefined> {
  const chosen = await desk.services.ui.pickOrType<ResourceChoice>(await choices(desk), {
    title,
    placeHolder: 'An id of anything, or one of those opened lately',
    typed: (text) => `Look up “${text}”`,
  });
  if (chosen === undefined) return undefined;
  return typeof chosen === 'string' ? findById(desk, chosen, on) : chosen.resource;
}

/** For an id alone nothing is asked for: a known one, wallets included, or the text as it was typed. */
export async function chooseKnown(
  desk: Desk,
  argument: unknown,
  title: string,
): Promise<Pick<ResourceArgument, 'connection' | 'kind' | 'id'> | undefined> {
  const given = resourceFrom(argument);
  if (given !== undefined) return given;
  const organization = organizationFrom(argument);
  if (organization !== undefined) return { connection: '', kind: 'organizations', id: organization };
  const chosen = await desk.services.ui.pickOrType<ResourceChoice>(await choices(desk, true), {
    title,
    placeHolder: 'A known id, or any text',
    typed: (text) => `Insert “${text}”`,
  });
  return typeof chosen === 'string' ? { connection: '', kind: '', id: chosen } : chosen?.resource;
}

async function choices(desk: Desk, unreadable = false): Promise<readonly ResourceChoice[]> {
  const { sessions, ids } = desk.services;
  const lives = ({ connection }: { readonly connection: string }): boolean => sessions.get(connection) !== undefined;
  const recent = desk.recents.all.filter(lives).map((known) => choice(known, known.title, 'recently opened'));
  const listed = new Set(recent.map(({ resource }) => JSON.stringify(resource)));
  const known: ResourceChoice[] = [];
  for (const entry of (await ids.ready()).latest()) {
    if (known.length >= MOST_KNOWN) break;
    const row = choice(addressOf(entry), entry.title, entry.state);
    if (
      lives(entry) &&
      !listed.has(JSON.stringify(row.resource)) &&
      (unreadable || rowOf(entry.kind)?.read.by !== 'held')
    )
      known.push(row);
  }
  return [...recent, ...known];
}

export function addressOf({ connection, kind, id, address }: KnownId): ResourceArgument {
  return { connection, kind, id: address ?? id };
}

function choice({ connection, kind, id }: ResourceArgument, title: string, note?: string): ResourceChoice {
  const row = rowOf(kind);
  return {
    label: plainText(title, 80),
    description: plainText(id, 80),
    detail: [row?.singular ?? kind, connection, note]
      .filter((word) => word !== undefined)
      .map((word) => plainText(word))
      .join(' · '),
    iconPath: new vscode.ThemeIcon(row?.icon ?? 'file'),
    resource: { connection, kind, id },
  };
}

/** Asks all kinds that can answer for an id. Where several do, the person picks. */
export async function findById(desk: Desk, text: string, on?: Session): Promise<ResourceArgument | undefined> {
  const id = text.trim();
  if (id === '') return undefined;
  const address = resourceFrom(id);
  if (address !== undefined) return address;
  const session = on ?? (await desk.services.sessions.choose('Open resource by ID'));
  if (session === undefined) return undefined;
  const result = await desk.services.ui.progress(
    `Looking up ${plainText(id, 60)} on ${session.profile.name}`,
    async (signal) => {
      const answers = await lookUp(candidates(session, id), async (resource) => {
        return (await desk.store.refresh(resource, signal)).item.raw;
      });
      return signal.aborted || session.ended.aborted ? undefined : answers;
    },
  );
  return result === undefined ? undefined : settle(desk, session, id, result);
}

async function settle(
  desk: Desk,
  session: Session,
  id: string,
  { found, failed }: LookupResult,
): Promise<ResourceArgument | undefined> {
  const { ui } = desk.services;
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only.resource;
  if (only !== undefined) {
    const picked = await ui.pick(found.map(foundChoice), {
      title: `Several resources have the id ${plainText(id, 60)}`,
    });
    return picked?.resource;
  }
  const [first] = failed;
  if (first !== undefined) {
    const others = failed.length > 1 ? ` ${String(failed.length - 1)} more kinds could not be asked either.` : '';
    throw new Error(errorText(`Look up ${plainText(id, 60)} among ${pluralOf(first.row)}`, first.error) + others);
  }
  void ui.warn(`Nothing with the id ${plainText(id, 60)} is visible to you on ${session.profile.name}.`);
  return undefined;
}

function foundChoice({ resource, row, summary }: Found): ResourceChoice {
  return choice(resource, summary.title, summary.state?.word ?? summary.details[0] ?? row.singular);
}
