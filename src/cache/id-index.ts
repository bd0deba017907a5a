/** Index of discovered ids with their names and kinds; bounded, least recently used first out. */
import * as l10n from '@vscode/l10n';
import { isObject } from '../platform/json/json.ts';
import type { Item } from '../platform/page.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { formatUnnamed } from '../model/resources/item-title.ts';
import { getPictureUrl } from './picture.ts';
import { Listeners } from '../model/listeners.ts';

export interface KnownId {
  readonly connection: string;
  readonly kind: string;
  /** as written in the platform's JSON */
  readonly id: string;
  /** id of its document if that differs: `organization/role` */
  readonly documentId?: string;
  /** untrusted and truncated: show it as plain text, with `addTemplateTitle` */
  readonly title: string;
  /** the title is no name: see `getItemTitle` */
  readonly isUnnamed?: boolean;
  /** the state as the server names it */
  readonly state?: string;
  /** ISO 8601 */
  readonly when?: string;
  /** URL of a picture as the server names it; fetched only from the connection's own origin */
  readonly pictureUrl?: string;
  /** address of the owner; of this window's responses only, as the next two */
  readonly owner?: string;
  /** id of the template that it was made from */
  readonly template?: string;
  /** id, title and the values of its fields in lower case, for searches; truncated */
  readonly text?: string;
}

export const MAX_IDS = 50_000;
const MAX_ID_LENGTH = 256;
const MAX_TITLE_LENGTH = 120;
const MAX_PICTURE_URL_LENGTH = 300;
const MAX_TEXT_LENGTH = 400;
/** Hashes, addresses of files and descriptions are longer. */
const MAX_VALUE_LENGTH = 63;

/** Ids by which resources are completed, linked and searched; of all connections. */
export class IdIndex {
  /** by id, least recently used first; two connections may know the same id */
  readonly #entries = new Map<string, readonly KnownId[]>();
  readonly #listeners = new Listeners();
  readonly onDidChange = this.#listeners.add;
  readonly #maxIds: number;
  #size = 0;

  constructor(maxIds = MAX_IDS) {
    this.#maxIds = maxIds;
  }

  get size(): number {
    return this.#size;
  }

  find(id: string): readonly KnownId[] {
    return this.#entries.get(id) ?? [];
  }

  /** All entries, newest first. */
  *newestFirst(): Generator<KnownId> {
    for (const entries of [...this.#entries.values()].reverse()) yield* entries;
  }

  /**
   * Records the ids in items that were read. `requestedId`: the id of the request, which contains the organization of a
   * role.
   */
  record(
    connection: string,
    definition: ResourceDefinition,
    items: readonly Item[],
    requestedId?: readonly string[],
  ): void {
    for (const { id, raw } of items) {
      if (id === undefined) continue;
      const { title, isUnnamed, state, when } = definition.summary(raw);
      const picture = getPictureUrl(raw);
      this.add({
        connection,
        kind: definition.kind,
        id,
        ...(requestedId !== undefined && requestedId.length > 1 && { documentId: [requestedId[0], id].join('/') }),
        title,
        ...(isUnnamed === true && { isUnnamed }),
        ...(state !== undefined && { state: state.label }),
        ...(when !== undefined && { when }),
        ...(picture !== undefined && picture.length <= MAX_PICTURE_URL_LENGTH && { pictureUrl: picture }),
        ...getSearchFields(definition, raw, `${id}\n${title}`),
      });
      this.#recordWallets(connection, definition, raw, title);
      this.#keepTemplate(definition, raw);
    }
    if (items.length > 0) this.#listeners.fire();
  }

  /** Wallets have no list: their ids come from the owners, signers and authors of other resources. */
  #recordWallets(connection: string, definition: ResourceDefinition, raw: unknown, title: string): void {
    for (const [field, kind] of Object.entries(definition.references)) {
      const id = kind === 'wallets' && isObject(raw) ? raw[field] : undefined;
      if (typeof id !== 'string' || this.find(id).some((known) => known.connection === connection)) continue;
      this.add({ connection, kind, id, title: formatWallet(field, title) });
    }
  }

  /** Marks the template of a resource as used: its name and picture are shown with the resource. */
  #keepTemplate({ templateField }: ResourceDefinition, raw: unknown): void {
    const id = templateField !== undefined && isObject(raw) ? raw[templateField] : undefined;
    const known = typeof id === 'string' ? this.#entries.get(id) : undefined;
    if (typeof id !== 'string' || known === undefined) return;
    this.#entries.delete(id);
    this.#entries.set(id, known);
  }

