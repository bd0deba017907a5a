/** Tolerant reading of JSON by zod schemas: lazy views, and drift from the schema. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { isObject, type JsonObject } from './json/json.ts';
import { formatList } from './text/localization.ts';

/** A date-time as the contract writes it. */
export const dateTime = z.iso.datetime({ offset: true });
/** An integer of any size; beyond 2^53 its view is a bigint. */
export const integer = z.custom<number | bigint>(
  (value) => Number.isSafeInteger(value) || (JSON.isRawJSON(value) && /^-?\d+$/.test(value.rawJSON)),
);
/** A field that the contract declares without a type: any value, or absent. */
export const undocumented = z.optional(z.unknown());
/** A free-form object. */
export const freeForm = z.record(z.string(), z.unknown());

/** A field that may be absent or null: servers write null for absent values. */
export function optional<S extends z.ZodMiniType>(schema: S): z.ZodMiniOptional<z.ZodMiniNullable<S>> {
  return z.optional(z.nullable(schema));
}

/** The fields of a zod object schema; `undefined` for other schemas. */
export function getShape(schema: z.core.SomeType): Readonly<Record<string, z.core.SomeType>> | undefined {
  return schema instanceof z.ZodMiniObject ? schema.shape : undefined;
}

/** The type of a view: every field may be missing, and enum values outside the contract are strings. */
export type SchemaView<S> =
  S extends z.ZodMiniOptional<infer Inner extends z.core.SomeType>
    ? SchemaView<Inner> | undefined
    : S extends z.ZodMiniNullable<infer Inner extends z.core.SomeType>
      ? SchemaView<Inner>
      : S extends z.ZodMiniObject<infer Shape>
        ? { readonly [Field in keyof Shape]: SchemaView<Shape[Field]> | undefined }
        : S extends z.ZodMiniArray<infer Element extends z.core.SomeType>
          ? readonly SchemaView<Element>[]
          : S extends z.ZodMiniEnum
            ? string
            : S extends z.core.SomeType
              ? z.output<S>
              : never;

type Reader = (raw: unknown) => unknown;
const readers = new WeakMap<z.core.SomeType, Reader>();
const RAW = Symbol('raw');

function getReader(schema: z.core.SomeType): Reader {
  let found = readers.get(schema);
  if (found === undefined) readers.set(schema, (found = createReader(schema)));
  return found;
}

const stringOnly: Reader = (raw) => (typeof raw === 'string' ? raw : undefined);

function createReader(schema: z.core.SomeType): Reader {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return getReader(schema.def.innerType);
  if (schema instanceof z.ZodMiniObject) return objectReader(schema.shape);
  if (schema instanceof z.ZodMiniArray) {
    const element = getReader(schema.def.element);
    return (raw) => (Array.isArray(raw) ? raw.map(element).filter((entry) => entry !== undefined) : undefined);
  }
  if (schema instanceof z.ZodMiniString || schema instanceof z.ZodMiniEnum) return stringOnly;
  if (schema instanceof z.ZodMiniBoolean) return (raw) => (typeof raw === 'boolean' ? raw : undefined);
  if (schema instanceof z.ZodMiniNumber)
    return (raw) => (JSON.isRawJSON(raw) ? Number(raw.rawJSON) : typeof raw === 'number' ? raw : undefined);
  if (schema === integer) {
    return (raw) =>
      typeof raw === 'number'
        ? raw
        : JSON.isRawJSON(raw) && /^-?\d+$/.test(raw.rawJSON)
          ? BigInt(raw.rawJSON)
          : undefined;
  }
  if (schema instanceof z.ZodMiniRecord) return (raw) => (isObject(raw) ? raw : undefined);
  return (raw) => raw ?? undefined;
}

