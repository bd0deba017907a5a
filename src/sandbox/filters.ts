/** Whether an item passes one query parameter of its list. */
import { isObject } from '../platform/json.ts';
import { messageTemplate } from '../platform/resources/message-templates.ts';
import { catalogue } from './data/catalogue.ts';
import { fqdnMatches } from './data/objects.ts';
import type { Entry, Item } from './collection.ts';
import type { Filter } from './query.ts';
import type { World } from './world.ts';

type Test = (item: Item, value: string, entry: Entry, world: World) => boolean;

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Fields that a search term is looked for in. */
const SEARCHED = ['name', 'title', 'content', 'tag', 'alias', 'description'] as const;

/** What a parameter means where it is not simply a field of the same name. */
const everywhere: Readonly<Record<string, Test>> = {
  name: (item, value) => lower(item['name']) === value.toLowerCase(),
  autocomplete: (item, value) => SEARCHED.some((field) => lower(item[field]).includes(value.toLowerCase())),
  org_id: (item, value, entry) => (entry.organization ?? item['org_id']) === value,
};

const systems: readonly string[] = messageTemplate.shape.system.options;
const types: readonly string[] = messageTemplate.shape.action_type.options;

const byKind: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  objects: {
    dropped: (item, value) => isObject(item['location']) === (value === 'true'),
    geo_hash: (item, value) => isObject(item['location']) && String(item['location']['geo_hash']).startsWith(value),
    fqdn(item, value, _entry, world) {
      const template = world.templates.planOf(String(item['template_id']));
      return (
        template !== undefined &&
        template.index < catalogue.length &&
        fqdnMatches(template.index, value, world.organizations)
      );
    },
  },
  'action-logs': {
    object_id: (item, value) =>
      listOf(item['affected_objects']).some((affected) => isObject(affected) && affected['id'] === value),
    action_id: (item, value) => item['id'] === value,
  },
  'message-templates': {
    // The contract describes these two in words that fit no field: a known value is a field's, others say nothing.
    system: (item, value) => !systems.includes(value) || item['system'] === value,
    type: (item, value) => !types.includes(value) || item['action_type'] === value,
  },
};

export function matches(kind: string, { parameter, value }: Filter, entry: Entry, world: World): boolean {
  const item = entry.item();
  const test = byKind[kind]?.[parameter] ?? everywhere[parameter];
  if (test !== undefined) return test(item, value, entry, world);
  const own = item[parameter];
  return typeof own === 'string' || typeof own === 'number' || typeof own === 'boolean' ? String(own) === value : false;
}
