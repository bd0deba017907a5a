import { isObject } from './json.ts';

/**
 * Returns the values at a path: `metadata.name`, `assets[0].url`, and `affected_objects[].template_id` for all items of
 * a list. A value that does not exist is `undefined`.
 */
export function getAllAt(raw: unknown, path: string): readonly unknown[] {
  let parts: readonly unknown[] = [raw];
  for (const [step] of path.matchAll(/\[\d*\]|[^.[\]]+/g))
    parts = parts.flatMap((part): readonly unknown[] => {
      if (!step.startsWith('[')) return [isObject(part) && Object.hasOwn(part, step) ? part[step] : undefined];
      const items: readonly unknown[] = Array.isArray(part) ? part : [];
      return step === '[]' ? items : [items[Number(step.slice(1, -1))]];
    });
  return parts;
}

/** Returns the non-empty strings at a path, see `getAllAt`. */
export function getValuesAt(raw: unknown, path: string): readonly string[] {
  return getAllAt(raw, path)
    .filter((part) => typeof part === 'string' && part !== '' && part.length <= 1024)
    .map(String);
}
