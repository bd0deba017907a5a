/** Tolerant reading: lazy views over raw JSON whose fields come from a zod schema, and the drift between the two. */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from './json.ts';

/** A date-time as the contract writes it. */
export const dateTime = z.iso.datetime({ offset: true });
/** A whole number of any size; past 2^53 its view is a bigint. */
export const integer = z.custom<number | bigint>(
  (value) => Number.isSafeInteger(value) || (JSON.isRawJSON(value) && /^-?\d+$/.test(value.rawJSON)),
);
/** Declared by the contract, shape not shown: anything goes, absence too. */
export const notShown = z.optional(z.unknown());
/** A free-form object. */
export const freeForm = z.record(z.string(), z.unknown());

/** May be absent; servers write null for that too. */
export function optional<S extends z.ZodMiniType>(schema: S): z.ZodMiniOptional<z.ZodMiniNullable<S>> {
  return z.optional(z.nullable(schema));
}

/**
 * What reading yields: every field may be missing, whatever the contract says, and an enum value outside the contract
 * is kept as it stands.
 */
export type ViewOf<S> =
  S extends z.ZodMiniOptional<infer Inner extends z.core.SomeType>
    ? ViewOf<Inner> | undefined
    : S extends z.ZodMiniNullable<infer Inner extends z.core.SomeType>
      ? ViewOf<Inner>
      : S extends z.ZodMiniObject<infer Shape>
        ? { readonly [Field in keyof Shape]: ViewOf<Shape[Field]> | undefined }
        : S extends z.ZodMiniArray<infer Element extends z.core.SomeType>
          ? readonly ViewOf<Element>[]
          : S extends z.ZodMiniEnum
            ? string
            : S extends z.core.SomeType
              ? z.output<S>
              : never;

type Reader = (raw: unknown) => unknown;
const readers = new WeakMap<z.core.SomeType, Reader>();
const RAW = Symbol('raw');

function reader(schema: z.core.SomeType): Reader {
  let found = readers.get(schema);
  if (found === undefined) readers.set(schema, (found = build(schema)));
  return found;
}

const stringOnly: Reader = (raw) => (typeof raw === 'string' ? raw : undefined);

function build(schema: z.core.SomeType): Reader {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) return reader(schema.def.innerType);
  if (schema instanceof z.ZodMiniObject) return objectReader(schema.shape);
  if (schema instanceof z.ZodMiniArray) {
    const element = reader(schema.def.element);
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
        return (read ??= reader(schema))(this[RAW][field]);
      },
    });
  }
  return (raw) => (isObject(raw) ? new View(raw) : undefined);
}

/**
 * The tolerant view of `raw`: built in constant time, each field read when asked for. `undefined` where `raw` is not
 * even of the schema's basic type.
 */
export function viewOf<S extends z.core.SomeType>(schema: S, raw: unknown): ViewOf<S> | undefined {
  // The reader is built from this very schema; the types cannot see that.
  return reader(schema)(raw) as ViewOf<S> | undefined;
}

/** One difference between an answer and the contract. Never fatal. */
export interface Drift {
  /** where: `metadata.image.url`, `actions[2].name`; empty for the whole */
  readonly path: string;
  readonly problem: 'missing' | 'type' | 'enum' | 'format';
  /** in words, without the value: it may be hostile */
  readonly message: string;
}

/** Every difference between `raw` and the schema. Costs a full validation: call it for what a person looks at. */
export function driftOf(schema: z.core.SomeType, raw: unknown): readonly Drift[] {
  // Every schema of zod's is a $ZodType; the wider type only spares generic callers a proof.
  const result = z.safeParse(schema as z.core.$ZodType, raw);
  if (result.success) return [];
  return result.error.issues.map((issue) => toDrift(issue, raw)).filter((drift) => !hasOtherName(drift, raw));
}

/** Names that newer deployments use in place of the contract's. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  state_root: ['state_hash', 'content_hash'],
  next_state_root: ['next_state_hash', 'next_content_hash'],
  action_id: ['actionId'],
};

/** A field that is missing under the contract's name, and stands there under another one. */
function hasOtherName({ path, problem }: Drift, raw: unknown): boolean {
  const name = /\w+$/.exec(path)?.[0] ?? '';
  if (problem !== 'missing' || !Object.hasOwn(OTHER_NAMES, name)) return false;
  const steps = path.slice(0, -name.length).match(/\w+/g) ?? [];
  const holder = valueAt(raw, steps);
  return (
    isObject(holder) && (OTHER_NAMES[name] ?? []).some((other) => holder[other] !== undefined && holder[other] !== null)
  );
}

const formats: Readonly<Record<string, string>> = { datetime: 'a date-time', url: 'a URL' };

function toDrift(issue: z.core.$ZodIssue, raw: unknown): Drift {
  const path = pathText(issue.path);
  if (issue.code === 'invalid_value') {
    const missing = valueAt(raw, issue.path) === undefined;
    const values = issue.values.map(String).join(', ');
    if (missing) return { path, problem: 'missing', message: 'required by the contract, but absent' };
    return { path, problem: 'enum', message: `not one of the contract's values: ${values}` };
  }
  if (issue.code === 'invalid_format')
    return {
      path,
      problem: 'format',
      message: `not ${formats[issue.format] ?? `of the format ${issue.format}`} as the contract asks`,
    };
  const value = valueAt(raw, issue.path);
  if (value === undefined) return { path, problem: 'missing', message: 'required by the contract, but absent' };
  const expected = issue.code === 'invalid_type' ? issue.expected : issue.code === 'custom' ? 'integer' : 'other value';
  if (issue.code === 'too_big') return { path, problem: 'format', message: 'longer than the contract allows' };
  return {
    path,
    problem: 'type',
    message: `${value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value} where the contract has ${expected}`,
  };
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let at = raw;
  for (const step of path) at = typeof at === 'object' && at !== null ? (Reflect.get(at, step) as unknown) : undefined;
  return at;
}

/** `['a', 0, 'b']` → `a[0].b` */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${String(step)}]` : (index === 0 ? '' : '.') + String(step)))
    .join('');
}
