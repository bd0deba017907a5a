/** Reads the children of a resource's row: the resource itself, and an object's face and actions. */
import * as l10n from '@vscode/l10n';
import type { Session } from '../../model/session/session.ts';
import { isObject } from '../../platform/json/json.ts';
import type { Item, Page } from '../../platform/page.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { objectExtras } from '../../platform/resources/objects.ts';
import { splitResourceId } from '../../model/resources/resource-uri.ts';
import { createView } from '../../platform/schema.ts';
import type { ResourceNode } from './nodes.ts';
import { getChildren, getWalletLists, type ResourceChild, type ResourceRows } from '../rows/related-resources.ts';
import type { DiscoveredIds } from './discovered-ids.ts';
import { createActionFact, createUnknownActionFact } from '../../platform/resources/facts.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';

/** Reads what the row shows when it is expanded; `onRead` receives the items read. Rejects with PlatformError. */
export async function readChildren(
  definitions: ResourceRows,
  definition: ResourceDefinition,
  node: ResourceNode,
  session: Session,
  discovered: Pick<DiscoveredIds, 'getTemplateActions'>,
  onRead: (items: readonly Item[]) => void,
): Promise<readonly ResourceChild[]> {
  const id = node.resource?.id;
  if (definition.read.by === 'cache') {
    const wallet = id === undefined ? undefined : session.issuedResources.get(`${definition.kind}/${id}`);
    const ownChildren = wallet === undefined ? [] : getChildren({}, definition, wallet.raw);
    return [
      ...ownChildren,
      ...(id === undefined ? [] : getWalletLists(definitions, definition.kind, node.role ?? '', id)),
    ];
  }
  const { item } = node;
  if (item !== undefined) return getItemChildren(definitions, definition, item, node.organization, session, discovered);
  if (id === undefined) return [];
  const options = { signal: session.ended };
  const result = await session.client.readFor(definition, splitResourceId(definition.kind, id), options);
  onRead([result.item]);
  return getItemChildren(definitions, definition, result.item, node.organization, session, discovered);
}

async function getItemChildren(
  definitions: ResourceRows,
  definition: ResourceDefinition,
  item: Item,
  organization: string | undefined,
  session: Session,
  discovered: Pick<DiscoveredIds, 'getTemplateActions'>,
): Promise<readonly ResourceChild[]> {
  const children = getChildren(definitions, definition, item.raw, organization);
  return [...(await readFaceAndActions(definition, item, session, discovered)), ...children];
}

/** Reads face and action names of an object through the flags of its list; empty for kinds without these flags. */
async function readFaceAndActions(
  definition: ResourceDefinition,
  { id }: Item,
  session: Session,
  discovered: Pick<DiscoveredIds, 'getTemplateActions'>,
): Promise<readonly ResourceChild[]> {
  const query = definition.list?.operation.query;
  if (id === undefined || query?.['faces']?.type !== 'flag' || query['actions']?.type !== 'flag') return [];
  let page: Page;
  try {
    page = await session.client.listPageFor(definition, { id, faces: true, actions: true }, { signal: session.ended });
  } catch (error) {
    if (session.ended.aborted) throw error;
    const value = getErrorMessage(error);
    return [
      { type: 'fact', label: l10n.t('Face and actions'), value: l10n.t('Not loaded: {0}', value), icon: 'warning' },
    ];
  }
  // A server that ignores `id` returns other items too.
  const template = page.items.find((item) => item.id === id)?.raw;
  const templateId = isObject(template) ? template['template_id'] : undefined;
  const view = createView(objectExtras, page.extraFields);
  const filterByTemplate = <Sidecar extends { readonly template_id: string | undefined }>(
    list: readonly Sidecar[] | undefined,
  ) => (list ?? []).filter((sidecar) => sidecar.template_id === templateId);
  const faces = filterByTemplate(view?.faces).flatMap(({ face }): ResourceChild[] =>
    face?.id === undefined ? [] : [{ type: 'reference', label: l10n.t('Face'), kind: 'faces', id: face.id }],
  );
  // The access rules are shown only if the template has been read before.
  const templateActions = typeof templateId === 'string' ? discovered.getTemplateActions(templateId) : [];
  const actions = filterByTemplate(view?.actions).flatMap((sidecar) =>
    [...new Set(sidecar.actions ?? [])].slice(0, 50).map((name) => {
      const known = templateActions.find((each) => each.name === name || each.alias === name);
      return known === undefined ? createUnknownActionFact(name) : createActionFact(known);
    }),
  );
  return [...faces, ...actions];
}
