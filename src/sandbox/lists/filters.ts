/** Tests entries against the query of a list. */
import { isObject } from '../../platform/json/json.ts';
import { messageTemplate } from '../../platform/resources/message-templates.ts';
import { catalogue } from '../data/template-catalogue.ts';
import { isWithin, type Entry } from '../generation/collection.ts';
import { pickCyclic } from '../generation/generated-source.ts';
import type { Filter, ListQuery } from './list-query.ts';
import type { World } from '../world.ts';

type FilterTest = (entry: Entry, value: string) => boolean;

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Fields that `autocomplete` searches. */
const SEARCHED = ['name', 'title', 'content', 'tag', 'alias', 'description'] as const;

/** Tests of the parameters that are not equal to a field of the same name. */
const commonTests: Readonly<Record<string, FilterTest>> = {
  name: (entry, value) => lower(entry.get('name')) === value.toLowerCase(),
  autocomplete: (entry, value) => SEARCHED.some((field) => lower(entry.get(field)).includes(value.toLowerCase())),
  org_id: (entry, value) => (entry.organization ?? entry.get('org_id')) === value,
};

const systems: readonly string[] = messageTemplate.shape.system.options;
const types: readonly string[] = messageTemplate.shape.action_type.options;

const testsByKind: Readonly<Record<string, Readonly<Record<string, FilterTest>>>> = {
  objects: {
    dropped: (entry, value) => isObject(entry.get('location')) === (value === 'true'),
    geo_hash(entry, value) {
      const location = entry.get('location');
      return isObject(location) && String(location['geo_hash']).startsWith(value);
    },
  },
  'action-logs': {
    object_id: (entry, value) =>
      entry.index === undefined
        ? toArray(entry.get('affected_objects')).some((affected) => isObject(affected) && affected['id'] === value)
        : entry.get('object_id') === value,
    action_id: (entry, value) => entry.get('id') === value,
  },
  'message-templates': {
    // The contract's descriptions of these two match no field. Known values are compared, others ignored.
    system: (entry, value) => !systems.includes(value) || entry.get('system') === value,
    type: (entry, value) => !types.includes(value) || entry.get('action_type') === value,
  },
};

function createFilter(world: World, kind: string, { parameter, value }: Filter): (entry: Entry) => boolean {
  if (kind === 'objects' && parameter === 'fqdn') {
    const templates = findTemplatesOfDomain(world, value);
    return (entry) => templates.has(entry.get('template_id'));
  }
  const test = testsByKind[kind]?.[parameter] ?? commonTests[parameter];
  if (test !== undefined) return (entry) => test(entry, value);
  return (entry) => {
    const own = entry.get(parameter);
    return ['string', 'number', 'boolean'].includes(typeof own) && String(own) === value;
  };
}

/** The IDs of the templates with this domain name or one below it. */
function findTemplatesOfDomain({ templates, organizations }: World, domain: string): ReadonlySet<unknown> {
  const ids = catalogue.flatMap(({ slug, organization }, index) =>
    `.${slug}.${pickCyclic(organizations, organization).fqdn}`.endsWith(`.${domain}`) ? [templates.idAt(index)] : [],
  );
  return new Set(ids);
}

/** A test of a query's filters and dates, and of the organizations that the caller may read; undefined: all. */
export function createEntryTest(
  world: World,
  kind: string,
  { filters, modified }: ListQuery,
  organizations?: ReadonlySet<string>,
): (entry: Entry) => boolean {
  const tests = filters.map((filter) => createFilter(world, kind, filter));
  if (organizations !== undefined)
    tests.push(({ organization }) => organization === undefined || organizations.has(organization));
  if (modified !== undefined)
    tests.push((entry) => {
      const value = entry.get('when_modified');
      return isWithin(typeof value === 'number' ? value : Date.parse(String(value)), modified);
    });
  return (entry) => tests.every((test) => test(entry));
}
