/** The translations of the extension, as files. */
import { readCompressed } from '../platform/json/read-compressed.ts';

/**
 * Reads the packed translations of a display language; those of `de-AT` are the ones of `de`. `undefined` if there are
 * none. `folder`: the folder `l10n` of the build.
 */
export function readTranslations(language: string, folder: URL): Readonly<Record<string, string>> | undefined {
  const [name = '', base] = /^([a-z]{2,3})(?:-[a-z]+)?$/.exec(language.toLowerCase()) ?? [];
  if (base === undefined || base === 'en') return undefined;
  // Not imported: activation loads no file system for English.
  const { existsSync } = process.getBuiltinModule('node:fs');
  const file = [name, base].map((part) => new URL(`${part}.br`, folder)).find((url) => existsSync(url));
  if (file === undefined) return undefined;
  const read = (url: URL): readonly unknown[] => {
    const value = readCompressed(url);
    return Array.isArray(value) ? value : [];
  };
  const texts = read(file);
  return Object.fromEntries(
    read(new URL('keys.br', folder)).flatMap((key, index) => {
      const text = texts[index];
      return typeof key === 'string' && typeof text === 'string' && text !== '' ? [[key, text]] : [];
    }),
  );
}
