/** Filter by This: filters a list of the tree by an address or id, wherever that is shown. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { parseOrganization, parseResource } from '../../model/resources/parse-argument.ts';
import { getFilterField, getFullTitle } from '../../model/resources/filter-fields.ts';
import type { Parameter } from '../../platform/operation.ts';
import { isObject } from '../../platform/json/json.ts';
import { toQuickPickText } from '../format.ts';
import type { ListNode, Node } from '../tree/nodes.ts';
import type { Tree } from '../tree/tree.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';

const WALLETS = 'wallets';
const ORGANIZATIONS = 'organizations';

/**
 * Sets the filter of a list that the user picks, if several can be filtered by the resource, and shows it. Rejects with
 * Error if there is none.
 */
export async function filterByThis(
  tree: Tree,
  services: Services,
  view: vscode.TreeView<Node>,
  argument: unknown,
): Promise<void> {
  const target = parseTarget(argument);
  const session = services.sessions.get(target?.connection ?? '');
  if (target === undefined || session === undefined)
    throw new Error(l10n.t('Specify an address or ID of a connection'));
  const { connection, kind, id } = target;
  const choices = tree.getSections(session).flatMap((list) => {
    if (list.type !== 'list' || list.organization !== undefined) return [];
    return Object.entries(tree.definitions[list.kind]?.list?.operation.query ?? {}).flatMap(([name, parameter]) =>
      isFilteredBy(parameter, kind, id)
        ? [{ label: toQuickPickText(list.label), description: getFilterField(name).label, list, name }]
        : [],
    );
  });
  const title = toQuickPickText(getFullTitle(kind, id, tree.getTitleLookup(connection)) ?? id);
  if (choices.length === 0) throw new Error(l10n.t('No list can be filtered by {0}', title));
  const chosen =
    choices.length === 1
      ? choices[0]
      : await services.ui.pick(choices, {
          title: l10n.t('Filter by {0}', title),
          placeHolder: l10n.t('Select a list'),
          matchOnDescription: true,
        });
  if (chosen === undefined) return;
  await showFiltered(tree, view, chosen.list, { ...chosen.list.filter, [chosen.name]: id });
}

async function showFiltered(
  tree: Tree,
  view: vscode.TreeView<Node>,
  list: ListNode,
  filter: ListNode['filter'],
): Promise<void> {
  await tree.setFilter(list, filter);
  await view.reveal({ ...list, filter }, { select: true, focus: true, expand: true });
}

/** Accounts are addresses in some lists and ids of wallets in others. */
function isFilteredBy(parameter: Parameter, kind: string, id: string): boolean {
  if (kind !== WALLETS) return parameter.type === 'id' && parameter.kind === kind;
  return id.startsWith('0x')
    ? parameter.type === 'text' && parameter.account === true
    : (parameter.type === 'id' && parameter.kind === WALLETS) ||
        (parameter.type === 'text' && parameter.account === true);
}

/** Accepts a resource, a row of an organization, and the place in a webview that was clicked. */
function parseTarget(argument: unknown): ResourceArgument | undefined {
  const resource = parseResource(argument);
  if (resource !== undefined || !isObject(argument)) return resource;
  const { connection, kind, id } = argument;
  const organization = parseOrganization(argument) ?? (kind === ORGANIZATIONS ? id : undefined);
  return typeof connection === 'string' && typeof organization === 'string'
    ? { connection, kind: ORGANIZATIONS, id: organization }
    : undefined;
}
