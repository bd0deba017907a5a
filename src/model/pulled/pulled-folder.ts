/**
 * The format of a folder with pulled templates and faces: `faces/NAME.face.html` has the content of a face, and
 * `faces/NAME.face.json` its other fields, if it has any; `templates/NAME.template.json` has a template. A manifest says
 * which file is which resource, and what it was when it was pulled.
 */
import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { tryParseJson, tryParseMaskedJson } from '../../platform/json/parse-json.ts';
import { readTextFile } from '../files/read-workspace-file.ts';
import { getErrorMessage } from '../text/error-message.ts';

export const MANIFEST_FILE = 'smart-objects.pull.json';
/** The kinds that are pulled, which are also the names of the folders. */
export const PULLED_KINDS = ['faces', 'templates'] as const;
export type PulledKind = (typeof PULLED_KINDS)[number];
/** How the names of files end. */
export type PulledSuffix = '.face.html' | '.face.json' | '.template.json';

/** Bytes of a pulled file. Larger ones are neither read nor written. */
export const MAX_PULLED_BYTES = 32 * 1024 * 1024;
/** Room to grow between the request of the size and the end of the reading. */
const GROWTH = 65_536;

const id = z.string().check(z.minLength(1), z.maxLength(1024));
const entrySchema = z.object({
  kind: z.enum(PULLED_KINDS),
  id,
  name: z.string(),
  /** path in the folder: the files of a resource differ only in what follows the name */
  file: z
    .string()
    .check(
      z.maxLength(250),
      z.regex(/^(?:faces\/[^/\\:\p{Cc}]+\.face\.(?:html|json)|templates\/[^/\\:\p{Cc}]+\.template\.json)$/u),
    ),
  /** of the text that was pulled: see `hashText` */
  hash: z.string().check(z.maxLength(100)),
});
const manifestSchema = z.object({
  version: z.literal(1),
  environment: z.optional(z.string().check(z.maxLength(100))),
  organization: id,
  files: z.array(entrySchema),
});

export type PulledEntry = z.output<typeof entrySchema>;
/** Names no connection and no address: the folder can be shared. */
export type PulledManifest = z.output<typeof manifestSchema>;

/** A hash of the text without what a file may lose: version control changes line ends, and readers drop a byte order mark. */
export function hashText(text: string): string {
  return createHash('sha256')
    .update(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'))
    .digest('hex');
}

/** The name of the resource in the path of a file: without folder and suffix. */
export function getPulledName(file: string): string {
  return path.posix.basename(file).replace(/\.(?:face|template)\.\w+$/, '');
}

/** Reads the manifest; `undefined` if there is none. Rejects with Error if it is not valid. */
export async function readManifest(root: string): Promise<PulledManifest | undefined> {
  const text = await readFileIn(root, MANIFEST_FILE);
  if (text === undefined) return undefined;
  const { data } = z.safeParse(manifestSchema, tryParseJson(text));
  if (data === undefined || !isConsistent(data))
    throw new Error(l10n.t('{0} is not valid. Restore it, or delete it to pull again', MANIFEST_FILE));
  return data;
}

/** Whether each file is of one resource only, and in the folder of its kind. */
function isConsistent({ files }: PulledManifest): boolean {
  const owners = new Map<string, string>();
  const paths = new Set(files.map(({ file }) => file));
  return files.every(({ kind, id, file }) => {
    const key = `${kind}/${getPulledName(file)}`;
    if (!owners.has(key)) owners.set(key, id);
    return owners.get(key) === id && file.startsWith(`${kind}/`) && paths.size === files.length;
  });
}

/** The text of the manifest: the same for the same content. */
export function formatManifest({ environment, organization, files }: PulledManifest): string {
  const sorted = files.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return `${JSON.stringify({ version: 1, environment, organization, files: sorted }, undefined, 2)}\n`;
}

/**
 * The path of a file of the folder, links of the folder itself resolved. Rejects with Error if one of its own folders is a
 * link, which could lead anywhere.
 */
export async function locatePulledFile(root: string, file: string): Promise<string> {
  const real = await fs.realpath(root);
  const [folder] = file.split('/');
  if (folder !== undefined && folder !== file && (await stat(path.join(real, folder)))?.isSymbolicLink() === true)
    throw new Error(l10n.t('{0} is a link. Delete it, or use another file', folder));
  return path.join(real, ...file.split('/'));
}

/** The text of a pulled file; `undefined` if it is missing. Rejects with Error for a link, or if it is too large. */
export function readPulledFile(root: string, { file }: Pick<PulledEntry, 'file'>): Promise<string | undefined> {
  return readFileIn(root, file);
}

async function readFileIn(root: string, file: string): Promise<string | undefined> {
  const found = await stat(root);
  if (found === undefined) return undefined;
  const real = await locatePulledFile(root, file);
  const target = await stat(real);
  if (target === undefined) return undefined;
  if (target.isSymbolicLink()) throw new Error(l10n.t('{0} is a link. Delete it, or use another file', file));
  return readTextFile(real, Math.min(MAX_PULLED_BYTES, target.size + GROWTH), file);
}

/** `undefined` for nothing; a link is not followed. */
async function stat(file: string): Promise<Stats | undefined> {
  return fs.lstat(file).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error && error.code;
    if (code === 'ENOENT') return undefined;
    throw code === 'ENOTDIR' ? new Error(l10n.t('{0} is not a folder', path.basename(path.dirname(file)))) : error;
  });
}

