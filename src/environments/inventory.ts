/** Reads what two environments are compared by: the resources that people configure, not what users own. */
import * as l10n from '@vscode/l10n';
import { formatReason } from '../model/text/error-message.ts';
import { PULLED_KINDS, readPulledFolder } from '../model/pulled/pulled-folder.ts';
import type { PlatformClient } from '../platform/client.ts';
import { PlatformError } from '../platform/errors.ts';
import { isObject, type JsonObject } from '../platform/json/json.ts';
import { registry } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { formatPair } from '../platform/text/localization.ts';

/** The kinds that are compared, in this order. */
export const COMPARED_KINDS = ['organizations', 'templates', 'faces', 'assets', 'message-templates', 'roles'] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];

export interface InventoryItem {
  readonly kind: ComparedKind;
  readonly id: string;
  /** by which it is matched, and shown: untrusted */
  readonly name: string;
  readonly raw: JsonObject;
  /** a template as the list shows it, since it cannot be read in full */
  readonly isPartial?: boolean;
}

export interface Inventory {
  readonly items: readonly InventoryItem[];
  /** the organization whose resources a folder has; absent: it is a connection */
  readonly pulledFrom?: string;
  /** kinds that could not be read, with the reason */
  readonly unread: ReadonlyMap<ComparedKind, string>;
}

/** The plural of a kind. */
export function getKindLabel(kind: ComparedKind): string {
  return kind === 'organizations' ? l10n.t('Organizations') : registry[kind].label;
}

/** Reads a folder of pulled files. Rejects with Error if it has no valid manifest, or a file cannot be read. */
export async function readFolderInventory(root: string): Promise<Inventory> {
  const { resources, organization, unread } = await readPulledFolder(root);
  for (const [file, reason] of unread) throw new Error(`${file}: ${reason}`);
  const others = COMPARED_KINDS.filter((kind) => !PULLED_KINDS.some((pulled) => pulled === kind));
  const reason = l10n.t('A folder has only templates and faces');
  return { items: resources, pulledFrom: organization, unread: new Map(others.map((kind) => [kind, reason])) };
}

interface AddOptions {
  readonly name?: string;
  readonly isPartial?: boolean;
}

interface InventoryOptions {
  /** of the environment, for the reason why a kind is `unread` */
  readonly name: string;
  readonly organizations: readonly { readonly id: string; readonly label?: string | undefined }[];
  /** the organization of the folder with which it is compared: the resources of others are left out */
  readonly pulledFrom?: string | undefined;
  readonly signal: AbortSignal;
  /** called with the number of resources that were read */
  readonly report?: (count: number) => void;
}

/**
 * Reads all resources of the compared kinds: templates in full, and the default roles of the known organizations. A kind
 * whose list fails is `unread`. Rejects with PlatformError if it is cancelled, if a credential is missing, or if no list can be
 * read.
 */
export async function readInventory(
  client: PlatformClient,
  { name: environment, organizations, pulledFrom, signal, report }: InventoryOptions,
): Promise<Inventory> {
  const items: InventoryItem[] = [];
  const unread = new Map<ComparedKind, string>();
  let failure: PlatformError | undefined;
  const kinds = COMPARED_KINDS.filter((kind) => pulledFrom === undefined || PULLED_KINDS.some((one) => one === kind));
  const own = pulledFrom === undefined ? undefined : findOrganization(organizations, pulledFrom);
  const add = (kind: ComparedKind, id: string, raw: unknown, { name, isPartial = false }: AddOptions = {}): void => {
    const owner = isObject(raw) ? raw['org_id'] : undefined;
    if (!isObject(raw) || (own !== undefined && typeof owner === 'string' && owner !== '' && owner !== own)) return;
    items.push({ kind, id, raw, name: name ?? getName(kind, raw, id), isPartial });
    report?.(items.length);
  };
  const readRole = async ({ id, label }: InventoryOptions['organizations'][number]): Promise<void> => {
    const { item } = await client.read('roles', [id, 'default'], { signal, bulk: true });
    add('roles', `${id}/default`, item.raw, { name: `${label ?? id}: default` });
  };
  const readList = async (kind: Exclude<ComparedKind, 'roles' | 'organizations'>): Promise<void> => {
    const definition: ResourceDefinition = registry[kind];
    const query = kind === 'faces' && own !== undefined ? { org_id: own } : {};
    for await (const page of client.listPagesFor(definition, query, {
      signal,
      bulk: true,
      largest: true,
      distinct: true,
    })) {
      const read = page.items.map(async ({ id, raw }) => {
        if (id === undefined) return;
        const full = kind === 'templates' ? await readTemplate(client, id, signal) : raw;
        add(kind, id, full ?? raw, { isPartial: full === undefined });
      });
      await Promise.all(read);
    }
  };
  for (const kind of kinds)
    try {
      if (kind === 'organizations')
        for (const { id, label = id } of organizations) add(kind, id, { id, name: label }, { name: label });
      else if (kind === 'roles') await Promise.all(organizations.map(readRole));
      else await readList(kind);
    } catch (error) {
      if (!isOfOneRead(error)) throw error;
      failure ??= error;
      unread.set(kind, formatPair(environment, formatReason(error)));
    }
  const requested = kinds.filter((kind) => kind !== 'organizations' && (kind !== 'roles' || organizations.length > 0));
  if (failure !== undefined && unread.size === requested.length) throw failure;
  return { items, unread };
}

/** The organization that a folder of another environment is compared with; `undefined`: any of several. */
function findOrganization(known: InventoryOptions['organizations'], id: string): string | undefined {
  if (known.length === 0 || known.some((one) => one.id === id)) return id;
  return known.length === 1 ? known[0]?.id : undefined;
}

/** Whether other reads can succeed nevertheless. */
function isOfOneRead(error: unknown): error is PlatformError {
  return error instanceof PlatformError && !['cancelled', 'unauthenticated'].includes(error.code);
}

/** The template in full; `undefined` if it cannot be read. */
async function readTemplate(client: PlatformClient, id: string, signal: AbortSignal): Promise<unknown> {
  try {
    return (await client.read('templates', [id], { signal, bulk: true })).item.raw;
  } catch (error) {
    if (isOfOneRead(error)) return undefined;
    throw error;
  }
}

/** Message templates have one for each language and system; assets of one name differ by their tags. */
function getName(kind: ComparedKind, raw: JsonObject, id: string): string {
  const fields =
    kind === 'message-templates' ? ['name', 'system', 'language'] : kind === 'assets' ? ['name', 'tag'] : ['name'];
  const texts = fields.map((field) => raw[field]).filter((text) => typeof text === 'string' && text !== '');
  return texts.length > 0 ? texts.join(' · ') : id;
}
