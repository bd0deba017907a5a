/** Pure: what dropping or inserting a resource writes: its id, or in an action file a block that only needs its blanks. */
import { getLocation } from 'jsonc-parser';
import type { DraggedResource } from '../ui/drag.ts';

export interface Insertion {
  readonly label: string;
  /** plain text, no snippet */
  readonly text: string;
}

/** The id that stands in the platform's JSON; a role's address has its organization before it. */
export function idOfResource({ kind, id }: Pick<DraggedResource, 'kind' | 'id'>): string {
  return kind === 'roles' ? id.slice(id.indexOf('/') + 1) : id;
}

/** The ways to insert, the likeliest first. `offset`: where in the text. */
export function insertionsFor(
  resources: readonly DraggedResource[],
  file: { readonly name: string; readonly text: string },
  offset: number,
): readonly Insertion[] {
  const ids = resources.map(idOfResource);
  if (ids.length === 0) return [];
  const what = ids.length === 1 ? 'id' : 'ids';
  const plain: Insertion = { label: `Insert ${what}`, text: ids.join('\n') };
  if (!/\.jsonc?$/i.test(file.name)) return [plain];
  const inString = insideString(file.text, offset);
  const quoted: Insertion = { label: `Insert ${what} in quotes`, text: ids.map((id) => JSON.stringify(id)).join(', ') };
  const block =
    file.name.toLowerCase().endsWith('.action.json') && !inString ? blockFor(resources, file.text) : undefined;
  if (inString) return [{ ...plain, text: ids.map((id) => JSON.stringify(id).slice(1, -1)).join(', ') }];
  return [...(block === undefined ? [] : [block]), quoted, plain];
}

function insideString(text: string, offset: number): boolean {
  const node = getLocation(text, offset).previousNode;
  return node?.type === 'string' && offset > node.offset && offset < node.offset + node.length;
}

/** A whole body into an empty file, an action where one belongs. */
function blockFor(resources: readonly DraggedResource[], text: string): Insertion | undefined {
  const [resource] = resources;
  if (resource === undefined || resources.length > 1) return undefined;
  const action = actionFor(resource);
  if (action === undefined) return undefined;
  const [name] = Object.keys(action);
  const empty = text.trim() === '' || /^\s*\{\s*\}\s*$/.test(text);
  if (text.trim() === '')
    return { label: `Insert ${name ?? ''} action`, text: `${JSON.stringify({ action }, null, 2)}\n` };
  const inner = JSON.stringify(empty ? { action } : action, null, 2);
  // Without the outer braces: it goes between those that are there.
  const lines = inner.split('\n').slice(1, -1);
  return {
    label: `Insert ${name ?? ''} action`,
    text: lines.map((line, index) => (index === 0 ? line.trimStart() : line)).join('\n'),
  };
}

/** The body that people most often write for such a resource. */
function actionFor(resource: DraggedResource): Readonly<Record<string, object>> | undefined {
  const id = idOfResource(resource);
  if (resource.kind === 'templates') return { mint: { template_id: id, num: 1 } };
  if (resource.kind === 'objects') return { transfer: { id, to: '' } };
  return undefined;
}
