import type { PlatformClient } from '../../platform/client.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Page } from '../../platform/page.ts';
import { objects } from '../../platform/resources/objects.ts';
import { templates } from '../../platform/resources/templates.ts';
import type { KnownSearchOptions, SearchTerms } from './known-search.ts';

/** Owners, and templates, that a term stands for at most. */
const MAX_MEANINGS = 3;

/**
 * Reads objects by the owner and template of a search, which are filters of the platform. A template that is not known is
 * looked up by its name. Resolves with the page of all requests together. Rejects with PlatformError.
 */
export async function readNarrowedObjects(
  client: Pick<PlatformClient, 'listPageFor'>,
  { owners: [owner], templates: [template] }: SearchTerms,
  search: KnownSearchOptions,
  { signal, limit }: { readonly signal: AbortSignal; readonly limit: number },
): Promise<Page> {
  const byOwner = owner === undefined ? [{}] : findOwners(owner, search).map((value): AnyQuery => ({ owner: value }));
  const byTemplate =
    template === undefined ? [{}] : (await findTemplates(template)).map((id): AnyQuery => ({ template_id: id }));
  const pages = await Promise.all(
    byOwner.flatMap((first) =>
      byTemplate.map((second) => client.listPageFor(objects, { ...first, ...second, limit }, { signal })),
    ),
  );
  return { items: pages.flatMap(({ items }) => items), extraFields: {}, drift: [] };

  async function findTemplates(term: string): Promise<readonly string[]> {
    const ids = Iterator.from(search.known)
      .filter((one) => one.connection === search.connection && one.kind === templates.kind)
      .filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(term))
      .map(({ id }) => id)
      .take(MAX_MEANINGS)
      .toArray();
    if (ids.length > 0) return ids;
    const { items } = await client.listPageFor(templates, { autocomplete: term, limit: MAX_MEANINGS }, { signal });
    return items.flatMap(({ id }) => id ?? []).slice(0, MAX_MEANINGS);
  }
}

function findOwners(term: string, { labels, subject }: KnownSearchOptions): readonly string[] {
  if (term === 'me' && subject !== undefined) return [subject];
  const labelled = labels.all.filter(({ text }) => text.toLowerCase().includes(term)).map(({ value }) => value);
  return labelled.length > 0 ? labelled.slice(0, MAX_MEANINGS) : [term];
}
