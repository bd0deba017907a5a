import * as l10n from '@vscode/l10n';
import { formatSessionCurl, type CurlSession } from '../../connections/session/session-curl.ts';
import { PlatformError } from '../../platform/errors.ts';
import { getOwn } from '../../platform/json/json.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { splitResourceId } from '../../model/resources/resource-uri.ts';

/** Returns the cURL command that reads a resource. Throws PlatformError if no operation reads it by id. */
export function createResourceCurl(session: CurlSession, definition: ResourceDefinition, id: string): string {
  const read = definition.read;
  switch (read.by) {
    case 'path': {
      const segments = splitResourceId(definition.kind, id);
      const operation = getOwn(read.variants, segments.at(-1) ?? '')?.operation ?? read.operation;
      const path = Object.fromEntries(read.parameters.map((name, index) => [name, segments[index] ?? '']));
      return formatSessionCurl(session, operation, path, {});
    }
    case 'filter':
      return createListCurl(session, definition, { id });
    case 'paging':
      return createListCurl(session, definition, { limit: 100 });
    case 'cache':
      throw new PlatformError('notFound', l10n.t('The API can’t read this kind by its ID: {0}', definition.singular), {
        sent: false,
      });
  }
}

/** Returns the cURL command that reads a list. Throws PlatformError if the kind has no list. */
export function createListCurl(session: CurlSession, definition: ResourceDefinition, query: AnyQuery): string {
  if (definition.list === undefined)
    throw new PlatformError('contract', l10n.t('The API has no list of this kind: {0}', definition.label), {
      sent: false,
    });
  return formatSessionCurl(session, definition.list.operation, {}, query);
}
