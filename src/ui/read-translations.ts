/** The translations of the extension, as files. */
import { isObject } from '../platform/json/json.ts';

/**
 * Reads the packed translations of a display language. VS Code looks for those of `de-AT` only; here they
 * fall back to those of `de`. `undefined` if there are none. `folder`: the folder `l10n` of the extension.
 */
export function readRegionTranslations(language: string, folder: URL): Readonly<Record<string, string>> | undefined {
  const [, base] = /^([a-z]{2,3})-[a-z]+$/i.exec(language) ?? [];
  const file = base === undefined ? undefined : new URL(`bundle.l10n.${base.toLowerCase()}.json`, folder);
  if (file === undefined) return undefined;
  // Not imported: activation loads no file system for other languages.
  const fs = process.getBuiltinModule('node:fs');
  if (!fs.existsSync(file)) return undefined;
  const texts: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (!isObject(texts)) return undefined;
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])),
  );
}
