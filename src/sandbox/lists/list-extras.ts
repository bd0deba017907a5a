/** The fields that the flags `faces` and `actions` add to a page of objects. */
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import type { Item } from '../generation/collection.ts';
import type { World } from '../world.ts';

/** The faces and actions of the objects' templates, as requested. */
export function createListExtras(world: World, objects: readonly Item[], faces: boolean, actions: boolean): JsonObject {
  if (!faces && !actions) return {};
  const used = [...new Set(objects.map((object) => String(object['template_id'])))];
  const templates = used.flatMap((id) => {
    const template = world.collection('templates').get(id);
    return template === undefined ? [] : [template];
  });
  return {
    ...(faces && { faces: templates.flatMap((template) => getFace(world, template)) }),
    ...(actions && {
      actions: templates.map((template) => ({ template_id: template['id'], actions: getActionNames(template) })),
    }),
  };
}

function getFace(world: World, template: Item): JsonObject[] {
  const face = typeof template['face_id'] === 'string' ? world.collection('faces').get(template['face_id']) : undefined;
  if (face === undefined) return [];
  const fields = Object.fromEntries(
    ['id', 'url', 'config', 'content'].flatMap((name) => (name in face ? [[name, face[name]]] : [])),
  );
  return [{ template_id: template['id'], face: fields }];
}

function getActionNames(template: Item): unknown[] {
  const actions = template['actions'];
  return Array.isArray(actions) ? actions.flatMap((action: unknown) => (isObject(action) ? [action['name']] : [])) : [];
}
