/** Table columns of a kind, from its schema, and one for additional fields. */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';

/** Contains fields outside the contract as JSON. */
export const OTHER_COLUMN = '_other';

export interface Column {
  /** `metadata.name` */
  readonly name: string;
  readonly path: readonly [string] | readonly [string, string];
}

/** In the contract's order; `OTHER` is not included. */
export function getColumns(definition: ResourceDefinition): readonly Column[] {
  const shape = getShape(definition.list?.schema ?? definition.schema) ?? {};
  return Object.entries(shape).flatMap(([field, schema]): Column[] => {
    const inner = getShape(schema);
    return inner === undefined
      ? [{ name: field, path: [field] }]
      : Object.keys(inner).map((name) => ({ name: `${field}.${name}`, path: [field, name] }));
  });
}

function getShape(schema: z.core.SomeType): Readonly<Record<string, z.core.SomeType>> | undefined {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) return getShape(schema.def.innerType);
  return schema instanceof z.ZodMiniObject ? schema.shape : undefined;
}

/** The raw value of a column in an item. */
export function getCell(raw: unknown, { path: [field, inner] }: Column): unknown {
  const value = getOwnField(raw, field);
  return inner === undefined ? value : getOwnField(value, inner);
}

/**
 * Fields that no column shows; `undefined` if there are none. For an item that is not an object, the item itself.
 */
export function getOtherFields(raw: unknown, columns: readonly Column[]): unknown {
  if (!isObject(raw)) return raw;
  const rest = Object.entries(raw).flatMap(([field, value]): [string, unknown][] => {
    const fieldColumns = columns.filter(({ path }) => path[0] === field);
    if (fieldColumns.some(({ path }) => path[1] === undefined)) return [];
    if (fieldColumns.length === 0 || !isObject(value))
      return fieldColumns.length > 0 && value === null ? [] : [[field, value]];
    const inner = Object.entries(value).filter(([name]) => !fieldColumns.some(({ path }) => path[1] === name));
    return inner.length === 0 ? [] : [[field, Object.fromEntries(inner)]];
  });
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function getOwnField(value: unknown, field: string): unknown {
  return isObject(value) && Object.hasOwn(value, field) ? (value satisfies JsonObject)[field] : undefined;
}
