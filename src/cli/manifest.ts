/** The manifest of the extension, which ships beside the program. */
import fs from 'node:fs';
import { isObject, type JsonObject } from '../platform/json/json.ts';

/** How a tool is presented. */
export interface ToolDescription {
  readonly name: string;
  readonly displayName: string;
  readonly modelDescription: string;
}

export interface Manifest {
  readonly version: string;
  /** Reads the descriptions of the language-model tools, in English. */
  readonly describeTools: () => readonly ToolDescription[];
}

/** Reads package.json beside the folder of the program, or of its sources. `program`: the URL of the main module. */
export function readManifest(program: string): Manifest {
  for (const folder of ['../', '../../']) {
    const base = new URL(folder, program);
    const manifest = readJson(new URL('package.json', base));
    if (typeof manifest?.['version'] !== 'string') continue;
    const describeTools = (): readonly ToolDescription[] =>
      readDescriptions(manifest['contributes'], readJson(new URL('package.nls.json', base)) ?? {});
    return { version: manifest['version'], describeTools };
  }
  return { version: 'unknown', describeTools: () => [] };
}

function readJson(file: URL): JsonObject | undefined {
  const value: unknown = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
  return isObject(value) ? value : undefined;
}

/** `texts`: the texts of package.nls.json by key; package.json refers to them as `%key%`. */
function readDescriptions(contributes: unknown, texts: JsonObject): readonly ToolDescription[] {
  const described: unknown = isObject(contributes) ? contributes['languageModelTools'] : undefined;
  if (!Array.isArray(described)) return [];
  return described.filter(isObject).flatMap(({ name, displayName: text, modelDescription }) => {
    const key = typeof text === 'string' ? /^%(.+)%$/.exec(text)?.[1] : undefined;
    const displayName = key === undefined ? text : texts[key];
    return typeof name === 'string' && typeof displayName === 'string' && typeof modelDescription === 'string'
      ? [{ name, displayName, modelDescription }]
      : [];
  });
}
