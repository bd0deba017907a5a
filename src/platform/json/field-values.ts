import { isObject } from './json.ts';

/** Returns the non-empty strings at a field path such as `affected_objects[].template_id`. */
export function getValuesAt(raw: unknown, path: string): readonly string[] {
  let parts: readonly unknown[] = [raw];
  for (const field of path.split('.')) {
    const name = field.replace(/\[\]$/, '');
    parts = parts.flatMap((part) => {
      const value = isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
      if (!field.endsWith('[]')) return [value];
      return Array.isArray(value) ? (value as readonly unknown[]) : [];
    });
  }
  return parts.filter((part) => typeof part === 'string' && part !== '' && part.length <= 1024).map(String);
}
