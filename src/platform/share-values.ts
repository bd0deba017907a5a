/** Lets items of a list share equal strings and objects: `JSON.parse` makes each of them anew. */
import { isObject } from './json.ts';

/** V8 shares shorter strings itself. */
const MIN_LENGTH = 11;
const MAX_MODELS = 64;

export class SharedValues {
  readonly #models = new Map<unknown, Values>();

  /** Replaces parts of an item with equal parts of the one before it that has the same template. Changes `raw`. */
  add(raw: unknown): void {
    if (!isValues(raw)) return;
    const template = raw['template_id'];
    const model = this.#models.get(template);
    if (model !== undefined) share(model, raw);
    if (this.#models.size >= MAX_MODELS) this.#models.clear();
    this.#models.set(template, raw);
  }
}

type Values = Record<string, unknown>;

function isValues(value: unknown): value is Values {
  return isObject(value);
}

/** True where both are equal in whole, so that `model` can stand for `value`. */
function share(model: Values, value: Values): boolean {
  let isEqual = true;
  let count = 0;
  for (const name in value) {
    count++;
    const ours = value[name];
    const theirs = model[name];
    if (ours === theirs) {
      if (typeof ours === 'string' && ours.length >= MIN_LENGTH) value[name] = theirs;
    } else if (
      typeof ours === 'object' &&
      name !== '__proto__' &&
      isValues(ours) &&
      isValues(theirs) &&
      share(theirs, ours)
    ) {
      value[name] = theirs;
    } else {
      isEqual = false;
    }
  }
  return isEqual && Object.keys(model).length === count;
}
