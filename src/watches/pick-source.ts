/** Asks what to watch: a resource, what belongs to it, a list of the tree, or a favorite. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { getTargetResource, readOrOfferSignIn, type DocumentsContext } from '../documents/context.ts';
import { resolveResource } from '../documents/lookup/resolve-resource.ts';
import { parseFilter, type Filter } from '../explorer/filter/filter.ts';
import { toQuickPickText } from '../explorer/format.ts';
import { getListsFilteredBy, getWalletLists } from '../explorer/rows/related-resources.ts';
import { ExplorerStorage } from '../explorer/storage.ts';
import { getFilterField } from '../model/resources/filter-fields.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { parseConnection } from '../model/resources/parse-argument.ts';
import { getOwn, isObject, type JsonObject } from '../platform/json/json.ts';
import { isKind, registry, type Kind } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { readActionName } from '../platform/resources/action-log-fields.ts';
import type { WatchSource } from './engine/stored-watch.ts';

/** What is to be watched. */
interface PickedSource {
  readonly connection: string;
  /** of a list, as the user knows it */
  readonly label?: string;
  readonly source: WatchSource;
}

type Choice = vscode.QuickPickItem & { readonly pick: () => Promise<PickedSource | undefined> };

/** Resolves with what the user wants to watch; `undefined` if cancelled. Rejects with Error or PlatformError. */
export async function pickSource(context: DocumentsContext, argument: unknown): Promise<PickedSource | undefined> {
  const list = parseList(argument);
  if (list !== undefined) return list;
  const resource = getTargetResource(context, argument);
  const choices =
    resource !== undefined
      ? listResourceChoices(context, resource)
      : [
          ...listFavorites(context, parseConnection(argument)),
          {
            label: l10n.t('$(search) A resource by its ID…'),
            pick: async () => {
              const found = await resolveResource(context, argument, l10n.t('Watch'));
              return found && pickFrom(context, listResourceChoices(context, found));
            },
          },
        ];
  return pickFrom(context, choices);
}

async function pickFrom({ services }: DocumentsContext, choices: readonly Choice[]): Promise<PickedSource | undefined> {
  const [only, ...others] = choices;
  if (only === undefined) throw new Error(l10n.t('the API has no request that reads it alone'));
  const chosen =
    others.length === 0 ? only : await services.ui.pick(choices, { title: l10n.t('Select What to Watch') });
  return chosen?.pick();
}

/** The list of a tree row with its filter. */
function parseList(argument: unknown): PickedSource | undefined {
  if (!isObject(argument) || argument['type'] !== 'list') return undefined;
  const { connection, kind, label, fixed, filter } = argument;
  if (typeof connection !== 'string' || typeof kind !== 'string' || !isKind(kind)) return undefined;
  const source = {
    kind,
    filter: parseListFilter(kind, { ...(isObject(fixed) && fixed), ...(isObject(filter) && filter) }),
  };
  return { connection, source, ...(typeof label === 'string' && { label }) };
}

function parseListFilter(kind: Kind, filter: unknown): Filter {
  const definition: ResourceDefinition = registry[kind];
  return parseFilter(filter, definition.list?.operation.query ?? {});
}

function listFavorites({ services }: DocumentsContext, connection: string | undefined): readonly Choice[] {
  const { context, sessions } = services;
  const storage = new ExplorerStorage(context.workspaceState, context.globalState);
  const names = connection === undefined ? sessions.all.map(({ profile }) => profile.name) : [connection];
  return names.flatMap((name) =>
    storage.getFavorites(name).flatMap(({ name: label, kind, organization, filter }): readonly Choice[] => {
      if (!isKind(kind)) return [];
      const all = { ...(isObject(filter) && filter), ...(organization !== undefined && { org_id: organization }) };
      const source = { kind, filter: parseListFilter(kind, all) };
      const item = { label: `$(star) ${toQuickPickText(label)}`, description: toQuickPickText(name) };
      return [{ ...item, pick: () => Promise.resolve({ connection: name, label, source }) }];
    }),
  );
}

function listResourceChoices(context: DocumentsContext, resource: ResourceArgument): readonly Choice[] {
  const { connection, kind, id } = resource;
  const definition: ResourceDefinition | undefined = getOwn(registry, kind);
  const create = (label: string, source: WatchSource): PickedSource => ({ connection, label, source });
  const read = async (): Promise<JsonObject | undefined> => {
    const raw = (await readOrOfferSignIn(context, resource))?.item.raw;
    return isObject(raw) ? raw : undefined;
  };
  // A search through many pages is no poll, and wallets cannot be read.
  const isReadable = definition !== undefined && (definition.read.by === 'path' || definition.read.by === 'filter');
  const lists =
    kind === 'wallets' ? getWalletLists(registry, kind, 'owner', id) : getListsFilteredBy(registry, kind, id);
  const choices: Choice[] =
    isReadable && isKind(kind)
      ? [
          {
            label: l10n.t('$(eye) This {0}', definition.singular),
            pick: () => Promise.resolve({ connection, source: { kind, id } }),
          },
        ]
      : [];
  if (kind === 'objects')
    choices.push({
      label: l10n.t('$(account) All objects of its owner'),
      pick: async () => {
        const { owner } = (await read()) ?? {};
        return typeof owner !== 'string' || owner === ''
          ? undefined
          : create(registry.objects.label, { kind: 'objects', filter: { owner } });
      },
    });
  if (kind === 'action-logs')
    choices.push({
      label: l10n.t('$(error) Failures of this action'),
      pick: async () => {
        const raw = await read();
        if (raw === undefined) return undefined;
        const action = readActionName(raw);
        const source = { kind, filter: { status: 'failed' }, action } as const;
        return create(l10n.t('Failures of {0}', action ?? l10n.t('all actions')), source);
      },
    });
  for (const list of lists) {
    if (list.type !== 'list' || !isKind(list.kind)) continue;
    const source = { kind: list.kind, filter: list.fixed };
    choices.push({
      label: `$(list-flat) ${list.label}`,
      description: Object.keys(list.fixed)
        .map((name) => getFilterField(name).label)
        .join(),
      pick: () => Promise.resolve(create(list.label, source)),
    });
  }
  return choices;
}
