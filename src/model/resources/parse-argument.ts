/** Validates command arguments: a resource, a tree row, a document URI, or an id. */
import type { ResourceArgument } from './resource-argument.ts';
import { isKind } from '../../platform/registry.ts';
import { RESOURCE_SCHEME } from './resource-schemes.ts';
import { parseResourcePath } from './resource-uri.ts';

/** Maximum length of ids and names from outside. */
const MAX_TEXT_LENGTH = 1024;

/** Parses a complete resource argument; `undefined` for anything else. */
export function parseResource(argument: unknown): ResourceArgument | undefined {
  if (typeof argument === 'string')
    return argument.startsWith(`${RESOURCE_SCHEME}:`) ? parseAddress(argument) : undefined;
  if (typeof argument !== 'object' || argument === null) return undefined;
  const field = (name: string): unknown => Reflect.get(argument, name);
  if (field('scheme') === RESOURCE_SCHEME && typeof field('path') === 'string')
    return parseResourcePath(String(field('path')), isKind);
  if (typeof field('resource') === 'object') return parseResource(field('resource'));
  const [connection, kind, id] = [field('connection'), field('kind'), field('id')];
  if (!isName(connection) || !isName(kind) || !isName(id) || !isKind(kind)) return undefined;
  return { connection, kind, id };
}

/** The selected rows that VS Code passes in addition to the clicked one. */
export function parseSelection(selection: unknown): readonly unknown[] {
  return Array.isArray(selection) && selection.length > 1 ? selection : [];
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH;
}

/** As VS Code's Uri: the path is decoded once. */
function parseAddress(address: string): ResourceArgument | undefined {
  const path = address.slice(RESOURCE_SCHEME.length + 1).replace(/[?#].*$/s, '');
  try {
    return parseResourcePath(decodeURIComponent(path), isKind);
  } catch {
    return parseResourcePath(path, isKind);
  }
}

/** Returns the connection that an argument names. */
export function parseConnection(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const connection: unknown = Reflect.get(argument, 'connection');
  return isName(connection) ? connection : parseResource(argument)?.connection;
}

/** Returns an id to copy; rows of organizations have one without a document. */
export function parseOrganization(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || parseResource(argument) !== undefined) return undefined;
  const organization: unknown = Reflect.get(argument, 'organization');
  return isName(organization) ? organization : undefined;
}
