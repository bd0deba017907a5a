/** Reads what two environments are compared by: the resources that people configure, not what users own. */
import type { PlatformClient } from '../platform/client.ts';
import { PlatformError } from '../platform/errors.ts';
import { isObject, type JsonObject } from '../platform/json/json.ts';
import { registry, type Kind } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';

/** The kinds that are compared, in this order. */
export const COMPARED_KINDS = ['templates', 'faces', 'assets', 'message-templates', 'roles'] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];

export interface InventoryItem {
  readonly kind: ComparedKind;
  readonly id: string;
  /** by which it is matched, and shown: untrusted */
  readonly name: string;
  readonly raw: JsonObject;
}

export interface Inventory {
  readonly items: readonly InventoryItem[];
  /** ids of organizations by their labels */
  readonly organizations: ReadonlyMap<string, string>;
  /** kinds that could not be read, with the reason */
  readonly unread: ReadonlyMap<ComparedKind, string>;
}

interface InventoryOptions {
  readonly organizations: readonly { readonly id: string; readonly label?: string | undefined }[];
  readonly signal: AbortSignal;
  /** called with the number of resources that were read */
  readonly report?: (count: number) => void;
}

/**
 * Reads all resources of the compared kinds: templates in full, and the default roles of the known organizations. A kind
 * that is refused is `unread`. Rejects with PlatformError for anything else.
 */
export async function readInventory(
  client: PlatformClient,
  { organizations, signal, report }: InventoryOptions,
): Promise<Inventory> {
  const items: InventoryItem[] = [];
  const unread = new Map<ComparedKind, string>();
  const add = (kind: ComparedKind, id: string, raw: unknown, name?: string): void => {
    if (!isObject(raw)) return;
    items.push({ kind, id, raw, name: name ?? getName(kind, raw, id) });
    report?.(items.length);
  };
  const readRole = async ({ id, label }: InventoryOptions['organizations'][number]): Promise<void> => {
    const { item } = await client.read('roles', [id, 'default'], { signal, bulk: true });
    add('roles', `${id}/default`, item.raw, `${label ?? id}: default`);
  };
  const readList = async (kind: Exclude<ComparedKind, 'roles'>): Promise<void> => {
    const definition: ResourceDefinition = registry[kind];
    for await (const page of client.listPagesFor(definition, {}, { signal, bulk: true, largest: true })) {
      const read = page.items.map(async ({ id, raw }) => {
        if (id === undefined) return;
        add(kind, id, kind === 'templates' ? await readTemplate(client, id, raw, signal) : raw);
      });
      await Promise.all(read);
    }
  };
  for (const kind of COMPARED_KINDS)
    try {
      if (kind === 'roles') await Promise.all(organizations.map(readRole));
      else await readList(kind);
    } catch (error) {
      if (!(error instanceof PlatformError) || !['forbidden', 'notFound', 'badRequest'].includes(error.code))
        throw error;
      unread.set(kind, error.message);
    }
  return { items, unread, organizations: new Map(organizations.map(({ id, label }) => [label ?? id, id])) };
}

/** The template in full, or as the list shows it if it may not be read. */
async function readTemplate(
  client: PlatformClient,
  id: string,
  listed: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return (await client.read('templates', [id], { signal, bulk: true })).item.raw;
  } catch (error) {
    if (error instanceof PlatformError && ['forbidden', 'notFound', 'badRequest'].includes(error.code)) return listed;
    throw error;
  }
}

/** Message templates have one for each language and system; assets of one name differ by their tags. */
function getName(kind: Kind, raw: JsonObject, id: string): string {
  const fields =
    kind === 'message-templates' ? ['name', 'system', 'language'] : kind === 'assets' ? ['name', 'tag'] : ['name'];
  const texts = fields.map((field) => raw[field]).filter((text) => typeof text === 'string' && text !== '');
  return texts.length > 0 ? texts.join(' · ') : id;
}
