/** Compares the types of the data of an action with those that the platform has now. */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { isObject } from '../../platform/json/json.ts';
import { formatLine } from '../../model/runs/run-record.ts';

type ValueType = 'text' | 'number' | 'boolean';

/** A value that has another type on the platform. */
export interface TypeConflict {
  /** names of the fields that lead to the value, in the action */
  readonly path: readonly string[];
  readonly here: ValueType;
  readonly there: ValueType;
}

/**
 * Finds the values within `node` that have another type in `sources`: in the first one that has the field. Texts that are
 * empty or have variables do not count.
 */
export function findTypeConflicts(
  node: Node | undefined,
  path: readonly string[],
  sources: readonly unknown[],
): readonly { readonly node: Node; readonly conflict: TypeConflict }[] {
  if (node?.type === 'object')
    return (node.children ?? []).flatMap(({ children: [key, value] = [] }) => {
      const name = String(key?.value);
      const fields = sources.map((source) =>
        isObject(source) && Object.hasOwn(source, name) ? source[name] : undefined,
      );
      return findTypeConflicts(value, [...path, name], fields);
    });
  const here = node === undefined ? undefined : getValueType(node.value);
  const there = getValueType(sources.find((source) => source !== undefined && source !== null));
  if (node === undefined || here === undefined || there === undefined || here === there) return [];
  if (here === 'text' && /^\s*$|\$\{/.test(String(node.value))) return [];
  return [{ node, conflict: { path, here, there } }];
}

/** Says which types a value has, without the full stop. `name`: of the field or of its column. */
export function formatTypeConflict(name: string, { here, there }: TypeConflict): string {
  return l10n.t('{0} is {1} here, but {2} on the platform', formatLine(name, 60), formatType(here), formatType(there));
}

function getValueType(value: unknown): ValueType | undefined {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' || JSON.isRawJSON(value) ? 'number' : undefined;
}

function formatType(type: ValueType): string {
  if (type === 'text') return l10n.t({ message: 'text', args: [], comment: 'Type of a value' });
  return type === 'number' ? l10n.t('a number') : l10n.t('true or false');
}
