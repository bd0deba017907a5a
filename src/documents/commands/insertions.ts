/** Creates the texts for a dropped or inserted resource: its id, or in an action file an action to complete. */
import { getLocation } from 'jsonc-parser';
import type { DraggedResource } from '../../model/drag-data.ts';

export interface Insertion {
  readonly label: string;
  /** plain text, no snippet */
  readonly text: string;
}

/** Returns the id as the platform's JSON contains it: that of a role without its organization. */
function getPlainId({ kind, id }: Pick<DraggedResource, 'kind' | 'id'>): string {
  return kind === 'roles' ? id.slice(id.indexOf('/') + 1) : id;
}

/** Returns the texts that can be inserted, the most likely first. `offset`: position in the text. */
export function getInsertions(
  resources: readonly DraggedResource[],
  file: { readonly name: string; readonly text: string },
  offset: number,
): readonly Insertion[] {
  const ids = resources.map(getPlainId);
  if (ids.length === 0) return [];
  const what = ids.length === 1 ? 'id' : 'ids';
  const plain: Insertion = { label: `Insert ${what}`, text: ids.join('\n') };
  if (!/\.jsonc?$/i.test(file.name)) return [plain];
  const inString = isInsideString(file.text, offset);
  const quoted: Insertion = { label: `Insert ${what} in quotes`, text: ids.map((id) => JSON.stringify(id)).join(', ') };
  const block =
    file.name.toLowerCase().endsWith('.action.json') && !inString
      ? createActionInsertion(resources, file.text)
      : undefined;
  if (inString) return [{ ...plain, text: ids.map((id) => JSON.stringify(id).slice(1, -1)).join(', ') }];
  return [...(block === undefined ? [] : [block]), quoted, plain];
}

function isInsideString(text: string, offset: number): boolean {
  const node = getLocation(text, offset).previousNode;
  return node?.type === 'string' && offset > node.offset && offset < node.offset + node.length;
}

/** Creates an action: with the complete request body for an empty file, else as a member of its object. */
function createActionInsertion(resources: readonly DraggedResource[], text: string): Insertion | undefined {
  const [resource] = resources;
  if (resource === undefined || resources.length > 1) return undefined;
  const action = createAction(resource);
  if (action === undefined) return undefined;
  const [name] = Object.keys(action);
  const empty = text.trim() === '' || /^\s*\{\s*\}\s*$/.test(text);
  if (text.trim() === '')
    return { label: `Insert ${name ?? ''} action`, text: `${JSON.stringify({ action }, null, 2)}\n` };
  const inner = JSON.stringify(empty ? { action } : action, null, 2);
  // Without the outer braces: it is inserted between existing ones.
  const lines = inner.split('\n').slice(1, -1);
  return {
    label: `Insert ${name ?? ''} action`,
    text: lines.map((line, index) => (index === 0 ? line.trimStart() : line)).join('\n'),
  };
}

/** Returns the most common action on a resource of that kind. */
function createAction(resource: DraggedResource): Readonly<Record<string, object>> | undefined {
  const id = getPlainId(resource);
  if (resource.kind === 'templates') return { mint: { template_id: id, num: 1 } };
  if (resource.kind === 'objects') return { transfer: { id, to: '' } };
  return undefined;
}
