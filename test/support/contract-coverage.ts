/** Compares many responses with the contract: no missing and no additional fields, each field and value at least once. */
import { isRequired, getFieldName, type Shape, type Type } from './platform-shapes.ts';

/** Differences from the contract, one sentence each. */
export function findUncovered(shape: Shape, samples: readonly unknown[], path = ''): readonly string[] {
  const problems = new Set<string>();
  const objects = samples.filter((sample): sample is Readonly<Record<string, unknown>> => {
    const fits = typeof sample === 'object' && sample !== null && !Array.isArray(sample);
    if (!fits) problems.add(`${path}: no object`);
    return fits;
  });
  const names = new Set(Object.keys(shape.fields).map(getFieldName));
  for (const sample of objects)
    for (const name of Object.keys(sample))
      if (!names.has(name)) problems.add(`${joinPath(path, name)}: not in the contract`);
  for (const [name, type] of Object.entries(shape.fields)) {
    const at = joinPath(path, getFieldName(name));
    const values = objects
      .filter((sample) => Object.hasOwn(sample, getFieldName(name)))
      .map((sample) => sample[getFieldName(name)]);
    if (objects.length > 0 && values.length === 0) problems.add(`${at}: never there`);
    else if (isRequired(name) && type !== 'not shown' && values.length < objects.length)
      problems.add(`${at}: not always there`);
    for (const problem of checkType(type, values, at)) problems.add(problem);
  }
  return [...problems];
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function checkType(type: Type, values: readonly unknown[], path: string): readonly string[] {
  if (typeof type !== 'object') {
    const fits = TYPE_CHECKS[type];
    return fits === undefined || values.every(fits) ? [] : [`${path}: not of type ${type}`];
  }
  if ('fields' in type) return values.length === 0 ? [] : findUncovered(type, values, path);
  if ('text' in type) {
    const { max } = type.text;
    return values.every((value) => typeof value === 'string' && value.length <= max) ? [] : [`${path}: no such text`];
  }
  if ('values' in type) {
    const known = type.values;
    const missing = known.filter((value) => !values.includes(value)).map((value) => `${path}: never ${value}`);
    const others = values.filter((value) => !known.some((candidate) => candidate === value));
    return values.length === 0
      ? []
      : [...missing, ...others.map((value) => `${path}: ${String(value)} is not in the contract`)];
  }
  if ('list' in type) {
    if (!values.every(Array.isArray)) return [`${path}: no list`];
    return checkType(type.list, values.flat(), `${path}[]`);
  }
  const maps = values.filter((value) => typeof value === 'object' && value !== null);
  return maps.length < values.length
    ? [`${path}: no map`]
    : checkType(
        type.map,
        maps.flatMap((map): unknown[] => Object.values(map)),
        `${path}{}`,
      );
}

const TYPE_CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  url: (value) => typeof value === 'string' && URL.canParse(value),
  boolean: (value) => typeof value === 'boolean',
  // Larger integers are parsed as RawNumber.
  integer: (value) => Number.isInteger(value) || (JSON.isRawJSON(value) && /^-?\d+$/.test(value.rawJSON)),
  double: (value) => typeof value === 'number',
  'date-time': (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value),
  'free-form': (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Every field below a shape, as a list of names; `[]` for the elements of a list. */
export function listPaths(type: Type, before: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof type !== 'object') return [];
  if ('list' in type) return listPaths(type.list, [...before, '[]']);
  if (!('fields' in type)) return [];
  return Object.entries(type.fields).flatMap(([name, inner]) => [
    [...before, getFieldName(name)],
    ...listPaths(inner, [...before, getFieldName(name)]),
  ]);
}

/** A copy of the samples without one field. */
export function removeField(samples: readonly unknown[], path: readonly string[]): readonly unknown[] {
  const [step, ...rest] = path;
  return samples.map((sample) => {
    if (step === '[]') return Array.isArray(sample) ? removeField(sample, rest) : sample;
    if (typeof sample !== 'object' || sample === null || step === undefined || !Object.hasOwn(sample, step))
      return sample;
    const { [step]: value, ...others } = sample as Readonly<Record<string, unknown>>;
    return rest.length === 0 ? others : { ...others, [step]: removeField([value], rest)[0] };
  });
}