  add(entry: KnownId): void {
    const { id, connection, kind } = entry;
    if (id === '' || id.length > MAX_ID_LENGTH) return;
    const previous = this.find(id);
    const others = previous.filter((known) => known.connection !== connection || known.kind !== kind);
    const truncate = (text: string): string => text.slice(0, MAX_TITLE_LENGTH).toWellFormed();
    const stored: KnownId = {
      ...entry,
      title: truncate(entry.title),
      ...(entry.state !== undefined && { state: truncate(entry.state) }),
    };
    this.#entries.delete(id);
    this.#entries.set(id, [...others, stored]);
    this.#size += others.length + 1 - previous.length;
    while (this.#size > this.#maxIds) this.#dropOldest();
  }

  #dropOldest(): void {
    const [oldest] = this.#entries;
    if (oldest === undefined) return;
    this.#entries.delete(oldest[0]);
    this.#size -= oldest[1].length;
  }

  /** Removes the ids of a connection that was deleted or whose base URL changed. */
  forget(connection: string): void {
    for (const [id, entries] of this.#entries) {
      const rest = entries.filter((known) => known.connection !== connection);
      if (rest.length === entries.length) continue;
      this.#size -= entries.length - rest.length;
      if (rest.length === 0) this.#entries.delete(id);
      else this.#entries.set(id, rest);
    }
    this.#listeners.fire();
  }

  /** Adds entries read from the file; entries recorded since stay newer. */
  restore(stored: Iterable<KnownId>): void {
    const current = [...this.#entries.values()].flat();
    for (const entry of stored) this.add(entry);
    for (const entry of current) this.add(entry);
    this.#listeners.fire();
  }
}

/** Returns a known resource with the title that `getItemTitle` gives it. Untrusted. */
export function addTemplateTitle(index: Pick<IdIndex, 'find'>, known: KnownId): KnownId {
  const { connection, id, isUnnamed = false, template = '', text } = known;
  if (!isUnnamed) return known;
  const found = index.find(template).find((other) => other.connection === connection);
  const title = formatUnnamed(known.title, id, found?.title);
  return { ...known, title, ...(text !== undefined && { text: `${title.toLowerCase()}\n${text}` }) };
}

/** Returns what searches of known resources compare. `name`: the id and the title, which come first. */
export function getSearchFields(
  { templateField }: ResourceDefinition,
  raw: unknown,
  name: string,
): Pick<KnownId, 'owner' | 'template' | 'text'> {
  const owner = isObject(raw) ? raw['owner'] : undefined;
  const template = templateField !== undefined && isObject(raw) ? raw[templateField] : undefined;
  return {
    ...(typeof owner === 'string' && { owner }),
    ...(typeof template === 'string' && { template }),
    text: collectText(raw, name).slice(0, MAX_TEXT_LENGTH).toLowerCase(),
  };
}

/** Appends the values of all fields to a text, line by line, until it is long enough. */
function collectText(value: unknown, text: string): string {
  if (text.length > MAX_TEXT_LENGTH || value === null) return text;
  if (typeof value === 'object')
    return Object.values(value).reduce((all: string, field: unknown) => collectText(field, all), text);
  if (typeof value !== 'string' && typeof value !== 'number') return text;
  const line = String(value);
  return line.length > MAX_VALUE_LENGTH || text.includes(line) ? text : `${text}\n${line}`;
}

/** Formats a wallet without a name by the field that it was found in, and the title of that resource. */
function formatWallet(field: string, title: string): string {
  if (field === 'owner') return l10n.t('owner of {0}', title);
  return field === 'signer' ? l10n.t('signer of {0}', title) : l10n.t('wallet of {0}', title);
}
