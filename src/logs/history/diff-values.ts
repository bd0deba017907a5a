import * as l10n from '@vscode/l10n';
import { getOwn, isObject } from '../../platform/json/json.ts';

/** Lists the paths whose value differs between two JSON values, each with both values; at most `max`. */
export function diffValues(before: unknown, after: unknown, max = 20): readonly string[] {
  const found: string[] = [];
  const walk = (a: unknown, b: unknown, path: string): void => {
    if (found.length > max || isEqual(a, b)) return;
    if (isObject(a) && isObject(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
        walk(getOwn(a, name), getOwn(b, name), path === '' ? name : `${path}.${name}`);
    } else found.push(`${path}: ${truncateJson(a)} → ${truncateJson(b)}`);
  };
  walk(before, after, '');
  return found.length > max ? [...found.slice(0, max), l10n.t('and more')] : found;
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function truncateJson(value: unknown): string {
  const text = value === undefined ? l10n.t('absent') : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
