/** Pure: what a command was given, read defensively: a resource, a tree row, a document's address, or an id. */
import type { ResourceArgument } from '../commands/ids.ts';
import { isKind } from '../platform/registry.ts';
import { resourceOfPath, SCHEME } from './uri.ts';

/** Longest id or name that is taken from outside. */
const LONGEST = 1024;

/** A resource that is named in full, whoever named it; `undefined` for anything else. */
export function resourceFrom(argument: unknown): ResourceArgument | undefined {
  if (typeof argument === 'string') return argument.startsWith(`${SCHEME}:`) ? fromAddress(argument) : undefined;
  if (typeof argument !== 'object' || argument === null) return undefined;
  const field = (name: string): unknown => Reflect.get(argument, name);
  if (field('scheme') === SCHEME && typeof field('path') === 'string')
    return resourceOfPath(String(field('path')), isKind);
  if (typeof field('resource') === 'object') return resourceFrom(field('resource'));
  const [connection, kind, id] = [field('connection'), field('kind'), field('id')];
  if (!isWord(connection) || !isWord(kind) || !isWord(id) || !isKind(kind)) return undefined;
  return { connection, kind, id };
}

/** The rows that VS Code hands over beside the clicked one, where several are selected. */
export function selectedFrom(selection: unknown): readonly unknown[] {
  return Array.isArray(selection) && selection.length > 1 ? selection : [];
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST;
}

/** As VS Code's own Uri does it: the path is decoded once. */
function fromAddress(address: string): ResourceArgument | undefined {
  const path = address.slice(SCHEME.length + 1).replace(/[?#].*$/s, '');
  try {
    return resourceOfPath(decodeURIComponent(path), isKind);
  } catch {
    return resourceOfPath(path, isKind);
  }
}

/** The connection that an argument belongs to, if it says so. */
export function connectionFrom(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const connection: unknown = Reflect.get(argument, 'connection');
  return isWord(connection) ? connection : resourceFrom(argument)?.connection;
}

/** A tree row of an organization has no document; its id is still one to copy. */
export function organizationFrom(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || resourceFrom(argument) !== undefined) return undefined;
  const organization: unknown = Reflect.get(argument, 'organization');
  return isWord(organization) ? organization : undefined;
}
