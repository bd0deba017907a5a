/** Creates the texts for a dropped or inserted resource: its id, or in an action file an action to complete. */
import * as l10n from '@vscode/l10n';
import { getLocation } from 'jsonc-parser';
import { MAX_DRAGGED } from '../../model/resources/drag-data.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';
import { isPlaceholder } from '../../model/text/placeholder.ts';
import { isIdLike } from '../links/id-tokens.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';

export interface Insertion {
  readonly type: 'id' | 'action';
  readonly label: string;
  /** plain text, no snippet */
  readonly text: string;
  /** what it replaces: offsets in the file's text; both are the position if nothing is replaced */
  readonly start: number;
  readonly end: number;
}

export interface TargetFile {
  readonly type: 'action' | 'json' | 'other';
  readonly text: string;
}

/** Returns the id as the platform's JSON contains it: that of a role without its organization. */
function getPlainId({ kind, id }: Pick<ResourceArgument, 'kind' | 'id'>): string {
  return kind === 'roles' ? id.slice(id.indexOf('/') + 1) : id;
}

/** Returns what can be inserted at an offset, the most likely first. */
export function getInsertions(
  resources: readonly ResourceArgument[],
  file: TargetFile,
  offset: number,
): readonly Insertion[] {
  const { text } = file;
  const ids = resources.map(getPlainId);
  if (ids.length === 0) return [];
  const isOne = ids.length === 1;
  const insert = (label: string, inserted: string, type: Insertion['type'] = 'id'): Insertion => ({
    type,
    label,
    text: inserted,
    start: offset,
    end: offset,
  });
  const plain = insert(isOne ? l10n.t('Insert ID') : l10n.t('Insert IDs'), ids.join('\n'));
  if (file.type === 'other') return [plain];
  const quotedIds = ids.map((id) => JSON.stringify(id));
  const string = findString(text, offset);
  if (string !== undefined) {
    const { start, end, value } = string;
    return [
      {
        ...plain,
        text: quotedIds.map((id) => id.slice(1, -1)).join(', '),
        ...(isReplaceable(value) && { start, end }),
      },
    ];
  }
  const action = file.type === 'action' ? createAction(resources, text, offset) : undefined;
  return [
    ...(action === undefined ? [] : [insert(action.label, action.text, 'action')]),
    insert(isOne ? l10n.t('Insert ID in Quotes') : l10n.t('Insert IDs in Quotes'), quotedIds.join(', ')),
    plain,
  ];
}

/** The content of the string at an offset, without its quotes. */
function findString(
  text: string,
  offset: number,
): { readonly start: number; readonly end: number; readonly value: string } | undefined {
  const { previousNode: node } = getLocation(text, offset);
  if (node === undefined || (node.type !== 'string' && node.type !== 'property')) return undefined;
  const start = node.offset + 1;
  const last = node.offset + node.length;
  const end = node.length > 1 && text[last - 1] === '"' ? last - 1 : last;
  return start <= offset && offset <= end ? { start, end, value: String(node.value) } : undefined;
}

/** True for a string that the id takes the place of: a placeholder, a variable or another id. */
function isReplaceable(value: string): boolean {
  return isPlaceholder(value) || /^\$\{[^{}]*\}$/.test(value) || isIdLike(value);
}

/** Creates an action if one can stand: the request body of an empty file, or a member of its object. */
function createAction(
  resources: readonly ResourceArgument[],
  text: string,
  offset: number,
): Pick<Insertion, 'label' | 'text'> | undefined {
  const [resource] = resources;
  const action = resource === undefined || resources.length > 1 ? undefined : createSampleAction(resource);
  if (action === undefined) return undefined;
  const label = l10n.t('Insert Action “{0}”', Object.keys(action).join());
  if (text.trim() === '') return { label, text: `${JSON.stringify({ action }, null, 2)}\n` };
  const { path, isAtPropertyKey } = getLocation(text, offset);
  const isBody = path.length === 1 && /^\s*\{\s*\}\s*$/.test(text);
  const isAction = path.length === 2 && path[0] === 'action';
  if (!isAtPropertyKey || !(isBody || isAction)) return undefined;
  // Without the outer braces: it is inserted between existing ones.
  const lines = JSON.stringify(isBody ? { action } : action, null, 2)
    .split('\n')
    .slice(1, -1);
  return { label, text: lines.join('\n').trimStart() };
}

/** Returns the most common action on a resource of that kind. */
function createSampleAction(resource: ResourceArgument): Readonly<Record<string, object>> | undefined {
  const id = getPlainId(resource);
  if (resource.kind === 'templates') return { mint: { template_id: id, num: 1 } };
  if (resource.kind === 'objects') return { transfer: { id, to: '' } };
  return undefined;
}

/** Parses dropped data; skips invalid entries. */
export function parseDragData(text: string): readonly ResourceArgument[] {
  const list = tryParseJson(text);
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_DRAGGED).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const [connection, kind, id]: unknown[] = ['connection', 'kind', 'id'].map((name): unknown =>
      Reflect.get(entry, name),
    );
    const valid = typeof connection === 'string' && typeof kind === 'string' && typeof id === 'string' && id !== '';
    return valid ? [{ connection, kind, id }] : [];
  });
}
