/** Generates JSON values from the contract, and values that deviate from it. */
import { isRequired, getFieldName, type Shape, type Type } from './platform-shapes.ts';

/** A value with every field. `turn` selects enum values and varies the texts. */
export function example(type: Type, turn = 0): unknown {
  if (typeof type === 'object') {
    if ('list' in type) return [example(type.list, turn)];
    if ('map' in type) return { one: example(type.map, turn) };
    if ('values' in type) return type.values[turn % type.values.length];
    if ('text' in type) return 'x'.repeat(type.text.max);
    return Object.fromEntries(
      Object.entries(type.fields).map(([name, inner]) => [getFieldName(name), example(inner, turn)]),
    );
  }
  switch (type) {
    case 'url':
      return `https://example.org/${turn}`;
    case 'boolean':
      return turn % 2 === 0;
    case 'integer':
      return turn;
    case 'double':
      return turn + 0.5;
    case 'date-time':
      return '2026-03-02T10:00:00Z';
    case 'any':
    case 'free-form':
      return { any: ['thing', turn] };
    case 'string':
    case 'not shown':
      return `text ${turn}`;
  }
}

/** Size of the largest enum in the shape. */
export function countTurns(type: Type): number {
  if (typeof type !== 'object') return 1;
  if ('list' in type) return countTurns(type.list);
  if ('map' in type) return countTurns(type.map);
  if ('values' in type) return type.values.length;
  if ('text' in type) return 1;
  return Math.max(1, ...Object.values(type.fields).map(countTurns));
}

export interface Departure {
  /** `a.b[0].c`, the notation of drift */
  readonly path: string;
  /** none: allowed by the contract */
  readonly problem: 'missing' | 'enum' | 'format' | 'type' | undefined;
  readonly value: unknown;
}

/** The example with one field omitted, or one unexpected value, for each field and value. */
export function departures(shape: Shape): readonly Departure[] {
  const found: Departure[] = [];
  const add = (steps: readonly (string | number)[], problem: Departure['problem'], change: Change): void => {
    const value = structuredClone(example(shape));
    apply(value, steps, change);
    found.push({ path: formatPath(steps), problem, value });
  };
  const visit = (type: Type, steps: readonly (string | number)[]): void => {
    if (typeof type !== 'object') {
      const wrong = WRONG[type];
      if (wrong !== undefined) add(steps, wrong.problem, wrong);
    } else if ('list' in type) {
      add(steps, 'type', { to: 'no list' });
      visit(type.list, [...steps, 0]);
    } else if ('map' in type) {
      add(steps, 'type', { to: 'no map' });
      visit(type.map, [...steps, 'one']);
    } else if ('values' in type) add(steps, 'enum', { to: 'another' });
    else if ('text' in type) {
      add(steps, 'type', { to: 5 });
      add(steps, 'format', { to: 'x'.repeat(type.text.max + 1) });
    } else {
      if (steps.length > 0) add(steps, 'type', { to: 'no object' });
      for (const [name, inner] of Object.entries(type.fields)) {
        const at = [...steps, getFieldName(name)];
        add(at, isRequired(name) && inner !== 'not shown' ? 'missing' : undefined, 'leave out');
        visit(inner, at);
      }
    }
  };
  visit(shape, []);
  return found;
}

const WRONG: Readonly<Record<string, { readonly to: unknown; readonly problem: 'type' | 'format' }>> = {
  string: { to: 5, problem: 'type' },
  url: { to: 'no address', problem: 'format' },
  boolean: { to: 'true', problem: 'type' },
  integer: { to: 1.5, problem: 'type' },
  double: { to: '1.5', problem: 'type' },
  'date-time': { to: 'yesterday', problem: 'format' },
  'free-form': { to: 'no object', problem: 'type' },
};

type Change = 'leave out' | { readonly to: unknown };

function apply(value: unknown, steps: readonly (string | number)[], change: Change): void {
  const last = steps.at(-1);
  const parent = steps.slice(0, -1).reduce(at, value);
  if (typeof parent !== 'object' || parent === null || last === undefined) throw new Error(`no ${formatPath(steps)}`);
  if (change === 'leave out') Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, change.to);
}

/** The value of a field or element. */
export function at(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, step) as unknown) : undefined;
}

function formatPath(steps: readonly (string | number)[]): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}

/** Each path of the shape with its value. */
export function leaves(type: Type, value: unknown, steps: readonly (string | number)[] = []): readonly Leaf[] {
  if (typeof type === 'object' && 'list' in type) return leaves(type.list, at(value, 0), [...steps, 0]);
  if (typeof type === 'object' && 'fields' in type)
    return Object.entries(type.fields).flatMap(([name, inner]) =>
      leaves(inner, at(value, getFieldName(name)), [...steps, getFieldName(name)]),
    );
  return [{ steps, value }];
}

export interface Leaf {
  readonly steps: readonly (string | number)[];
  readonly value: unknown;
}
