/** Infers TypeScript types from JSON samples. */
import { isObject } from '../../platform/json/json.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

/** The values of one place over all samples. */
interface Shape {
  /** number of values */
  count: number;
  readonly kinds: Set<'string' | 'number' | 'boolean' | 'null' | 'big'>;
  fields?: { readonly shapes: Map<string, Shape>; objects: number };
  items?: { readonly shape: Shape };
}

/** Deeper values are typed as unknown. */
const MAX_DEPTH = 32;
/** Fields of one object; with more, the names are data and it becomes a Record. */
const MAX_FIELDS = 200;

const createShape = (): Shape => ({ count: 0, kinds: new Set() });

interface TypeOptions {
  /** names that are taken; those of the declarations are added */
  readonly usedNames?: Set<string>;
  /** fields by name, so that the order of samples and their fields does not matter */
  readonly isSorted?: boolean;
}

interface Context extends Required<TypeOptions> {
  readonly declarations: string[];
}

/** Returns declarations of `name` and the types it uses. Integers that a double would round are `bigint | number`. */
export function inferTypes(
  name: string,
  samples: readonly unknown[],
  { usedNames = new Set(), isSorted = false }: TypeOptions = {},
): string {
  const shape = createShape();
  for (const sample of samples) addSample(shape, sample, 0);
  const declarations: string[] = [];
  const root = createTypeName(name, usedNames);
  const text = formatShape(shape, root, { usedNames, isSorted, declarations });
  // An object is declared as an interface; anything else needs an alias.
  if (text !== root) declarations.unshift(`export type ${root} = ${text};\n`);
  return declarations.join('\n');
}

function addSample(shape: Shape, value: unknown, depth: number): void {
  shape.count++;
  if (value === null) shape.kinds.add('null');
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    shape.kinds.add(typeof value as 'string' | 'number' | 'boolean');
  else if (depth >= MAX_DEPTH) shape.fields ??= { shapes: new Map(), objects: 0 };
  else if (Array.isArray(value)) {
    const items: unknown[] = value;
    shape.items ??= { shape: createShape() };
    for (const item of items) addSample(shape.items.shape, item, depth + 1);
  } else if (isObject(value)) {
    shape.fields ??= { shapes: new Map(), objects: 0 };
    shape.fields.objects++;
    for (const [field, inner] of Object.entries(value)) {
      const known = getOrAdd(shape.fields.shapes, field, () => createShape());
      addSample(known, inner, depth + 1);
    }
  } else shape.kinds.add(JSON.isRawJSON(value) && /^-?\d+$/.test(value.rawJSON) ? 'big' : 'number');
}

function formatShape(shape: Shape, name: string, context: Context): string {
  const parts: string[] = [];
  const { kinds, fields, items } = shape;
  if (fields !== undefined) parts.push(formatInterface(fields, name, context));
  if (items !== undefined) {
    const inner =
      items.shape.count === 0
        ? 'unknown'
        : formatShape(items.shape, createTypeName(`${name}Item`, context.usedNames), context);
    parts.push(inner.includes(' ') ? `(${inner})[]` : `${inner}[]`);
  }
  if (kinds.has('string')) parts.push('string');
  if (kinds.has('big')) parts.push('bigint');
  if (kinds.has('number') || kinds.has('big')) parts.push('number');
  if (kinds.has('boolean')) parts.push('boolean');
  if (kinds.has('null')) parts.push('null');
  return parts.length === 0 ? 'unknown' : parts.join(' | ');
}

function formatInterface({ shapes, objects }: NonNullable<Shape['fields']>, name: string, context: Context): string {
  const { declarations, usedNames, isSorted } = context;
  if (shapes.size === 0 || shapes.size > MAX_FIELDS) return 'Record<string, unknown>';
  const place = declarations.push('') - 1;
  const fields = isSorted ? [...shapes].sort(([a], [b]) => (a < b ? -1 : 1)) : [...shapes];
  const lines = fields.map(([field, inner]) => {
    const type = formatShape(inner, createTypeName(`${name} ${field}`, usedNames), context);
    return `  ${formatPropertyName(field)}${inner.count < objects ? '?' : ''}: ${type};\n`;
  });
  declarations[place] = `export interface ${name} {\n${lines.join('')}}\n`;
  return name;
}

/** Server text that cannot end a comment. */
export function formatComment(text: string): string {
  return toPlainText(text, 120).replaceAll('*/', '* /');
}

/** A property name as source text, quoted if necessary. */
export function formatPropertyName(field: string): string {
  // A quoted name uses JSON's escapes, except for two characters that end a line in TypeScript.
  if (/^[A-Za-z_$][\w$]*$/.test(field)) return field;
  return JSON.stringify(field).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

// Words that cannot name a type.
const RESERVED =
  /^(?:any|unknown|never|string|number|boolean|bigint|symbol|object|void|undefined|null|true|false|Record)$/i;

/** Returns a unique type name and adds it to `usedNames`: `Concert ticket custom` → `ConcertTicketCustom`. */
export function createTypeName(text: string, usedNames: Set<string>): string {
  const parts = text.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? [];
  const joined = parts
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
    .slice(0, 80);
  const base = joined === '' || RESERVED.test(joined) ? `Type${joined}` : /^\d/.test(joined) ? `T${joined}` : joined;
  let name = base;
  for (let count = 2; usedNames.has(name); count++) name = `${base}${String(count)}`;
  usedNames.add(name);
  return name;
}
