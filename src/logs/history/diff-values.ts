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
    } else found.push(`${path}: ${formatPair(a, b)}`);
  };
  walk(before, after, '');
  return found.length > max ? [...found.slice(0, max), l10n.t('and more')] : found;
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Both values as JSON; of long ones, which start alike, the part from shortly before their difference. */
function formatPair(a: unknown, b: unknown): string {
  const texts = [a, b].map((value) => (value === undefined ? l10n.t('absent') : JSON.stringify(value)));
  const [one = '', other = ''] = texts;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const skipped = Math.max(one.length, other.length) > 80 && start > 50 ? start - 20 : 0;
  return texts
    .map((text) => (skipped > 0 ? `${text.slice(0, 1)}…${text.slice(skipped)}` : text))
    .map((text) => (text.length > 80 ? `${text.slice(0, 79)}…` : text))
    .join(' → ');
}
