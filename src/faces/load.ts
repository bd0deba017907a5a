/** Reads what a preview needs from the platform: the face, and whose data it is shown with. */
import { isObject } from '../platform/json.ts';
import { PlatformError } from '../platform/errors.ts';
import type { Session, Sessions } from '../connections/types.ts';
import { isKind } from '../platform/registry.ts';
import { assetPreview, embeddedAsset } from './asset.ts';
import { faceOf, type Face } from './face.ts';
import { subjectOf, templateSubject, type Subject } from './subject.ts';
import type { ResourceSource } from './source.ts';

export interface Loaded {
  readonly face: Face;
  /** the face's own data: the object or template that was asked for */
  readonly subjects: readonly Subject[];
}

/** Throws PlatformError `notFound` (not sent) where the connection is gone or its session has ended meanwhile. */
export function sessionOf(sessions: Sessions, connection: string): Session {
  const session = sessions.get(connection);
  if (session === undefined)
    throw new PlatformError('notFound', 'The connection is not there any more', { sent: false });
  return session;
}

/** Throws PlatformError. */
export async function loadSource(sessions: Sessions, source: ResourceSource, signal: AbortSignal): Promise<Loaded> {
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
      const subject = templateSubject(item.raw, source.id);
      return { face: await faceFor(session, item.raw, subject, both), subjects: [subject] };
    }
    case 'objects': {
      const subject = await loadSubject(session, source.id, both);
      if (subject.templateId === undefined) return { face: bareFace(subject), subjects: [subject] };
      const { item } = await client.read('templates', [subject.templateId], { signal: both });
      return { face: await faceFor(session, item.raw, subject, both), subjects: [subject] };
    }
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

async function faceFor(session: Session, template: unknown, subject: Subject, signal: AbortSignal): Promise<Face> {
  const id = isObject(template) ? template['face_id'] : undefined;
  if (typeof id !== 'string' || id === '') return bareFace(subject);
  const { item } = await session.client.read('faces', [id], { signal });
  return faceOf(item.raw, id);
}

/** A template without a face: the card is all there is. */
function bareFace(subject: Subject): Face {
  return { name: subject.label, variants: [], assets: [] };
}