/** The face of a pulled file, and where it is from; `undefined` if no manifest has the file. Never rejects. */
export async function findPulledFace(
  file: string,
): Promise<Pick<PulledManifest & PulledEntry, 'id' | 'environment' | 'organization'> | undefined> {
  const manifest = await readManifest(path.dirname(path.dirname(file))).catch(() => undefined);
  const face = manifest?.files.find((entry) => entry.file === `faces/${path.basename(file)}`);
  return face && manifest && { id: face.id, environment: manifest.environment, organization: manifest.organization };
}

/** A resource as the folder has it. */
interface PulledResource {
  readonly kind: PulledKind;
  readonly id: string;
  /** untrusted */
  readonly name: string;
  /** its fields, without times and counters */
  readonly raw: JsonObject;
}

export interface PulledFolder extends PulledManifest {
  readonly resources: readonly PulledResource[];
  /** files that could not be read, with the reason */
  readonly unread: ReadonlyMap<string, string>;
}

/** Reads a folder as the resources in it; missing files are left out. Rejects with Error if it has no valid manifest. */
export async function readPulledFolder(root: string): Promise<PulledFolder> {
  const manifest = await readManifest(root);
  if (manifest === undefined)
    throw new Error(l10n.t('The folder contains no pulled files: {0} was not found', MANIFEST_FILE));
  const resources = new Map<string, PulledResource>();
  const unread = new Map<string, string>();
  for (const entry of manifest.files)
    try {
      const text = await readPulledFile(root, entry);
      if (text === undefined) continue;
      const fields = entry.file.endsWith('.html') ? { content: text } : tryParseMaskedJson(text);
      if (!isObject(fields)) throw new Error(l10n.t('{0} is not valid JSON', entry.file));
      const key = `${entry.kind}/${entry.id}`;
      const raw = { ...resources.get(key)?.raw, ...fields };
      const name = typeof raw['name'] === 'string' ? raw['name'] : entry.name;
      // One without a name has its id as name.
      const fullRaw = { ...raw, id: entry.id, ...(name !== entry.id && { name }) };
      resources.set(key, { kind: entry.kind, id: entry.id, name, raw: fullRaw });
    } catch (error) {
      unread.set(entry.file, getErrorMessage(error));
    }
  return { ...manifest, resources: [...resources.values()], unread };
}
