/** Filters as text, for terminals and language models: `status=failed`, `when_created>=-24h`. */
import { getOwn } from '../../platform/json/json.ts';
import type { Parameter } from '../../platform/operation.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { getFilterParameters, isDateText, type Bound, type Filter } from './filter.ts';

/** A condition that a list does not take. The message is a sentence that names what it takes. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
}

/** `operator`: `=`, or for dates `>`, `>=`, `<`, `<=` */
interface Condition {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

const CONDITION = /^\s*(\w+)\s*(>=|<=|=|>|<)(.*)$/s;
const boundsByOperator: Readonly<Record<string, Bound>> = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' };

/** Parses `status=failed` or `when_created>=-24h`. Throws ConditionError. */
export function parseCondition(text: string): Condition {
  const [, name, operator, value] = CONDITION.exec(text) ?? [];
  if (name === undefined || operator === undefined || value === undefined)
    throw new ConditionError(`${JSON.stringify(text)} is not a condition: write NAME=VALUE.`);
  return { name, operator, value };
}

/** The parameters that conditions of a list can name. */
export function listConditionParameters(definition: ResourceDefinition): readonly (readonly [string, Parameter])[] {
  return getFilterParameters(definition.list?.operation.query ?? {});
}

/** The filter of a list with all conditions; a later one replaces an earlier one. Throws ConditionError. */
export function createFilter(definition: ResourceDefinition, conditions: readonly Condition[]): Filter {
  const filter: Record<string, Filter[string]> = {};
  for (const { name, operator, value } of conditions) {
    const parameter = getOwn(Object.fromEntries(listConditionParameters(definition)), name);
    if (parameter === undefined) throw createUnknownError(definition, name);
    const bound = getOwn(boundsByOperator, operator);
    if (parameter.type === 'dates') {
      if (bound === undefined) throw new ConditionError(`${name} is a date: write for example "${name}>=-24h".`);
      if (!isDateText(value)) throw new ConditionError(`${name} needs a date, or a time span such as -24h or -7d.`);
      const known = filter[name];
      filter[name] = { ...(typeof known === 'object' && known), [bound]: value };
    } else if (bound !== undefined) throw new ConditionError(`${name} is not a date: write ${name}=VALUE.`);
    else filter[name] = parseValue(name, parameter, value);
  }
  return filter;
}

/** Parses a value of a parameter that is no date. Throws ConditionError. */
function parseValue(name: string, parameter: Parameter, value: string): string | boolean {
  if (value === '') throw new ConditionError(`${name} has no value.`);
  const values = getValues(parameter);
  if (values !== undefined && !values.includes(value))
    throw new ConditionError(`${name} must be one of ${values.join(', ')}.`);
  return parameter.type === 'flag' ? value === 'true' : value;
}

/** The values of a parameter, if it has a closed set of them. */
export function getValues(parameter: Parameter): readonly string[] | undefined {
  if (parameter.type === 'flag') return ['true', 'false'];
  if (parameter.type === 'order') return ['ascending', 'descending'];
  return parameter.type === 'enum' ? parameter.values : undefined;
}

function createUnknownError(definition: ResourceDefinition, name: string): ConditionError {
  const names = listConditionParameters(definition).map(([known]) => known);
  return new ConditionError(
    `${definition.label} cannot be filtered by ${JSON.stringify(name)}. Filters: ${names.join(', ')}.`,
  );
}
