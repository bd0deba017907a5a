/** Tests items against the query parameters of a list. */
import { isObject } from '../../platform/json/json.ts';
import { messageTemplate } from '../../platform/resources/message-templates.ts';
import { catalogue } from '../data/template-catalogue.ts';
import { fqdnMatches } from '../data/objects.ts';
import type { Entry, Item } from '../generation/collection.ts';
import type { Filter } from './list-query.ts';
import type { World } from '../world.ts';

type FilterTest = (item: Item, value: string, entry: Entry, world: World) => boolean;

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Fields that `autocomplete` searches. */
const SEARCHED = ['name', 'title', 'content', 'tag', 'alias', 'description'] as const;

/** Tests of the parameters that are not equal to a field of the same name. */
const commonTests: Readonly<Record<string, FilterTest>> = {
  name: (item, value) => lower(item['name']) === value.toLowerCase(),
  autocomplete: (item, value) => SEARCHED.some((field) => lower(item[field]).includes(value.toLowerCase())),
  org_id: (item, value, entry) => (entry.organization ?? item['org_id']) === value,
};

const systems: readonly string[] = messageTemplate.shape.system.options;
const types: readonly string[] = messageTemplate.shape.action_type.options;

const testsByKind: Readonly<Record<string, Readonly<Record<string, FilterTest>>>> = {
  objects: {
    dropped: (item, value) => isObject(item['location']) === (value === 'true'),
    geo_hash: (item, value) => isObject(item['location']) && String(item['location']['geo_hash']).startsWith(value),
    fqdn(item, value, _entry, world) {
      const template = world.templates.findPlan(String(item['template_id']));
      return (
        template !== undefined &&
        template.index < catalogue.length &&
        fqdnMatches(template.index, value, world.organizations)
      );
    },
  },
  'action-logs': {
    object_id: (item, value) =>
      toArray(item['affected_objects']).some((affected) => isObject(affected) && affected['id'] === value),
    action_id: (item, value) => item['id'] === value,
  },
  'message-templates': {
    // The contract's descriptions of these two match no field. Known values are compared, others ignored.
    system: (item, value) => !systems.includes(value) || item['system'] === value,
    type: (item, value) => !types.includes(value) || item['action_type'] === value,
  },
};

/** True if an item of the kind passes the filter. */
export function matchesFilter(kind: string, { parameter, value }: Filter, entry: Entry, world: World): boolean {
  const item = entry.item();
  const test = testsByKind[kind]?.[parameter] ?? commonTests[parameter];
  if (test !== undefined) return test(item, value, entry, world);
  const own = item[parameter];
  return typeof own === 'string' || typeof own === 'number' || typeof own === 'boolean' ? String(own) === value : false;
}
