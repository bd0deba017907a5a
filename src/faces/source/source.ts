/** The source of a preview: a resource of a connection, or a local file. */
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseResource } from '../../model/resources/parse-argument.ts';
import { RESOURCE_SCHEME } from '../../model/resources/resource-schemes.ts';

const KINDS = ['faces', 'objects', 'templates', 'assets'] as const;

const idSchema = z.string().check(z.minLength(1), z.maxLength(1024));
const containerSchema = z.catch(z.optional(z.object({ kind: idSchema, id: idSchema })), undefined);
const resourceSchema = z.object({
  connection: idSchema,
  kind: z.enum(KINDS),
  id: idSchema,
  /** the resource that embeds the asset, which may not be a stored one */
  container: containerSchema,
});
export type ResourceSource = Readonly<z.output<typeof resourceSchema>> & { readonly type: 'resource' };
export type Source = ResourceSource | { readonly type: 'file'; readonly uri: vscode.Uri };

/** a row of the tree; the parent row embeds the asset */
const treeRowSchema = z.object({
  resource: resourceSchema,
  parent: z.catch(z.optional(z.object({ resource: containerSchema })), undefined),
});

/** Parses the argument of a command; `undefined` if it names nothing that can be previewed. */
export function parseSource(argument: unknown): Source | undefined {
  if (argument instanceof vscode.Uri)
    return argument.scheme === RESOURCE_SCHEME ? parseSource(parseResource(argument)) : { type: 'file', uri: argument };
  const treeRow = treeRowSchema.safeParse(argument);
  if (treeRow.success) return { type: 'resource', ...treeRow.data.resource, container: treeRow.data.parent?.resource };
  const reference = resourceSchema.safeParse(argument).data;
  return reference === undefined ? undefined : { type: 'resource', ...reference };
}

/** Whether the source is a stored file, which has no object data. */
export function isAsset(source: Source): boolean {
  return source.type === 'resource' && source.kind === 'assets';
}

/** Whether the name of a file is that of a face. */
export function isFaceFile(uri: vscode.Uri): boolean {
  return /\.(html?|xhtml|svg)$|\.face\.json$/i.test(uri.path);
}

/** Returns the key of a source. There is one panel for each key. */
export function getSourceKey(source: Source): string {
  return source.type === 'file'
    ? source.uri.toString()
    : ['resource', source.connection, source.kind, source.id].join('\n');
}

/** What is restored after a reload of the window. */
export const storedPreviewSchema = z.object({
  source: z.union([
    z.object({
      type: z.literal('resource'),
      connection: idSchema,
      kind: z.enum(KINDS),
      id: idSchema,
      of: containerSchema,
    }),
    z.object({ type: z.literal('file'), uri: idSchema }),
  ]),
  variant: z.catch(z.string(), ''),
  objects: z.catch(z.array(z.object({ connection: idSchema, id: idSchema })), []),
  lab: z.catch(z.boolean(), false),
  compareWith: z.catch(z.optional(z.object({ connection: idSchema, id: idSchema })), undefined),
});
export type StoredPreview = z.output<typeof storedPreviewSchema>;

/** Returns the source of a stored preview. Throws if its URI is invalid. */
export function getStoredSource({ source }: StoredPreview): Source {
  if (source.type === 'file') return { type: 'file', uri: vscode.Uri.parse(source.uri, true) };
  const { of: container, ...resource } = source;
  return { ...resource, container };
}

/** Converts a source to its stored form. */
export function toStoredSource(source: Source): StoredPreview['source'] {
  if (source.type === 'file') return { type: 'file', uri: source.uri.toString() };
  const { container, ...resource } = source;
  return { ...resource, of: container };
}
