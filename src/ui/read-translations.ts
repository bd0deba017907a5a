/** The translations of the extension, as files. */

/**
 * Reads the packed translations of a display language; those of `de-AT` are the ones of `de`. `undefined` if there are
 * none. `folder`: the folder `l10n` of the build.
 */
export function readTranslations(language: string, folder: URL): Readonly<Record<string, string>> | undefined {
  const [name = '', base] = /^([a-z]{2,3})(?:-[a-z]+)?$/.exec(language.toLowerCase()) ?? [];
  if (base === undefined || base === 'en') return undefined;
  // Not imported: activation loads no file system for English.
  const fs = process.getBuiltinModule('node:fs');
  const file = [name, base].map((part) => new URL(`${part}.json`, folder)).find((url) => fs.existsSync(url));
  if (file === undefined) return undefined;
  const read = (url: URL): readonly unknown[] => {
    const value: unknown = JSON.parse(fs.readFileSync(url, 'utf8'));
    return Array.isArray(value) ? value : [];
  };
  const texts = read(file);
  return Object.fromEntries(
    read(new URL('keys.json', folder)).flatMap((key, index) => {
      const text = texts[index];
      return typeof key === 'string' && typeof text === 'string' && text !== '' ? [[key, text]] : [];
    }),
  );
}
