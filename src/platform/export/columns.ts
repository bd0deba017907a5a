/** Pure: the columns of a kind's table, from its schema: its fields, those of the objects in it, and one for the rest. */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../json.ts';
import type { ResourceRow } from '../resource.ts';

/** Holds as JSON what a row has besides the contract's fields: nothing is lost. */
export const OTHER = '_other';

export interface Column {
  /** `metadata.name` */
  readonly name: string;
  readonly path: readonly [string] | readonly [string, string];
}

/** In the contract's order; `OTHER` is not among them. */
export function columnsOf(row: ResourceRow): readonly Column[] {
  const shape = shapeOf(row.list?.schema ?? row.schema) ?? {};
  return Object.entries(shape).flatMap(([field, schema]): Column[] => {
    const inner = shapeOf(schema);
    return inner === undefined
      ? [{ name: field, path: [field] }]
      : Object.keys(inner).map((name) => ({ name: `${field}.${name}`, path: [field, name] }));
  });
}

function shapeOf(schema: z.core.SomeType): Readonly<Record<string, z.core.SomeType>> | undefined {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) return shapeOf(schema.def.innerType);
  return schema instanceof z.ZodMiniObject ? schema.shape : undefined;
}

export function cellOf(raw: unknown, { path: [field, inner] }: Column): unknown {
  const value = own(raw, field);
  return inner === undefined ? value : own(value, inner);
}

/** What no column shows; `undefined` where there is nothing. An item that is no object is all of it. */
export function otherOf(raw: unknown, columns: readonly Column[]): unknown {
  if (!isObject(raw)) return raw;
  const rest = Object.entries(raw).flatMap(([field, value]): [string, unknown][] => {
    const own = columns.filter(({ path }) => path[0] === field);
    if (own.some(({ path }) => path[1] === undefined)) return [];
    if (own.length === 0 || !isObject(value)) return own.length > 0 && value === null ? [] : [[field, value]];
    const inner = Object.entries(value).filter(([name]) => !own.some(({ path }) => path[1] === name));
    return inner.length === 0 ? [] : [[field, Object.fromEntries(inner)]];
  });
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function own(value: unknown, field: string): unknown {
  return isObject(value) && Object.hasOwn(value, field) ? (value satisfies JsonObject)[field] : undefined;
}
