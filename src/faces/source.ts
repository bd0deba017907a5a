/** What is previewed: a resource of a connection or a local file; read defensively from what a command was given. */
import * as vscode from 'vscode';
import * as z from 'zod/mini';

const KINDS = ['faces', 'objects', 'templates', 'assets'] as const;
type FaceKind = (typeof KINDS)[number];

export interface ResourceSource {
  readonly type: 'resource';
  readonly connection: string;
  readonly kind: FaceKind;
  readonly id: string;
  /** whose JSON an asset was met in: that asset may be among no stored ones */
  readonly of?: { readonly kind: string; readonly id: string } | undefined;
}
export interface FileSource {
  readonly type: 'file';
  readonly uri: vscode.Uri;
}
export type Source = ResourceSource | FileSource;

const word = z.string().check(z.minLength(1), z.maxLength(1024));
const holder = z.catch(z.optional(z.object({ kind: word, id: word })), undefined);
const resource = z.object({ connection: word, kind: z.enum(KINDS), id: word, of: holder });
/** of the tree: the row above is what an asset was met in */
const row = z.object({ resource, parent: z.catch(z.optional(z.object({ resource: holder })), undefined) });
const SCHEME = 'smartobject';

/** `undefined` where the argument names nothing that has a face. */
export function sourceFrom(argument: unknown): Source | undefined {
  if (argument instanceof vscode.Uri)
    return argument.scheme === SCHEME ? fromDocument(argument) : { type: 'file', uri: argument };
  const read = row.safeParse(argument);
  if (read.success) return { type: 'resource', ...read.data.resource, of: read.data.parent?.resource };
  const named = resource.safeParse(argument).data;
  return named === undefined ? undefined : { type: 'resource', ...named };
}

/** `smartobject:/<connection>/<kind>/<id>.json` */
function fromDocument(uri: vscode.Uri): Source | undefined {
  const [, connection = '', kind = '', ...rest] = uri.path.split('/');
  const name = rest.join('/').replace(/\.json$/, '');
  return sourceFrom({ connection: decoded(connection), kind, id: decoded(name) });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function isFaceFile(uri: vscode.Uri): boolean {
  return /\.(html?|xhtml|svg)$|\.face\.json$/i.test(uri.path);
}

/** Two previews of one source are one panel. */
export function keyOf(source: Source): string {
  return source.type === 'file'
    ? source.uri.toString()
    : ['resource', source.connection, source.kind, source.id].join('\n');
}

/** What outlives a reload of the window. */
export const keepSchema = z.object({
  source: z.union([
    z.object({ type: z.literal('resource'), ...resource.shape }),
    z.object({ type: z.literal('file'), uri: word }),
  ]),
  variant: z.catch(z.string(), ''),
  objects: z.catch(z.array(z.object({ connection: word, id: word })), []),
  lab: z.catch(z.boolean(), false),
  compareWith: z.catch(z.optional(z.object({ connection: word, id: word })), undefined),
});
export type Keep = z.output<typeof keepSchema>;

export function sourceOfKeep({ source }: Keep): Source {
  return source.type === 'file' ? { type: 'file', uri: vscode.Uri.parse(source.uri, true) } : source;
}
