/** JSON values made from the contract, and the ways in which one can depart from it. */
import { isRequired, plain, type Shape, type Type } from './contract.ts';

/** A value with every field. `turn` chooses among enum values, and goes into the texts. */
export function example(type: Type, turn = 0): unknown {
  if (typeof type === 'object') {
    if ('list' in type) return [example(type.list, turn)];
    if ('map' in type) return { one: example(type.map, turn) };
    if ('values' in type) return type.values[turn % type.values.length];
    if ('text' in type) return 'x'.repeat(type.text.max);
    return Object.fromEntries(Object.entries(type.fields).map(([name, inner]) => [plain(name), example(inner, turn)]));
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

/** The longest list of values of any enum below. */
export function turns(type: Type): number {
  if (typeof type !== 'object') return 1;
  if ('list' in type) return turns(type.list);
  if ('map' in type) return turns(type.map);
  if ('values' in type) return type.values.length;
  if ('text' in type) return 1;
  return Math.max(1, ...Object.values(type.fields).map(turns));
}

export interface Departure {
  /** `a.b[0].c`, as drift writes it */
  readonly path: string;
  /** none: within the contract */
  readonly problem: 'missing' | 'enum' | 'format' | 'type' | undefined;
  readonly value: unknown;
}

/** The whole example with one field left out, or one value that the contract does not have, for each field and value. */
export function departures(shape: Shape): readonly Departure[] {
  const found: Departure[] = [];
  const add = (steps: readonly (string | number)[], problem: Departure['problem'], change: Change): void => {
    const value = structuredClone(example(shape));
    apply(value, steps, change);
    found.push({ path: pathOf(steps), problem, value });
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
        const at = [...steps, plain(name)];
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
  const holder = steps.slice(0, -1).reduce(at, value);
  if (typeof holder !== 'object' || holder === null || last === undefined) throw new Error(`no ${pathOf(steps)}`);
  if (change === 'leave out') Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, change.to);
}

/** The value at one step: a field's, or an element's. */
export function at(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, step) as unknown) : undefined;
}

function pathOf(steps: readonly (string | number)[]): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}

/** Each path of the shape as a view can be asked for it, with what stands there. */
export function leaves(type: Type, value: unknown, steps: readonly (string | number)[] = []): readonly Leaf[] {
  if (typeof type === 'object' && 'list' in type) return leaves(type.list, at(value, 0), [...steps, 0]);
  if (typeof type === 'object' && 'fields' in type)
    return Object.entries(type.fields).flatMap(([name, inner]) =>
      leaves(inner, at(value, plain(name)), [...steps, plain(name)]),
    );
  return [{ steps, value }];
}

export interface Leaf {
  readonly steps: readonly (string | number)[];
  readonly value: unknown;
}
