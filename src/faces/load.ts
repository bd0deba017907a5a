/** Reads what a preview needs from the platform: the face, and whose data it is shown with. */
import { isObject } from '../platform/json.ts';
import { PlatformError } from '../platform/errors.ts';
import type { Session as AnySession } from '../connections/types.ts';
import { plainText } from '../platform/plain-text.ts';
import { isKind } from '../platform/registry.ts';
import { objectSidecars } from '../platform/resources/objects.ts';
import { viewOf } from '../platform/schema.ts';
import { assetPreview, embeddedAsset } from './asset.ts';
import { faceOf, type Face } from './face.ts';
import { subjectOf, templateSubject, type Subject } from './subject.ts';
import type { ResourceSource } from './source.ts';

/** What loading needs of a connection's session. */
export type Session = Pick<AnySession, 'client' | 'ended' | 'profile'>;

interface Sessions<S> {
  get(connection: string): S | undefined;
}

export interface Loaded {
  readonly face: Face;
  /** the face's own data: the object or template that was asked for */
  readonly subjects: readonly Subject[];
}

/** Throws PlatformError `notFound` (not sent) where the connection is gone or its session has ended meanwhile. */
export function sessionOf<S>(sessions: Sessions<S>, connection: string): S {
  const session = sessions.get(connection);
  if (session === undefined)
    throw new PlatformError('notFound', 'The connection is not there any more', { sent: false });
  return session;
}

/** Throws PlatformError. */
export async function loadSource(
  sessions: Sessions<Session>,
  source: ResourceSource,
  signal: AbortSignal,
): Promise<Loaded> {
  const session = sessionOf(sessions, source.connection);
  const both = AbortSignal.any([signal, session.ended]);
  const { client } = session;
  switch (source.kind) {
    case 'faces': {
      const { item } = await client.read('faces', [source.id], { signal: both });
      return { face: faceOf(item.raw, source.id), subjects: [] };
    }
    case 'assets':
      return assetPreview(await loadAsset(session, source, both), source.id, session.profile.baseUrl);
    case 'templates': {
      const { item } = await client.read('templates', [source.id], { signal: both });
      return orCard(templateSubject(item.raw, source.id), () => faceOfTemplate(session, item.raw, both));
    }
    case 'objects':
      return loadObject(session, source.id, both);
  }
}

export async function loadSubject(session: Session, id: string, signal: AbortSignal): Promise<Subject> {
  const { item } = await session.client.read('objects', [id], { signal: AbortSignal.any([signal, session.ended]) });
  return subjectOf(item.raw, id);
}

/** The stored asset; where there is none by that id, or none to be seen, the one that was met in another resource. */
async function loadAsset({ client }: Session, { id, of }: ResourceSource, signal: AbortSignal): Promise<unknown> {
  try {
    return (await client.read('assets', [id], { signal })).item.raw;
  } catch (error) {
    const known = error instanceof PlatformError && (error.code === 'notFound' || error.code === 'forbidden');
    if (!known || of === undefined || !isKind(of.kind)) throw error;
    const { item } = await client.read(of.kind, [of.id], { signal });
    const found = embeddedAsset(item.raw, id);
    if (found === undefined) throw error;
    return found;
  }
}

/** The text of a face's variant as the platform has it, for comparing; without a name the face goes by its id. */
export async function loadContent(
  session: Session,
  id: string,
  label: string,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly content: string }> {
  const { item } = await session.client.read('faces', [id], { signal: AbortSignal.any([signal, session.ended]) });
  const { name, variants } = faceOf(item.raw, id);
  return { name, content: variants.find((one) => one.label === label)?.content ?? item.view?.content ?? '' };
}

/**
 * An object with its face in one request, as far as the list of objects gives both: templates and faces themselves may not be readable.
 * Of the face alone there may be more to read (its name, views and assets); without that the preview is shown all the same.
 */
async function loadObject(session: Session, id: string, signal: AbortSignal): Promise<Loaded> {
  const listed = await orNothing(signal, async () => {
    const { items, beside } = await session.client.page('objects', { id, faces: true }, { signal });
    const item = items.find((one) => one.id === id);
    return item && { raw: item.raw, faces: viewOf(objectSidecars, beside)?.faces ?? [] };
  });
  const subject = listed === undefined ? await loadSubject(session, id, signal) : subjectOf(listed.raw, id);
  const { templateId } = subject;
  if (templateId === undefined) return { face: bareFace(subject), subjects: [subject] };
  const beside = listed?.faces.find((one) => one.template_id === templateId)?.face;
  if (beside?.content === undefined && beside?.url === undefined)
    return orCard(subject, async () => {
      const { item } = await session.client.read('templates', [templateId], { signal });
      return faceOfTemplate(session, item.raw, signal);
    });
  const { id: faceId } = beside;
  const whole = faceId === undefined ? undefined : await orNothing(signal, () => readFace(session, faceId, signal));
  return { face: whole ?? faceOf(beside, subject.label), subjects: [subject] };
}

/** `undefined` where the platform does not give it, for whatever reason. Throws when it was cancelled. */
async function orNothing<T>(signal: AbortSignal, read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (signal.aborted || !(error instanceof PlatformError)) throw error;
    return undefined;
  }
}

/** The card with the reason, where the platform refuses to give the face or has it no longer. */
async function orCard(subject: Subject, read: () => Promise<Face | undefined>): Promise<Loaded> {
  try {
    return { face: (await read()) ?? bareFace(subject), subjects: [subject] };
  } catch (error) {
    if (!(error instanceof PlatformError) || (error.code !== 'notFound' && error.code !== 'forbidden')) throw error;
    const note = `A card made from the object’s metadata, because its face cannot be read: ${plainText(error.message, 300)}`;
    return { face: bareFace(subject), subjects: [{ ...subject, card: { ...subject.card, note } }] };
  }
}

async function faceOfTemplate(session: Session, template: unknown, signal: AbortSignal): Promise<Face | undefined> {
  const id = isObject(template) ? template['face_id'] : undefined;
  return typeof id !== 'string' || id === '' ? undefined : readFace(session, id, signal);
}

async function readFace({ client }: Session, id: string, signal: AbortSignal): Promise<Face> {
  const { item } = await client.read('faces', [id], { signal });
  return faceOf(item.raw, id);
}

/** A template without a face: the card is all there is. */
function bareFace(subject: Subject): Face {
  return { name: subject.label, variants: [], assets: [] };
}
