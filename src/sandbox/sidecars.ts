/** What the flags `faces` and `actions` add beside a page of objects. */
import { isObject, type JsonObject } from '../platform/json.ts';
import type { Item } from './collection.ts';
import type { World } from './world.ts';

export function sidecars(world: World, objects: readonly Item[], faces: boolean, actions: boolean): JsonObject {
  if (!faces && !actions) return {};
  const used = [...new Set(objects.map((object) => String(object['template_id'])))];
  const templates = used.flatMap((id) => {
    const template = world.collection('templates').get(id);
    return template === undefined ? [] : [template];
  });
  return {
    ...(faces && { faces: templates.flatMap((template) => faceOf(world, template)) }),
    ...(actions && {
      actions: templates.map((template) => ({ template_id: template['id'], actions: namesOf(template) })),
    }),
  };
}

function faceOf(world: World, template: Item): JsonObject[] {
  const face = typeof template['face_id'] === 'string' ? world.collection('faces').get(template['face_id']) : undefined;
  if (face === undefined) return [];
  const shown = Object.fromEntries(
    ['id', 'url', 'config', 'content'].flatMap((name) => (name in face ? [[name, face[name]]] : [])),
  );
  return [{ template_id: template['id'], face: shown }];
}

function namesOf(template: Item): unknown[] {
  const actions = template['actions'];
  return Array.isArray(actions) ? actions.flatMap((action: unknown) => (isObject(action) ? [action['name']] : [])) : [];
}
