import type { GetTitle } from '../../model/resources/filter-fields.ts';
import { getTemplateTitle } from '../../model/resources/item-title.ts';
import type { Session } from '../../model/session/session.ts';
import type { CallOptions } from '../../platform/client.ts';
import { getValuesAt } from '../../platform/json/field-values.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Item, Page } from '../../platform/page.ts';
import { getDefinition } from '../../platform/registry.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { resolveFilter } from '../filter/filter.ts';
import type { ListNode } from './nodes.ts';
import { PagedList } from './paged-list.ts';

/** Templates that are read for the names of one page. */
const MAX_TEMPLATES = 10;
/** Milliseconds that a page waits for their names. */
const MAX_WAIT = 2000;

/**
 * Creates an empty list with the query of a node. `record`: called with the items of the pages that the tree shows. Items
 * without a name are called by their template: the templates without a title are read once.
 */
export function createSessionList(
  session: Session,
  definition: ResourceDefinition,
  { fixed, filter }: Pick<ListNode, 'fixed' | 'filter'>,
  record: (items: readonly Item[]) => void,
  getTitle: GetTitle,
): PagedList {
  const triedTemplates = new Set<string>();
  const query = (): AnyQuery => ({ ...resolveFilter(fixed, Date.now()), ...resolveFilter(filter, Date.now()) });
  const read = async (
    query: AnyQuery,
    signal: AbortSignal,
    { passing = false, ...options }: Pick<CallOptions, 'largest' | 'onNext'> & { readonly passing?: boolean } = {},
  ): Promise<Page> => {
    const page = await session.client.listPageFor(definition, query, { signal, bulk: passing, ...options });
    if (!passing) {
      record(page.items);
      await readTemplates(page.items, signal);
    }
    return page;
  };
  const readTemplates = async (items: readonly Item[], signal: AbortSignal): Promise<void> => {
    const { templateField, references } = definition;
    const template = templateField === undefined ? undefined : getDefinition(references[templateField] ?? '');
    if (templateField === undefined || template === undefined) return;
    const ids = items
      .filter(
        ({ raw }) => definition.summary(raw).isUnnamed && getTemplateTitle(definition, raw, getTitle) === undefined,
      )
      .flatMap(({ raw }) => getValuesAt(raw, templateField).slice(0, 1))
      .filter((id) => !triedTemplates.has(id) && triedTemplates.add(id))
      .slice(0, MAX_TEMPLATES);
    const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT)]) };
    await Promise.allSettled(ids.map((id) => session.client.readFor(template, [id], options)));
  };
  const canFindById =
    definition.list !== undefined && 'id' in definition.list.operation.query && filter['id'] === undefined;
  return new PagedList({
    signal: session.ended,
    isOlder: definition.isOlder,
    createPageReader: (largest) => {
      const firstQuery = query();
      return (next, signal, passing, onNext) =>
        read(next === undefined ? firstQuery : { ...firstQuery, next }, signal, { passing, largest, onNext });
    },
    ...(canFindById && {
      find: async (id, signal) => (await read({ ...query(), id }, signal)).items.find((item) => item.id === id),
    }),
  });
}
