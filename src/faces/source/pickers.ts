/** Pickers for the resources that a preview needs. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { Session } from '../../model/session/session.ts';
import { formatTitle } from '../../cache/title-lookup.ts';
import { registry } from '../../platform/registry.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { formatPair } from '../../platform/text/localization.ts';

import { loadSource } from './load.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';

export interface ResourceReference {
  readonly connection: string;
  readonly id: string;
}

interface ResourcePickItem extends vscode.QuickPickItem {
  readonly id: string;
}

const MAX_TEMPLATES = 200;
/** Faces that are read to find one with content. */
const MAX_FACES = 8;

/** Lets the user pick an object: of a template with this face, if there is one, else any. Rejects with PlatformError. */
export async function pickObject(
  services: Services,
  connection: string | undefined,
  faceId: string | undefined,
): Promise<ResourceReference | undefined> {
  const session = await getOrPickSession(services, connection, l10n.t('Preview Face with Object'));
  if (session === undefined) return undefined;
  const { isMatch, choices } = await services.ui.progress(l10n.t('Loading objects'), async (signal) => {
    const template = faceId === undefined ? undefined : await findTemplateId(session, faceId, signal);
    const matching =
      template === undefined ? [] : await listObjectItems(services, session, { template_id: template }, signal);
    return {
      isMatch: matching.length > 0,
      choices: matching.length > 0 ? matching : await listObjectItems(services, session, {}, signal),
    };
  });
  const placeHolder =
    choices.length === 0
      ? l10n.t('No objects found. Enter an ID')
      : isMatch || faceId === undefined
        ? l10n.t('Select an object or enter an ID')
        : l10n.t('No object has this face yet. Select another object or enter an ID');
  const chosen = await services.ui.pickOrType(choices, {
    title: l10n.t('{0}: Preview with Object', session.heading),
    placeHolder,
    formatTypedLabel: (text) => l10n.t('Use object ID “{0}”', text),
  });
  if (chosen === undefined) return undefined;
  return { connection: session.profile.name, id: typeof chosen === 'string' ? chosen : chosen.id };
}

/** Returns the newest object with this face as a list; an empty one if there is none, or if it can't be read. Never rejects. */
export async function findNewestObject(
  { sessions, ui }: Services,
  connection: string,
  faceId: string | undefined,
): Promise<readonly ResourceReference[]> {
  const session = sessions.get(connection);
  if (session === undefined || faceId === undefined) return [];
  // Cancelled: the lab opens without an object, and offers to select one.
  return ui.progress(l10n.t('Loading objects'), (signal) => readNewestObject(session, faceId, signal)).catch(() => []);
}

/** As `findNewestObject`, without progress. Never rejects. */
export async function readNewestObject(
  session: Session,
  faceId: string,
  signal: AbortSignal,
): Promise<readonly ResourceReference[]> {
  try {
    const template = await findTemplateId(session, faceId, signal);
    if (template === undefined) return [];
    const query = { template_id: template, limit: 1, sortBy: 'when_created', order: 'descending' } as const;
    const { items } = await session.client.listPage('objects', query, { signal });
    return items.flatMap(({ id }) => (id === undefined ? [] : [{ connection: session.profile.name, id }]));
  } catch {
    return [];
  }
}

/**
 * Returns the newest object whose face has content, of a connection that the user picks if none is active; `undefined` if
 * none of the newest objects has one, or if cancelled. Rejects with PlatformError.
 */
export async function findNewestWithFace(services: Services, purpose: string): Promise<ResourceReference | undefined> {
  const { sessions, ui } = services;
  const session = await getOrPickSession(services, sessions.active?.profile.name, purpose);
  if (session === undefined) return undefined;
  const connection = session.profile.name;
  return ui.progress(l10n.t('Loading objects'), async (signal) => {
    const query = { limit: 50, sortBy: 'when_created', order: 'descending' } as const;
    const { items } = await session.client.listPage('objects', query, { signal });
    // One of each template: its objects have the same face.
    const newest = new Map(items.toReversed().map(({ id, view }) => [view?.template_id, id]));
    for (const id of [...newest.values()].toReversed().slice(0, MAX_FACES)) {
      if (id === undefined) continue;
      const { face } = await loadSource(sessions, { type: 'resource', connection, kind: 'objects', id }, signal);
      if (face.id !== undefined && face.variants.some(({ content = '' }) => content !== '')) return { connection, id };
    }
    return undefined;
  });
}

async function listObjectItems(
  services: Services,
  session: Session,
  filter: { readonly template_id?: string },
  signal: AbortSignal,
): Promise<readonly ResourcePickItem[]> {
  const page = await session.client.listPage('objects', { limit: 100, ...filter }, { signal });
  return page.items.flatMap(({ id, raw }): ResourcePickItem[] => {
    if (id === undefined) return [];
    const title = formatTitle(services, { connection: session.profile.name, id }, registry.objects, raw, 60);
    return [{ id, label: escapeIcons(title), detail: escapeIcons(toPlainText(id)) }];
  });
}

async function findTemplateId(session: Session, faceId: string, signal: AbortSignal): Promise<string | undefined> {
  let readCount = 0;
  for await (const page of session.client.listPages('templates', { limit: 100 }, { signal })) {
    const found = page.items.find((item) => item.view?.face_id === faceId);
    if (found !== undefined) return found.id;
    readCount += page.items.length;
    if (readCount >= MAX_TEMPLATES) return undefined;
  }
  return undefined;
}

/** The kinds that are previewed from a list. */
export type PickableKind = 'faces' | 'assets';

/** Lets the user pick a face or an asset; `preferred` is listed first. Rejects with PlatformError. */
export async function pickResource(
  services: Services,
  kind: PickableKind,
  preferred: { readonly connection: string; readonly id?: string } | undefined,
  purpose: string,
): Promise<ResourceReference | undefined> {
  const session = await getOrPickSession(services, preferred?.connection, purpose);
  if (session === undefined) return undefined;
  const page = await services.ui.progress(
    kind === 'faces' ? l10n.t('Loading faces') : l10n.t('Loading assets'),
    (signal) => session.client.listPage(kind, { limit: 100 }, { signal }),
  );
  const choices = page.items.flatMap((item): ResourcePickItem[] =>
    item.id === undefined
      ? []
      : [
          {
            id: item.id,
            label: escapeIcons(toPlainText(item.view?.name ?? '', 60) || toPlainText(item.id, 60)),
            detail: escapeIcons(toPlainText(item.id)),
          },
        ],
  );
  // List the previous choice first.
  choices.sort((a, b) => Number(b.id === preferred?.id) - Number(a.id === preferred?.id));
  const chosen = await services.ui.pickOrType(choices, {
    title: formatPair(session.heading, purpose),
    placeHolder: kind === 'faces' ? l10n.t('Select a face or enter an ID') : l10n.t('Select an asset or enter an ID'),
    formatTypedLabel: (text) =>
      kind === 'faces' ? l10n.t('Use face ID “{0}”', text) : l10n.t('Use asset ID “{0}”', text),
  });
  if (chosen === undefined) return undefined;
  return { connection: session.profile.name, id: typeof chosen === 'string' ? chosen : chosen.id };
}

async function getOrPickSession(
  services: Services,
  connection: string | undefined,
  purpose: string,
): Promise<Session | undefined> {
  const known = connection === undefined ? undefined : services.sessions.get(connection);
  return known ?? services.sessions.pickSession(purpose);
}
