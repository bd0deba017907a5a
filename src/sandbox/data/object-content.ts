/** Custom data of objects, and the part of their name that follows the template's, from `static/world/objects.json`. */
import * as z from 'zod/mini';
import { isObject } from '../../platform/json/json.ts';
import type { SeededRandom } from '../generation/random.ts';
import type { Item } from '../generation/collection.ts';
import { readWorld } from '../static-files.ts';

/** `title` is built from `custom`, so that an object's name and its face agree. */
interface ObjectContent {
  readonly custom?: Item;
  readonly title?: string;
}

type Maker = (draw: SeededRandom, list: readonly unknown[]) => unknown;

/** By the template's slug. Titles contain the paths of fields in braces; other values are made by `make`. */
const contents = readWorld(
  'objects',
  z.record(z.string(), z.object({ title: z.unknown(), custom: z.record(z.string(), z.unknown()) })),
);

const MAKERS: Readonly<Record<string, Maker>> = {
  $pick: (draw, list) => list[draw.int(list.length)],
  $between: (draw, [from, to]) => draw.between(Number(from), Number(to)),
  $tenths: (draw, [from, to]) => draw.between(Number(from), Number(to)) / 10,
  $chance: (draw, [share]) => draw.chance(Number(share)),
  $if: (draw, [share, one, other]) => make(draw.chance(Number(share)) ? one : other, draw),
  $join: (draw, list) => list.map((part) => String(make(part, draw))).join(''),
  $code: (draw, [digits]) => draw.hex(Number(digits)).toUpperCase(),
  // More digits than a double has.
  $digits: (draw, [start, from, to]) =>
    JSON.rawJSON(`${String(start)}${String(draw.between(Number(from), Number(to)))}`),
  $date(draw, [year]) {
    const twoDigits = (to: number): string => String(draw.between(1, to)).padStart(2, '0');
    return `${String(year)}-${twoDigits(12)}-${twoDigits(28)}`;
  },
};

/** Makes a value: an object with one field of `MAKERS` is drawn, the fields of `...` are part of the object around it. */
function make(value: unknown, draw: SeededRandom): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => make(entry, draw));
  if (!isObject(value)) return value;
  const [name = ''] = Object.keys(value);
  const maker = MAKERS[name];
  return maker === undefined ? makeItem(value, draw) : maker(draw, [value[name]].flat());
}

function makeItem(fields: Item, draw: SeededRandom): Item {
  const made = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const field = make(value, draw);
    return name === '...' && isObject(field) ? Object.entries(field) : [[name, field]];
  });
  return Object.fromEntries(made);
}

/** The content of one object. Templates that `objects.json` does not name have objects without custom data. */
export function createObjectContent(slug: string, draw: SeededRandom, edition: number): ObjectContent {
  const content = contents[slug];
  if (content === undefined) return {};
  const custom = makeItem(content.custom, draw);
  if (typeof content.title !== 'string') return { custom, title: String(make(content.title, draw)) };
  const read = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), { ...custom, edition });
  return { custom, title: content.title.replace(/\{([\w.]+)\}/g, (_, path: string) => String(read(path))) };
}
