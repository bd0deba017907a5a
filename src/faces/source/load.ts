/** Loads faces and objects for a preview from the platform. */
import * as l10n from '@vscode/l10n';
import { isObject } from '../../platform/json/json.ts';
import { PlatformError, hasErrorCode } from '../../platform/errors.ts';
import type { Session as AnySession } from '../../model/session/session.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { isKind } from '../../platform/registry.ts';
import { objectExtras } from '../../platform/resources/objects.ts';
import { createView } from '../../platform/schema.ts';
import { createAssetPreview, findEmbeddedAsset } from './asset-preview.ts';
import { findSameVariant, parseFace, type Face, type VariantText } from './face.ts';
import { parseObjectSubject, parseTemplateSubject, type LoadedPreview, type Subject } from './subject.ts';
import type { ResourceSource } from './source.ts';
import { requireSession } from '../../model/session/require-session.ts';

/** The part of a session that loading uses. */
export type PreviewSession = Pick<AnySession, 'client' | 'ended' | 'profile'>;

/** Reads the JSON of a resource. Rejects with PlatformError. */
export type ReadResource = (
  kind: 'objects' | 'templates' | 'faces' | 'assets',
  id: string,
  signal: AbortSignal,
) => Promise<unknown>;

/**
 * Loads a face with the data of its object or template. `readKnown`: reads what may be cached, one resource at a time.
 * Rejects with PlatformError.
 */
export async function loadSource(
  sessions: { get(connection: string): PreviewSession | undefined },
  source: ResourceSource,
  signal: AbortSignal,
  readKnown?: ReadResource,
): Promise<LoadedPreview> {
  const session = requireSession(sessions, source.connection);
  const combinedSignal = AbortSignal.any([signal, session.ended]);
  const read: ReadResource =
    readKnown ??
    (async (kind, id, readSignal) => (await session.client.read(kind, [id], { signal: readSignal })).item.raw);
  switch (source.kind) {
    case 'faces':
      return { face: await readFace(read, source.id, combinedSignal), subjects: [] };
    case 'assets':
      return createAssetPreview(
        await loadAsset(session, read, source, combinedSignal),
        source.id,
        session.profile.baseUrl,
      );
    case 'templates': {
      const raw = await read('templates', source.id, combinedSignal);
      return loadOrFallbackCard(parseTemplateSubject(raw, source.id), () =>
        readTemplateFace(read, raw, combinedSignal),
      );
    }
    case 'objects':
      return readKnown === undefined
        ? loadObject(session, read, source.id, combinedSignal)
        : loadKnownObject(session, read, source.id, combinedSignal);
  }
}

/** Reads the object with that id. Rejects with PlatformError. */
export async function loadObjectSubject(session: PreviewSession, id: string, signal: AbortSignal): Promise<Subject> {
  const { item } = await session.client.read('objects', [id], { signal: AbortSignal.any([signal, session.ended]) });
  return parseObjectSubject(item.raw, id);
}

/** Reads the stored asset; if it is missing or forbidden, the one that `container` embeds. */
async function loadAsset(
  { client }: PreviewSession,
  read: ReadResource,
  { id, container }: ResourceSource,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await read('assets', id, signal);
  } catch (error) {
    const isMissing = hasErrorCode(error, 'notFound', 'forbidden');
    if (!isMissing || container === undefined || !isKind(container.kind)) throw error;
    const { item } = await client.read(container.kind, [container.id], { signal });
    const found = findEmbeddedAsset(item.raw, id);
    if (found === undefined) throw error;
    return found;
  }
}

/** Reads the content that corresponds to a variant of a file, and the name of its face. Rejects with PlatformError. */
export async function loadVariantContent(
  session: PreviewSession,
  id: string,
  variant: Pick<VariantText, 'key' | 'label'>,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly content: string }> {
  const { item } = await session.client.read('faces', [id], { signal: AbortSignal.any([signal, session.ended]) });
  const face = parseFace(item.raw, id);
  return { name: face.name, content: findSameVariant(face, variant)?.content ?? item.view?.content ?? '' };
}

