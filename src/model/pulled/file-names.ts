/** Names of pulled files that Windows, macOS and Linux accept, and that stay the same while a resource exists. */
import { createHash } from 'node:crypto';
import { toPlainText } from '../../platform/text/plain-text.ts';

/** UTF-8 bytes of a name without its suffixes: some encrypted file systems allow 143 for all. */
const MAX_BYTES = 96;
/** Names of devices on Windows, whatever follows their first dot. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|$))/i;

/** The name of a resource as a file name without extension; `unnamed` if nothing of it is left. */
export function toFileName(name: string): string {
  const plain = toPlainText(name, 200)
    .normalize('NFC')
    .replaceAll(/[<>:"/\\|?*\p{C}]/gu, '-')
    .replaceAll(/\s+/g, ' ');
  let text = '';
  for (const character of plain) {
    if (Buffer.byteLength(text + character) > MAX_BYTES) break;
    text += character;
  }
  // Dots and spaces at an end are dropped by Windows; a dot at the start hides the file.
  text = text.replaceAll(/^[. ]+|[. ]+$/g, '').replace(RESERVED, '_$&');
  return text === '' ? 'unnamed' : text;
}

/** What file systems that ignore case and forms of Unicode take for the same name. */
const getKey = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * The file name of each resource by id: that of `known` if it has one, else its name, with a part of the id if others have
 * that name. The order of `resources` does not matter.
 */
export function assignFileNames(
  resources: readonly Named[],
  known: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const names = new Map(known);
  const used = new Set([...known.values()].map(getKey));
  const added = resources
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }) => ({ id, name: toFileName(name) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const wanted = Map.groupBy(added, ({ name }) => getKey(name));
  const add = (id: string, name: string): boolean => {
    const key = getKey(name);
    if (used.has(key)) return false;
    used.add(key);
    names.set(id, name);
    return true;
  };
  // Names that only one resource wants come first: no name with a part of an id takes theirs.
  const others = added.filter(({ id, name }) => wanted.get(getKey(name))?.length !== 1 || !add(id, name));
  for (const { id, name } of others) for (const part of createIdParts(id)) if (add(id, `${name}-${part}`)) break;
  return names;
}

/** The end of an id as it is read, then hashes of it, which do not end. */
function* createIdParts(id: string): Generator<string> {
  const end = id.replaceAll(/[^a-z\d]/gi, '').slice(-6);
  if (end !== '') yield end.toLowerCase();
  for (let count = 0; ; count++)
    yield createHash('sha256')
      .update(`${id}\n${String(count)}`)
      .digest('hex')
      .slice(0, 12);
}
