import type { IdIndex } from '../../cache/id-index.ts';
import { getPictureUrl, resolvePictureUrl } from '../../cache/picture.ts';
import type { Sessions } from '../../model/session/session.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { getValuesAt } from '../../platform/json/field-values.ts';

/** Finds the pictures of resources. */
export class RowPictures {
  readonly #sessions: Pick<Sessions, 'get'>;
  readonly #ids: Pick<IdIndex, 'find'>;

  constructor(sessions: Pick<Sessions, 'get'>, ids: Pick<IdIndex, 'find'>) {
    this.#sessions = sessions;
    this.#ids = ids;
  }

  /** Returns the URL of the resource's own picture, or of its template's; `undefined` unless it is on the connection's origin. */
  getUrl(connection: string, definition: ResourceDefinition, raw: unknown): string | undefined {
    const session = this.#sessions.get(connection);
    const template = this.getTemplateId(definition, raw);
    const known = template === undefined ? undefined : this.#findKnown(connection, template);
    const reference = getPictureUrl(raw) ?? known?.pictureUrl;
    return session === undefined || reference === undefined
      ? undefined
      : resolvePictureUrl(reference, session.profile.baseUrl);
  }

  /** Returns the id of the template that the resource is made from. */
  getTemplateId({ templateField: field }: ResourceDefinition, raw: unknown): string | undefined {
    return field === undefined ? undefined : getValuesAt(raw, field)[0];
  }

  /** Whether the resource with that id was read. */
  isKnown(connection: string, id: string): boolean {
    return this.#findKnown(connection, id) !== undefined;
  }

  #findKnown(connection: string, id: string): ReturnType<IdIndex['find']>[number] | undefined {
    return this.#ids.find(id).find((known) => known.connection === connection);
  }
}
