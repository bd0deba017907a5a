/** The registry of resource kinds. Tree, documents, search, filters, sandbox and tests read it. */
import type { OperationQuery } from './operation.ts';
import type { ListDefinition, ResourceDefinition } from './resource.ts';
import { actionLogs } from './resources/action-logs.ts';
import { apiKeys } from './resources/api-keys.ts';
import { assets } from './resources/assets.ts';
import { batches } from './resources/batches.ts';
import { faces } from './resources/faces.ts';
import { messageTemplates } from './resources/message-templates.ts';
import { objects } from './resources/objects.ts';
import { roles } from './resources/roles.ts';
import { support } from './resources/support.ts';
import { templates } from './resources/templates.ts';
import { wallets } from './resources/wallets.ts';

/** In the order of the tree. */
export const registry = {
  objects,
  faces,
  'action-logs': actionLogs,
  support,
  roles,
  templates,
  assets,
  'message-templates': messageTemplates,
  'api-keys': apiKeys,
  batches,
  wallets,
} as const satisfies Record<string, ResourceDefinition>;

export type Kind = keyof typeof registry;
/** The kinds that have a list. */
export type ListKind = {
  [K in Kind]: (typeof registry)[K] extends { readonly list: ListDefinition } ? K : never;
}[Kind];
/** The typed query of a kind's list. */
export type KindQuery<K extends ListKind> = OperationQuery<
  Extract<(typeof registry)[K], { readonly list: ListDefinition }>['list']['operation']['query']
>;
export type KindSchema<K extends Kind> = (typeof registry)[K]['schema'];
export const kinds = Object.keys(registry).filter(isKind);

/** True for the name of a registered kind. */
export function isKind(text: string): text is Kind {
  return Object.hasOwn(registry, text);
}

/** The definition of a kind; `undefined` if no kind has this name. */
export function getDefinition(kind: string): ResourceDefinition | undefined {
  return isKind(kind) ? registry[kind] : undefined;
}

/** Property names whose values are masked in the responses of a path: what a kind keeps secret if it is below its list. */
export function getSecretNames(path: string): readonly string[] {
  const plain = decodeURIComponent(path.split('?')[0] ?? '').toLowerCase();
  const definitions: readonly ResourceDefinition[] = Object.values(registry);
  return definitions
    .filter(({ list }) => list !== undefined && plain.startsWith(list.operation.path.toLowerCase()))
    .flatMap(({ secretNames = [] }) => secretNames);
}
