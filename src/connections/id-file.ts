/** Pure: known ids as the text of the file that keeps them, there and back; all windows of a machine share the file. */
import { isObject } from '../platform/json.ts';
import { MOST_IDS, type KnownId } from './id-index.ts';

const VERSION = 1;

type Sections = Readonly<Record<string, { readonly baseUrl: string; readonly ids: readonly unknown[] }>>;

export interface FileIds {
  /** of the connections that were asked for */
  readonly known: readonly KnownId[];
  /** of connections that only other windows have; they go back as they came */
  readonly others: Sections;
}

/** `baseUrl` of the connections to keep; ids of any other are left out. They come back only under the same base URL. */
export function idsToText(
  known: Iterable<KnownId>,
  baseUrls: ReadonlyMap<string, string>,
  others: Sections = {},
): string {
  const connections = new Map<string, { baseUrl: string; ids: (string | null)[][] }>();
  let left = MOST_IDS;
  for (const { connection, kind, id, address, title, state, when, picture } of known) {
    const baseUrl = baseUrls.get(connection);
    if (baseUrl === undefined) continue;
    const of = connections.get(connection) ?? { baseUrl, ids: [] };
    connections.set(connection, of);
    of.ids.push([id, kind, title, state ?? null, when ?? null, address ?? null, picture ?? null]);
    left--;
  }
  const rest = Object.entries(others).map(([name, { baseUrl, ids }]) => {
    const kept = left <= 0 ? [] : ids.slice(-left);
    left -= kept.length;
    return [name, { baseUrl, ids: kept }] as const;
  });
  return JSON.stringify({ version: VERSION, connections: Object.fromEntries([...rest, ...connections]) });
}

/** What is not as it was written is passed over: the file is no more than a memory. */
export function idsFromText(text: string, baseUrls: ReadonlyMap<string, string>): FileIds {
  const known: KnownId[] = [];
  const others: [string, Sections[string]][] = [];
  for (const [name, section] of Object.entries(sectionsOf(text))) {
    if (!isObject(section) || typeof section['baseUrl'] !== 'string' || !Array.isArray(section['ids'])) continue;
    const { baseUrl } = section;
    const ids: readonly unknown[] = section['ids'];
    if (!baseUrls.has(name)) others.push([name, { baseUrl, ids }]);
    else if (baseUrls.get(name) === baseUrl) known.push(...ids.flatMap((entry) => knownId(name, entry)));
  }
  return { known, others: Object.fromEntries(others) };
}

function sectionsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const file: unknown = JSON.parse(text);
    const sections = isObject(file) && file['version'] === VERSION ? file['connections'] : undefined;
    return isObject(sections) ? sections : {};
  } catch {
    return {};
  }
}

function knownId(connection: string, entry: unknown): KnownId[] {
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
      ...(typeof address === 'string' && { address }),
      ...(typeof picture === 'string' && { picture }),
    },
  ];
}
