/** The `update` that leads an object back to an earlier state. */
import { isObject, type JsonObject } from '../../platform/json/json.ts';

/** `data` of the update, and what it does not restore, such as `owner` or a field that was added. */
export function createRestoring(
  state: JsonObject,
  present: JsonObject,
): { readonly data: Readonly<Record<string, JsonObject>>; readonly left: readonly string[] } {
  const left = ['owner', 'location'].filter((name) => !isSame(state[name], present[name]));
  const createPart = (name: string, isOptional: boolean): JsonObject => {
    const [before, now] = [toObject(state[name]), toObject(present[name])];
    if (isOptional && isSame(before, now)) return {};
    left.push(...Object.keys(now).flatMap((key) => (Object.hasOwn(before, key) ? [] : [`${name}.${key}`])));
    return before;
  };
  return { data: { metadata: createPart('metadata', true), custom: createPart('custom', false) }, left };
}

function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
