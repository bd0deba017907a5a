/** Pure: a TypeScript type from samples of JSON: what is always there, what is not, and which types each field has. */
import { isObject } from '../platform/json.ts';

/** What was seen in one place over all samples. */
interface Shape {
  /** how many values stood here */
  count: number;
  readonly kinds: Set<'string' | 'number' | 'boolean' | 'null' | 'big'>;
  fields?: { readonly of: Map<string, Shape>; objects: number };
  items?: { readonly of: Shape };
}

/** Deeper than any document a person writes; past it everything is unknown. */
const DEEPEST = 32;
/** Fields of one object: more of them, and the names are data. */
const MOST_FIELDS = 200;

const empty = (): Shape => ({ count: 0, kinds: new Set() });

/** Declarations of `name` and what it needs. Numbers that a double would round are `bigint | number`. */
export function typesOf(name: string, samples: readonly unknown[]): string {
  const shape = empty();
  for (const sample of samples) merge(shape, sample, 0);
  const declarations: string[] = [];
  const taken = new Set<string>();
  const root = typeName(name, taken);
  const text = write(shape, root, declarations, taken);
  // An object declares itself under its own name; anything else needs an alias.
  if (text !== root) declarations.unshift(`export type ${root} = ${text};\n`);
  return declarations.join('\n');
}

function merge(shape: Shape, value: unknown, depth: number): void {
  shape.count++;
  if (value === null) shape.kinds.add('null');
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    shape.kinds.add(typeof value as 'string' | 'number' | 'boolean');
  else if (depth >= DEEPEST) shape.fields ??= { of: new Map(), objects: 0 };
  else if (Array.isArray(value)) {
    const items: unknown[] = value;
    shape.items ??= { of: empty() };
    for (const item of items) merge(shape.items.of, item, depth + 1);
  } else if (isObject(value)) {
    shape.fields ??= { of: new Map(), objects: 0 };
    shape.fields.objects++;
    for (const [field, inner] of Object.entries(value)) {
      const known = shape.fields.of.get(field) ?? empty();
      shape.fields.of.set(field, known);
      merge(known, inner, depth + 1);
    }
  } else shape.kinds.add('big');
}

function write(shape: Shape, name: string, declarations: string[], taken: Set<string>): string {
  const parts: string[] = [];
  const { kinds, fields, items } = shape;
  if (fields !== undefined) parts.push(writeObject(fields, name, declarations, taken));
  if (items !== undefined) {
    const inner =
      items.of.count === 0 ? 'unknown' : write(items.of, typeName(`${name}Item`, taken), declarations, taken);
    parts.push(inner.includes(' ') ? `(${inner})[]` : `${inner}[]`);
  }
  if (kinds.has('string')) parts.push('string');
  if (kinds.has('big')) parts.push('bigint');
  if (kinds.has('number') || kinds.has('big')) parts.push('number');
  if (kinds.has('boolean')) parts.push('boolean');
  if (kinds.has('null')) parts.push('null');
  return parts.length === 0 ? 'unknown' : parts.join(' | ');
}

function writeObject(
  { of, objects }: NonNullable<Shape['fields']>,
  name: string,
  declarations: string[],
  taken: Set<string>,
): string {
  if (of.size === 0 || of.size > MOST_FIELDS) return 'Record<string, unknown>';
  const place = declarations.push('') - 1;
  const lines = [...of].map(([field, inner]) => {
    const type = write(inner, typeName(`${name} ${field}`, taken), declarations, taken);
    return `  ${propertyName(field)}${inner.count < objects ? '?' : ''}: ${type};\n`;
  });
  declarations[place] = `export interface ${name} {\n${lines.join('')}}\n`;
  return name;
}

function propertyName(field: string): string {
  // As an identifier where it is one; else as a string, whose escapes are JSON's own but for two.
  if (/^[A-Za-z_$][\w$]*$/.test(field)) return field;
  return JSON.stringify(field).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

// Words that are no names of types.
const RESERVED =
  /^(?:any|unknown|never|string|number|boolean|bigint|symbol|object|void|undefined|null|true|false|Record)$/i;

/** `Concert ticket custom` → `ConcertTicketCustom`, unlike every name before. */
export function typeName(words: string, taken: Set<string>): string {
  const parts = words.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? [];
  const joined = parts
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
    .slice(0, 80);
  const base = joined === '' || RESERVED.test(joined) ? `Type${joined}` : /^\d/.test(joined) ? `T${joined}` : joined;
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base}${String(count)}`;
  taken.add(name);
  return name;
}
