/** Pure: known ids as the text of the file that keeps them between two windows, there and back. */
import { isObject } from '../platform/json.ts';
import type { KnownId } from './id-index.ts';

const VERSION = 1;

/** `baseUrl` of the connections to keep; ids of any other are left out. They come back only under the same base URL. */
export function idsToText(known: Iterable<KnownId>, baseUrls: ReadonlyMap<string, string>): string {
  const connections = new Map<string, { baseUrl: string; ids: (string | null)[][] }>();
  for (const { connection, kind, id, address, title, state, when } of known) {
    const baseUrl = baseUrls.get(connection);
    if (baseUrl === undefined) continue;
    const of = connections.get(connection) ?? { baseUrl, ids: [] };
    connections.set(connection, of);
    of.ids.push([id, kind, title, state ?? null, when ?? null, address ?? null]);
  }
  return JSON.stringify({ version: VERSION, connections: Object.fromEntries(connections) });
}

/** What is not as it was written is passed over: the file is no more than a memory. */
export function idsFromText(text: string, baseUrls: ReadonlyMap<string, string>): KnownId[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isObject(file) || file['version'] !== VERSION || !isObject(file['connections'])) return [];
  return Object.entries(file['connections']).flatMap(([connection, of]) => {
    if (!isObject(of) || of['baseUrl'] !== baseUrls.get(connection) || !Array.isArray(of['ids'])) return [];
    const ids: unknown[] = of['ids'];
    return ids.flatMap((entry) => knownId(connection, entry));
  });
}

function knownId(connection: string, entry: unknown): KnownId[] {
  if (!Array.isArray(entry)) return [];
  const fields: unknown[] = entry;
  const [id, kind, title, state, when, address] = fields;
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
    },
  ];
}
