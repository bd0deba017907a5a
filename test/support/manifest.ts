import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';

const ROOT = path.resolve(import.meta.dirname, '../..');

function read(file: string): unknown {
  return JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'));
}

/** Returns package.json with its texts in English in place of their keys. */
export function readManifest(): unknown {
  const texts = z.parse(z.record(z.string(), z.string()), read('package.nls.json'));
  return resolveTexts(read('package.json'), texts);
}

function resolveTexts(value: unknown, texts: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    const key = readTextKey(value);
    return key === undefined ? value : texts[key];
  }
  if (Array.isArray(value)) return value.map((item) => resolveTexts(item, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolveTexts(item, texts)]));
}

/** Returns the keys of the texts in package.json. */
export function readManifestTextKeys(value: unknown = read('package.json')): readonly string[] {
  if (typeof value === 'string') return [readTextKey(value) ?? []].flat();
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((item) => readManifestTextKeys(item))
    : [];
}

/** The key in `%key%`. */
function readTextKey(value: string): string | undefined {
  return /^%(.+)%$/.exec(value)?.[1];
}