function objectReader(shape: Readonly<Record<string, z.core.SomeType>>): Reader {
  class View {
    readonly [RAW]: JsonObject;
    constructor(raw: JsonObject) {
      this[RAW] = raw;
    }
  }
  for (const [field, schema] of Object.entries(shape)) {
    let read: Reader | undefined;
    Object.defineProperty(View.prototype, field, {
      enumerable: true,
      get(this: View) {
        return (read ??= getReader(schema))(this[RAW][field]);
      },
    });
  }
  return (raw) => (isObject(raw) ? new View(raw) : undefined);
}

/** A tolerant view of `raw`, created in constant time; fields are read on access. `undefined` if the type is wrong. */
export function createView<S extends z.core.SomeType>(schema: S, raw: unknown): SchemaView<S> | undefined {
  // The reader was created from this schema, so its result has this type.
  return getReader(schema)(raw) as SchemaView<S> | undefined;
}

/** One difference between a response and the contract. Never fatal. */
export interface Drift {
  /** `metadata.image.url`, `actions[2].name`; empty for the value itself */
  readonly path: string;
  readonly problem: 'missing' | 'type' | 'enum' | 'format';
  /** a description without the value, which is untrusted */
  readonly message: string;
}

/** All differences between `raw` and the schema. Runs a full validation: call it for single resources, not for lists. */
export function findDrift(schema: z.core.SomeType, raw: unknown): readonly Drift[] {
  // Every schema is a $ZodType. The parameter's wider type saves generic callers an assertion.
  const result = z.safeParse(schema as z.core.$ZodType, raw);
  if (result.success) return [];
  return result.error.issues.map((issue) => toDrift(issue, raw)).filter((drift) => !hasOtherName(drift, raw));
}

/** Names that newer deployments use instead of the contract's. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  state_root: ['state_hash', 'content_hash'],
  next_state_root: ['next_state_hash', 'next_content_hash'],
  action_id: ['actionId'],
};

/** True for a missing field that is present under one of its other names. */
function hasOtherName({ path, problem }: Drift, raw: unknown): boolean {
  const name = /\w+$/.exec(path)?.[0] ?? '';
  if (problem !== 'missing' || !Object.hasOwn(OTHER_NAMES, name)) return false;
  const steps = path.slice(0, -name.length).match(/\w+/g) ?? [];
  const parent = getValueAt(raw, steps);
  return (
    isObject(parent) && (OTHER_NAMES[name] ?? []).some((other) => parent[other] !== undefined && parent[other] !== null)
  );
}

function formatFormatProblem(format: string): string {
  if (format === 'datetime') return l10n.t('not a date-time, unlike in the contract');
  if (format === 'url') return l10n.t('not a URL, unlike in the contract');
  return l10n.t('not in the format {0} of the contract', format);
}

function toDrift(issue: z.core.$ZodIssue, raw: unknown): Drift {
  const path = formatPath(issue.path);
  if (issue.code === 'invalid_value') {
    const missing = getValueAt(raw, issue.path) === undefined;
    const values = formatList(issue.values.map(String), 'unit');
    if (missing) return { path, problem: 'missing', message: l10n.t('required by the contract, but missing') };
    return { path, problem: 'enum', message: l10n.t('not one of the values of the contract: {0}', values) };
  }
  if (issue.code === 'invalid_format') return { path, problem: 'format', message: formatFormatProblem(issue.format) };
  const value = getValueAt(raw, issue.path);
  if (value === undefined)
    return { path, problem: 'missing', message: l10n.t('required by the contract, but missing') };
  const expected =
    issue.code === 'invalid_type' ? issue.expected : issue.code === 'custom' ? 'integer' : l10n.t('another value');
  if (issue.code === 'too_big') return { path, problem: 'format', message: l10n.t('longer than the contract allows') };
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return { path, problem: 'type', message: l10n.t('{0} where the contract has {1}', type, expected) };
}

function getValueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let at = raw;
  for (const step of path) at = typeof at === 'object' && at !== null ? (Reflect.get(at, step) as unknown) : undefined;
  return at;
}

/** `['a', 0, 'b']` → `a[0].b` */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${String(step)}]` : (index === 0 ? '' : '.') + String(step)))
    .join('');
}
