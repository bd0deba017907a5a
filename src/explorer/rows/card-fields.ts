/** The telling fields of a resource, for its tooltip. */
import * as l10n from '@vscode/l10n';
import { formatFieldText } from '../../platform/resources/action-log-fields.ts';
import { isObject } from '../../platform/json/json.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { getFullTitle, type GetTitle } from '../../model/resources/filter-fields.ts';
import { formatFieldLabel } from './related-resources.ts';
import { getValuesAt } from '../../platform/json/field-values.ts';
import { formatLocalTime, toOneLine } from '../format.ts';
import { formatStatus } from '../../model/text/status.ts';

interface CardField {
  readonly label: string;
  /** plain text from the server, on one line */
  readonly value: string;
}

const MAX_FIELDS = 6;
/** Room for a label and an address. */
export const MAX_CARD_VALUE_LENGTH = 120;
const TIME_NAME = /^when_|_at$|_time$/;
/** Fields that are omitted: ids are shown as references, and hashes are not readable. */
const NOISE = /^(?:id|name|key|content|signature|nonce|version)$|(?:_id|hash|root)$/;

/**
 * Returns at most six fields: the state, the resources it references that are known by name, its own fields, those of
 * `metadata` and `custom`, and two times.
 */
export function getCardFields(definition: ResourceDefinition, raw: unknown, getTitle: GetTitle): readonly CardField[] {
  if (!isObject(raw)) return [];
  const { state } = definition.summary(raw);
  const references = Object.entries(definition.references).flatMap(([path, kind]) => {
    const titles = getValuesAt(raw, path).flatMap((id) => getFullTitle(kind, id, getTitle) ?? []);
    const [first] = titles;
    return first === undefined ? [] : [{ label: formatFieldLabel(path), value: first }];
  });
  const parts = [raw, raw['metadata'], raw['custom']].filter(isObject);
  const fields = parts.flatMap((part) => Object.entries(part).flatMap(([name, value]) => createField(name, value)));
  const accounts = Object.entries(definition.links ?? {}).flatMap(([path, link]) =>
    link === 'account' && !(path in definition.references)
      ? getValuesAt(raw, path).flatMap((address) => {
          const value = getFullTitle('wallets', address, getTitle);
          return value === undefined ? [] : [{ label: formatFieldLabel(path), value }];
        })
      : [],
  );
  const times = Object.entries(raw).flatMap(([name, value]) =>
    typeof value === 'string' && TIME_NAME.test(name)
      ? [{ label: formatFieldLabel(name.replace(/^when_/, '')), value: formatLocalTime(value) }]
      : [],
  );
  const lead = [
    ...(state === undefined ? [] : [{ label: l10n.t('State'), value: formatStatus(state.label) }]),
    ...references,
    ...accounts,
  ];
  return [...uniqueByLabel([...lead, ...fields]).slice(0, MAX_FIELDS - Math.min(times.length, 2)), ...times.slice(0, 2)]
    .slice(0, MAX_FIELDS)
    .map(({ label, value }) => ({ label: toOneLine(label, 40), value: toOneLine(value, MAX_CARD_VALUE_LENGTH) }));
}

function createField(name: string, value: unknown): readonly CardField[] {
  if (NOISE.test(name) || TIME_NAME.test(name) || value === '') return [];
  const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = scalar ? String(value) : JSON.isRawJSON(value) ? value.rawJSON : undefined;
  return text === undefined ? [] : [{ label: formatFieldLabel(name), value: formatFieldText(name, text) }];
}

function uniqueByLabel(fields: readonly CardField[]): readonly CardField[] {
  const labels = new Set<string>();
  return fields.filter(({ label }) => !labels.has(label) && labels.add(label));
}