/**
 * Reads an object and its face in one request if the list of objects includes the face: templates and faces may be forbidden.
 * The face's name, views and assets are read from the face itself, if possible.
 */
async function loadObject(
  session: PreviewSession,
  read: ReadResource,
  id: string,
  signal: AbortSignal,
): Promise<LoadedPreview> {
  const fromList = await tryRead(signal, () => listWithFaces(session, id, signal));
  const subject =
    fromList === undefined ? await loadObjectSubject(session, id, signal) : parseObjectSubject(fromList.raw, id);
  const { templateId } = subject;
  if (templateId === undefined) return { face: createEmptyFace(subject), subjects: [subject] };
  const listedFace = fromList?.faces.find((entry) => entry.template_id === templateId)?.face;
  if (listedFace?.content === undefined && listedFace?.url === undefined)
    return loadOrFallbackCard(subject, async () =>
      readTemplateFace(read, await read('templates', templateId, signal), signal),
    );
  const { id: faceId } = listedFace;
  const fullFace = faceId === undefined ? undefined : await tryRead(signal, () => readFace(read, faceId, signal));
  return { face: fullFace ?? parseFace(listedFace, subject.label), subjects: [subject] };
}

/** Lists an object with the faces of its template; resolves with `undefined` if the list does not contain it. */
async function listWithFaces(session: PreviewSession, id: string, signal: AbortSignal) {
  const { items, extraFields } = await session.client.listPage('objects', { id, faces: true }, { signal });
  const item = items.find((candidate) => candidate.id === id);
  return item && { raw: item.raw, faces: createView(objectExtras, extraFields)?.faces ?? [] };
}

/** Reads an object, its template and its face, each once; if these are forbidden, the face from the list of objects. */
async function loadKnownObject(
  session: PreviewSession,
  read: ReadResource,
  id: string,
  signal: AbortSignal,
): Promise<LoadedPreview> {
  const subject = parseObjectSubject(await read('objects', id, signal), id);
  const { templateId } = subject;
  if (templateId === undefined) return { face: createEmptyFace(subject), subjects: [subject] };
  return loadOrFallbackCard(subject, async () => {
    try {
      return await readTemplateFace(read, await read('templates', templateId, signal), signal);
    } catch (error) {
      if (!hasErrorCode(error, 'notFound', 'forbidden')) throw error;
      const listed = await tryRead(signal, () => listWithFaces(session, id, signal));
      const face = listed?.faces.find((entry) => entry.template_id === templateId)?.face;
      if (face === undefined) throw error;
      return parseFace(face, subject.label);
    }
  });
}

/** Resolves with `undefined` if the platform fails. Rejects when cancelled. */
async function tryRead<T>(signal: AbortSignal, read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (signal.aborted || !(error instanceof PlatformError)) throw error;
    return undefined;
  }
}

/** Falls back to a card with the reason if the face is missing or forbidden. */
async function loadOrFallbackCard(subject: Subject, read: () => Promise<Face | undefined>): Promise<LoadedPreview> {
  try {
    return { face: (await read()) ?? createEmptyFace(subject), subjects: [subject] };
  } catch (error) {
    if (!hasErrorCode(error, 'notFound', 'forbidden')) throw error;
    const note = `${l10n.t('The face could not be loaded. The metadata of the object is shown instead.')} ${toPlainText(error.message, 300)}`;
    return { face: createEmptyFace(subject), subjects: [{ ...subject, card: { ...subject.card, note } }] };
  }
}

async function readTemplateFace(read: ReadResource, template: unknown, signal: AbortSignal): Promise<Face | undefined> {
  const id = isObject(template) ? template['face_id'] : undefined;
  return typeof id !== 'string' || id === '' ? undefined : readFace(read, id, signal);
}

async function readFace(read: ReadResource, id: string, signal: AbortSignal): Promise<Face> {
  return parseFace(await read('faces', id, signal), id);
}

/** A face without content; the preview shows the card. */
function createEmptyFace(subject: Subject): Face {
  return { name: subject.label, variants: [], assets: [] };
}
