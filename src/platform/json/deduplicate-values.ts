/** Shares equal strings and objects between items of a list. `JSON.parse` creates a copy for each item. */
import { isObject } from './json.ts';

/** Characters; V8 shares shorter strings itself. */
const MIN_LENGTH = 11;
const MAX_MODELS = 64;

/** Deduplicates the values of items that are added one after another. */
export class ValueDeduplicator {
  readonly #models = new Map<unknown, Values>();

  /** Replaces parts of `raw`, in place, with equal parts of the previous item of the same template. */
  add(raw: unknown): void {
    if (!isValues(raw)) return;
    const template = raw['template_id'];
    const model = this.#models.get(template);
    if (model !== undefined) shareValues(model, raw);
    if (this.#models.size >= MAX_MODELS) this.#models.clear();
    this.#models.set(template, raw);
  }
}

type Values = Record<string, unknown>;

function isValues(value: unknown): value is Values {
  return isObject(value);
}

/** Returns true if both are equal, so that `model` can replace `value`. */
function shareValues(model: Values, value: Values): boolean {
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
      shareValues(theirs, ours)
    ) {
      value[name] = theirs;
    } else {
      isEqual = false;
    }
  }
  return isEqual && Object.keys(model).length === count;
}
