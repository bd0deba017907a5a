/** Serializes known ids to the file that all windows of a machine share, and parses it. */
import { isObject } from '../platform/json/json.ts';
import { MAX_IDS, type KnownId } from './id-index.ts';

const VERSION = 1;

type Sections = Readonly<Record<string, { readonly baseUrl: string; readonly ids: readonly unknown[] }>>;

export interface ParsedIds {
  /** entries of the requested connections */
  readonly known: readonly KnownId[];
  /** sections of connections that only other windows have, written back unchanged */
  readonly others: Sections;
}

/** `baseUrl` of the connections to write; ids of others are left out. They are read only for the same base URL. */
export function serializeIds(
  known: Iterable<KnownId>,
  baseUrls: ReadonlyMap<string, string>,
  others: Sections = {},
): string {
  const connections = new Map<string, { baseUrl: string; ids: (string | null)[][] }>();
  let capacity = MAX_IDS;
  for (const { connection, kind, id, documentId: address, title, state, when, pictureUrl: picture } of known) {
    const baseUrl = baseUrls.get(connection);
    if (baseUrl === undefined) continue;
    const section = connections.get(connection) ?? { baseUrl, ids: [] };
    connections.set(connection, section);
    section.ids.push([id, kind, title, state ?? null, when ?? null, address ?? null, picture ?? null]);
    capacity--;
  }
  const rest = Object.entries(others).map(([name, { baseUrl, ids }]) => {
    const remaining = capacity <= 0 ? [] : ids.slice(-capacity);
    capacity -= remaining.length;
    return [name, { baseUrl, ids: remaining }] as const;
  });
  return JSON.stringify({ version: VERSION, connections: Object.fromEntries([...rest, ...connections]) });
}

/** Parses the file; skips invalid entries, since the file is only a cache. */
export function parseIds(text: string, baseUrls: ReadonlyMap<string, string>): ParsedIds {
  let known: readonly KnownId[] = [];
  const others: [string, Sections[string]][] = [];
  for (const [name, section] of Object.entries(readSections(text))) {
    if (!isObject(section) || typeof section['baseUrl'] !== 'string' || !Array.isArray(section['ids'])) continue;
    const { baseUrl } = section;
    const ids: readonly unknown[] = section['ids'];
    if (!baseUrls.has(name)) others.push([name, { baseUrl, ids }]);
    else if (baseUrls.get(name) === baseUrl)
      known = known.concat(ids.slice(-MAX_IDS).flatMap((entry) => readEntry(name, entry)));
  }
  return { known, others: Object.fromEntries(others) };
}

function readSections(text: string): Readonly<Record<string, unknown>> {
  try {
    const file: unknown = JSON.parse(text);
    const sections = isObject(file) && file['version'] === VERSION ? file['connections'] : undefined;
    return isObject(sections) ? sections : {};
  } catch {
    return {};
  }
}

function readEntry(connection: string, entry: unknown): KnownId[] {
  if (!Array.isArray(entry)) return [];
  const fields: unknown[] = entry;
  const [id, kind, title, state, when, address, picture] = fields;
  if (typeof id !== 'string' || typeof kind !== 'string' || typeof title !== 'string') return [];
  return [
    {
      connection,
      kind,
      id,
      title,
      ...(typeof state === 'string' && { state }),
      ...(typeof when === 'string' && { when }),
      ...(typeof address === 'string' && { documentId: address }),
      ...(typeof picture === 'string' && { pictureUrl: picture }),
    },
  ];
}
