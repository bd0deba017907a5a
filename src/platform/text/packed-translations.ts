/** Translations as they ship: the hashes of the English messages, and for each language its texts in the same order. */

/** Returns the key of a message in packed translations: FNV-1a of 24 bits, as the build finds two messages with one hash. */
export function hashMessage(message: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < message.length; index++)
    hash = Math.imul(hash ^ message.charCodeAt(index), 0x01000193) >>> 0;
  return ((hash >>> 24) ^ (hash & 0xffffff)).toString(36);
}

/** Returns packed translations by English message. */
export function unpackTranslations(packed: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return new Proxy<Record<string, string>>(
    {},
    { get: (_target, message) => (typeof message === 'string' ? packed[hashMessage(message)] : undefined) },
  );
}
