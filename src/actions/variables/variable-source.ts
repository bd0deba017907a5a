import { getDistinctVariables, type VariableValues } from '../file/variables.ts';
import type { ActionFile } from '../file/action-file.ts';

/** Where the values of variables come from. Each method rejects, naming the variable, if there is no value. */
export interface VariableSource {
  /** any JSON value of a row of the data; only a batch has rows */
  row(column: string): unknown;
  input(name: string): Promise<string>;
  env(name: string): Promise<string>;
  secret(name: string): Promise<string>;
  /** the content of a file */
  file(name: string): Promise<string>;
  /** any JSON value of an earlier run; `name` is `NAME.path`; throws if there is none */
  run(name: string): unknown;
}

interface ResolvedVariables {
  readonly values: VariableValues;
  /** values to redact in everything that is stored or shown */
  readonly secrets: readonly string[];
}

/** Reads the value of each variable of a file, in order. Rejects with what the source rejects with. */
export async function resolveVariables(file: ActionFile, source: VariableSource): Promise<ResolvedVariables> {
  const values = new Map<string, unknown>();
  const secrets: string[] = [];
  for (const { kind, name, text } of getDistinctVariables(file)) {
    const value: unknown = await source[kind](name);
    values.set(text, value);
    if ((kind === 'env' || kind === 'secret') && typeof value === 'string' && value !== '') secrets.push(value);
  }
  return { values, secrets };
}
