/** Pure: what reads a resource or a list, as a cURL command. */
import { curl, type From } from '../connections/curl.ts';
import { PlatformError } from '../platform/errors.ts';
import { own } from '../platform/json.ts';
import type { AnyQuery } from '../platform/operation.ts';
import { pluralOf, type ResourceRow } from '../platform/resource.ts';
import { idSegments } from './uri.ts';

/** Throws PlatformError where no operation of the contract reads such a resource. */
export function curlOfResource(session: From, row: ResourceRow, id: string): string {
  const how = row.read;
  switch (how.by) {
    case 'path': {
      const segments = idSegments(row.kind, id);
      const operation = own(how.variants, segments.at(-1) ?? '') ?? how.operation;
      const path = Object.fromEntries(how.parameters.map((name, index) => [name, segments[index] ?? '']));
      return curl(session, operation, path, {});
    }
    case 'filter':
      return curlOfList(session, row, { id });
    case 'paging':
      return curlOfList(session, row, { limit: 100 });
    case 'held':
      throw new PlatformError('notFound', `The contract reads no ${row.singular} by its id`, { sent: false });
  }
}

export function curlOfList(session: From, row: ResourceRow, query: AnyQuery): string {
  if (row.list === undefined)
    throw new PlatformError('contract', `The contract has no list of ${pluralOf(row)}`, { sent: false });
  return curl(session, row.list.operation, {}, query);
}
