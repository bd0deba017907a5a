import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { MASK } from '../../platform/json/secrets.ts';

/** Objects in the fields of an action whose own fields are left out one by one. */
const PARTS = ['data', 'data.metadata', 'data.custom'];

/**
 * The fields of an action without those that `redact` changes or that are masked already, and the paths of these. An action would
 * replace the real value by the mask; an update keeps what it does not contain.
 */
export function omitMasked(
  fields: JsonObject,
  redact: (text: string) => string,
): { readonly fields: JsonObject; readonly omitted: readonly string[] } {
  const omitted: string[] = [];
  const omit = (part: JsonObject, parent: string): JsonObject =>
    Object.fromEntries(
      Object.entries(part).flatMap(([name, value]) => {
        const path = parent + name;
        if (PARTS.includes(path) && isObject(value)) return [[name, omit(value, `${path}.`)]];
        if (!redact(JSON.stringify([name, value])).includes(MASK)) return [[name, value]];
        omitted.push(path);
        return [];
      }),
    );
  return { fields: omit(fields, ''), omitted };
}
