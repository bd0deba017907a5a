/** Pure: reads what a resource's row needs when it is expanded: the resource itself, and an object's face and actions. */
import type { Session } from '../connections/types.ts';
import { isObject } from '../platform/json.ts';
import type { Item, Page } from '../platform/page.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { objectSidecars } from '../platform/resources/objects.ts';
import { viewOf } from '../platform/schema.ts';
import type { ResourceNode } from './nodes.ts';
import { childrenOf, walletLists, type Child, type Rows } from './related.ts';
import type { Met } from './met.ts';
import { action, actionNamed } from './template-action.ts';

/** As `PlatformClient.read` takes it: where it takes two, the organization stands before the slash. */
export function idParts(row: ResourceRow, id: string): readonly string[] {
  const slash = row.read.by === 'path' && row.read.parameters.length > 1 ? id.indexOf('/') : -1;
  return slash < 0 ? [id] : [id.slice(0, slash), id.slice(slash + 1)];
}

/** Throws PlatformError. `took` learns of what was read. */
export async function readChildren(
  rows: Rows,
  row: ResourceRow,
  node: ResourceNode,
  session: Session,
  met: Pick<Met, 'actionsOf'>,
  took: (items: readonly Item[]) => void,
): Promise<readonly Child[]> {
  const id = node.resource?.id;
  if (row.read.by === 'held') {
    const held = id === undefined ? undefined : session.held.get(`${row.kind}/${id}`);
    const own = held === undefined ? [] : childrenOf({}, row, held.raw);
    return [...own, ...(id === undefined ? [] : walletLists(rows, node.role ?? '', id))];
  }
  const { item } = node;
  if (item !== undefined) return itemChildren(rows, row, item, node.organization, session, met);
  if (id === undefined) return [];
  const options = { signal: session.ended };
  const reading = await session.client.readOf(row, idParts(row, id), options);
  took([reading.item]);
  return itemChildren(rows, row, reading.item, node.organization, session, met);
}

async function itemChildren(
  rows: Rows,
  row: ResourceRow,
  item: Item,
  organization: string | undefined,
  session: Session,
  met: Pick<Met, 'actionsOf'>,
): Promise<readonly Child[]> {
  const children = childrenOf(rows, row, item.raw, organization);
  return [...(await sidecars(row, item, session, met)), ...children];
}

/** Only one list has flags for what stands beside its items; the registry says which. */
async function sidecars(
  row: ResourceRow,
  { id }: Item,
  session: Session,
  met: Pick<Met, 'actionsOf'>,
): Promise<readonly Child[]> {
  const query = row.list?.operation.query;
  if (id === undefined || query?.['faces']?.type !== 'flag' || query['actions']?.type !== 'flag') return [];
  let page: Page;
  try {
    page = await session.client.pageOf(row, { id, faces: true, actions: true }, { signal: session.ended });
  } catch (error) {
    if (session.ended.aborted) throw error;
    const value = error instanceof Error ? error.message : 'unknown error';
    return [{ type: 'fact', label: 'Face and actions', value: `not read: ${value}`, icon: 'warning' }];
  }
  // A server that ignores `id` answers for others too.
  const template = page.items.find((item) => item.id === id)?.raw;
  const templateId = isObject(template) ? template['template_id'] : undefined;
  const view = viewOf(objectSidecars, page.beside);
  const own = <Entry extends { readonly template_id: string | undefined }>(list: readonly Entry[] | undefined) =>
    (list ?? []).filter((entry) => entry.template_id === templateId);
  const faces = own(view?.faces).flatMap(({ face }): Child[] =>
    face?.id === undefined ? [] : [{ type: 'way', label: 'Face', kind: 'faces', id: face.id }],
  );
  // Who may run them is known where the template was read before; it is not asked for.
  const held = typeof templateId === 'string' ? met.actionsOf(templateId) : [];
  const actions = own(view?.actions).flatMap((entry) =>
    [...new Set(entry.actions ?? [])].slice(0, 50).map((name) => {
      const known = held.find((each) => each.name === name || each.alias === name);
      return known === undefined ? actionNamed(name) : action(known);
    }),
  );
  return [...faces, ...actions];
}
