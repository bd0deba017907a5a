/** `face render FILE`: a face file filled with an object, as one HTML document. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { renderFace } from '../../faces/render/render.ts';
import type { RenderResult } from '../../faces/render/result.ts';
import type { Face } from '../../faces/source/face.ts';
import { loadObjectSubject } from '../../faces/source/load.ts';
import { parseFaceFile } from '../../faces/source/parse-face-file.ts';
import { fetchImage } from '../../faces/source/requests.ts';
import type { Subject } from '../../faces/source/subject.ts';
import { CommandError, type CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import type { Connection } from '../connection/open-connection.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';

export interface FaceValues extends ConnectionValues {
  readonly object?: string;
  readonly variant?: string;
  readonly allowImages?: readonly string[];
}

const MAX_FILE_BYTES = 4_000_000;
/** Findings that are printed. */
const MAX_NOTES = 20;

/** Prints the document of a face. Rejects as `withConnection` does, and with CommandError if there is no document. */
export async function renderFaceFile(context: CommandContext, name: string, values: FaceValues): Promise<void> {
  const parsed = parseFaceFile(path.basename(name), await readFile(name, context.cwd));
  if ('problem' in parsed) throw new UsageError(`${name}: ${parsed.problem}`);
  const { face } = parsed;
  const id = values.object;
  const render = createRenderer(face, values);
  const result =
    id === undefined
      ? render()
      : await withConnection(context, values, 'Read object', (connection) =>
          renderObject(context, render, id, connection),
        );
  const { output } = context;
  const notes = [
    ...result.unresolved.map(({ placeholder, ...rest }) => ({ snippet: placeholder, ...rest })),
    ...result.findings,
  ];
  for (const { line, column, snippet, reason } of notes.slice(0, MAX_NOTES))
    output.note(`${name}:${String(line)}:${String(column)}: warning: ${snippet}: ${reason}`);
  if (notes.length > MAX_NOTES) output.note(`${String(notes.length - MAX_NOTES)} more warnings are not shown`);
  if (result.type !== 'document' || result.srcdoc === undefined)
    throw new CommandError(`Render face: ${result.note ?? 'nothing to show.'}`);
  if (result.note !== undefined) output.note(result.note);
  await output.writeContent(`${result.srcdoc}\n`);
}

/** Renders with the object, then again with the images of the platform that the face shows. */
async function renderObject(
  { signal }: CommandContext,
  render: ReturnType<typeof createRenderer>,
  id: string,
  { client, profile, transport }: Connection,
): Promise<RenderResult> {
  const subject = await loadObjectSubject({ client, profile, ended: signal }, id, signal);
  const first = render(subject, profile.baseUrl);
  if (first.missingImages.length === 0) return first;
  const images = await Promise.all(
    first.missingImages.map(async (url) => {
      const image = await fetchImage((request) => transport.send(request), url, signal);
      return [url, image ?? null] as const;
    }),
  );
  return render(subject, profile.baseUrl, new Map(images));
}

/** Throws UsageError for wrong options. */
function createRenderer(face: Face, { variant: name, allowImages = [] }: FaceValues) {
  const variant = chooseVariant(face, name);
  const approvals = allowImages.map(parseOrigin).map((origin) => `images+data ${origin}`);
  return (subject?: Subject, baseUrl?: string, fetchedImages: ReadonlyMap<string, string | null> = new Map()) =>
    renderFace(face, variant, subject, {
      scripts: false,
      gate: 'none',
      ...(baseUrl !== undefined && { baseUrl }),
      approvals,
      fetchedImages,
    });
}

function chooseVariant({ variants }: Face, name: string | undefined): Face['variants'][number] | undefined {
  if (name === undefined) return variants[0];
  const found = variants.find(({ key, label }) => key === name || label === name);
  if (found !== undefined) return found;
  throw new UsageError(`There is no variant ${name}. Variants: ${variants.map(({ label }) => label).join(', ')}`);
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new UsageError('--allow-images must be the origin of a server, for example https://images.example.org');
  return url.origin;
}

async function readFile(name: string, cwd: string): Promise<string> {
  const file = path.resolve(cwd, name);
  const stat = await fs.stat(file).catch(() => undefined);
  if (stat?.isFile() !== true) throw new UsageError(`File ${name} was not found`);
  if (stat.size > MAX_FILE_BYTES) throw new UsageError(`${name} is larger than 4 MB`);
  return fs.readFile(file, 'utf8');
}
