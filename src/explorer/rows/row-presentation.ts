/** Label, description, accessible name and icon of a row. */
import * as l10n from '@vscode/l10n';
import type { Session } from '../../model/session/session.ts';
import { formatSessionProblem, formatWait, listEnvironment } from '../../model/text/heading.ts';
import { formatSandboxStatus } from '../../connections/sandbox/format-sandbox-status.ts';
import { isObject } from '../../platform/json/json.ts';
import type { Operation } from '../../platform/operation.ts';
import { splitResourceId } from '../../model/resources/resource-uri.ts';
import type { ItemSummary, Tone } from '../../platform/resource.ts';
import type { Icon, ListNode, Node, ResourceNode } from '../tree/nodes.ts';
import { formatFilter, isEmptyFilter } from '../filter/filter.ts';
import { getTemplateTitle, getItemTitle } from '../../model/resources/item-title.ts';
import { getFullTitle, type GetTitle } from '../../model/resources/filter-fields.ts';
import type { ResourceRows } from './related-resources.ts';
import { formatList } from '../../platform/text/localization.ts';
import { toOneLine, formatRelativeTime } from '../format.ts';
import { formatStatus } from '../../model/text/status.ts';

interface RowPresentation {
  readonly label: string;
  readonly description?: string;
  readonly icon?: Icon;
  /** read by screen readers instead of label and description */
  readonly accessibleLabel: string;
}

export interface PresentationContext {
  readonly definitions: ResourceRows;
  readonly now: number;
  readonly session: (connection: string) => Session | undefined;
  /** name of the active connection */
  readonly active?: string | undefined;
  /** labels, and titles of known resources */
  readonly getTitle: (connection: string) => GetTitle;
  /** the user's labels, without titles of resources */
  readonly getLabel: (value: string) => string | undefined;
}

/** Describes a permission that a section needs and the identity's role lacks; such sections are marked, not hidden. */
export function getMissingPermission(node: Node, context: PresentationContext): string | undefined {
  const needed = getOperation(node, context.definitions)?.permission;
  if (needed === undefined) return undefined;
  const can = context.session(node.connection)?.hasPermission(needed.resource, needed.verb, node.organization);
  return can === false ? l10n.t('no {0} permission', needed.verb) : undefined;
}

function getOperation(node: Node, definitions: ResourceRows): Operation | undefined {
  if (node.type === 'list') return definitions[node.kind]?.list?.operation;
  const read = node.type === 'kind' ? definitions[node.kind]?.read : undefined;
  // The user's own role can be read with any permissions.
  return read?.by === 'path' && read.variants === undefined ? read.operation : undefined;
}

/** Each state has its own shape, so that colour is not the only difference. */
const toneIcons: Readonly<Record<Tone, Icon>> = {
  ok: { id: 'pass', color: 'testing.iconPassed' },
  busy: { id: 'watch', color: 'testing.iconQueued' },
  bad: { id: 'error', color: 'testing.iconFailed' },
  unknown: { id: 'question' },
};

/** Returns what a row shows. */
export function getPresentation(node: Node, context: PresentationContext): RowPresentation {
  switch (node.type) {
    case 'connection':
      return presentConnection(node.connection, context);
    case 'scope':
      return createPresentation(node.label, node.detail, {
        id: node.organization === undefined ? 'globe' : 'organization',
      });
    case 'list': {
      const definition = context.definitions[node.kind];
      const getTitle = context.getTitle(node.connection);
      const filter = isEmptyFilter(node.filter) ? undefined : toOneLine(formatFilter(node.filter, getTitle), 120);
      const pinned =
        node.favorite === undefined ? undefined : joinParts(definition?.label, getOrganizationTitle(node, getTitle));
      const missingPermission = getMissingPermission(node, context);
      const id = filter === undefined ? (definition?.icon ?? 'list-flat') : 'filter';
      return createPresentation(node.label, joinParts(missingPermission, pinned, filter), {
        id: missingPermission === undefined ? id : 'lock',
      });
    }
    case 'kind': {
      const definition = context.definitions[node.kind];
      const missingPermission = getMissingPermission(node, context);
      return createPresentation(definition?.label ?? node.kind, missingPermission, {
        id: missingPermission === undefined ? (definition?.icon ?? 'list-flat') : 'lock',
      });
    }
    case 'group':
      return node.group === 'favorites'
        ? createPresentation(l10n.t('Favorites'), undefined, { id: 'star-full' })
        : createPresentation(l10n.t('Statistics'), undefined, { id: 'graph' });
    case 'resource':
      return presentResource(node, context);
    case 'sandbox':
      return createPresentation(l10n.t('Sandbox'), formatSandboxStatus(node.connection), { id: 'beaker' });
    case 'leaf':
      return { ...node, accessibleLabel: node.text };
  }
}

function createPresentation(label: string, description: string | undefined, icon: Icon): RowPresentation {
  const accessibleLabel = description === undefined || description === '' ? label : `${label}, ${description}`;
  return { label, ...(description !== undefined && description !== '' && { description }), icon, accessibleLabel };
}

function joinParts(...parts: readonly (string | undefined)[]): string | undefined {
  const present = parts.filter((part) => part !== undefined && part !== '');
  return present.length === 0 ? undefined : present.join(' · ');
}

function presentConnection(name: string, { session: getSession, active, now }: PresentationContext): RowPresentation {
  const session = getSession(name);
  if (session === undefined) return createPresentation(toOneLine(name), l10n.t('removed'), { id: 'debug-disconnect' });
  const label = toOneLine(name);
  const [environment] = listEnvironment(session.profile);
  const problem = formatSessionProblem(session);
  const note = problem ?? formatWait(session, now);
  const isActive = name === active;
  const { identityName } = session;
  const identity = identityName === undefined ? undefined : l10n.t('as {0}', toOneLine(identityName));
  const description = joinParts(identity, environment, isActive ? l10n.t('active') : undefined, note);
  return {
    label,
    ...(description !== undefined && { description }),
    icon:
      problem === undefined
        ? { id: 'plug', ...(isActive && { color: 'charts.green' }) }
        : { id: 'debug-disconnect', color: 'list.warningForeground' },
    accessibleLabel: formatList(
      [label, identity ?? [], isActive ? l10n.t('active connection') : [], environment ?? [], note ?? []].flat(),
      'unit',
    ),
  };
}

/** Returns the label of the organization that a favorite is of, its id if it has none. */
function getOrganizationTitle({ organization }: ListNode, getTitle: GetTitle): string | undefined {
  return organization === undefined ? undefined : toOneLine(getTitle('organizations', organization) ?? organization);
}

function presentResource(
  node: ResourceNode,
  { definitions, now, getTitle, getLabel }: PresentationContext,
): RowPresentation {
  const definition = definitions[node.kind];
  const kindIcon: Icon = {
    id: node.kind === 'organizations' ? 'organization' : (definition?.icon ?? 'circle-outline'),
  };
  const id = node.resource?.id;
  if (node.item === undefined || definition === undefined) {
    // The organization of a role is that of the row above it.
    const ownId = id === undefined ? undefined : splitResourceId(node.kind, id).at(-1);
    const name = ownId === undefined ? undefined : (getTitle(node.connection)(node.kind, ownId) ?? node.hint);
    const idBesideName = name === undefined || name === ownId ? undefined : ownId;
    return node.role === undefined
      ? createPresentation(toOneLine(name ?? ownId ?? node.kind), idBesideName, kindIcon)
      : createPresentation(
          toOneLine(node.role),
          toOneLine(getFullTitle(node.kind, ownId ?? '', getTitle(node.connection)) ?? name ?? ownId ?? '', 160),
          kindIcon,
        );
  }
  const summary = definition.summary(node.item.raw);
  const ownLabel = id === undefined ? undefined : getLabel(id);
  const when = getSortedTime(node) ?? summary.when;
  const title =
    toOneLine(getItemTitle(definition, node.item.raw, getTitle(node.connection))) ||
    (id === undefined ? l10n.t('Unnamed') : toOneLine(id));
  if (node.name !== undefined && node.role === undefined) {
    const { prefix } = node.name;
    const template = prefix ?? toOneLine(getTemplateTitle(definition, node.item.raw, getTitle(node.connection)) ?? '');
    // Its template may have been read since the list was.
    const label = node.name.label === id ? title : toOneLine(node.name.label) || title;
    // The title and the id of the details are already in the name.
    const details = summary.details.filter((detail) => detail !== id && !title.includes(detail));
    const description = formatSummaryDetails({ title, details, ...(when !== undefined && { when }) }, now);
    return createPresentation(
      label,
      joinParts(
        ownLabel,
        node.isExtra === true ? l10n.t('from a later page') : undefined,
        prefix === undefined && label.includes(template) ? undefined : template,
        description,
      ),
      kindIcon,
    );
  }
  const summaryDetails = formatSummaryDetails({ ...summary, ...(when !== undefined && { when }) }, now);
  const icon = summary.state === undefined ? kindIcon : toneIcons[summary.state.tone];
  if (node.role !== undefined)
    return createPresentation(toOneLine(node.role), joinParts(ownLabel, title, summaryDetails), icon);
  return createPresentation(
    title,
    joinParts(ownLabel, node.isExtra === true ? l10n.t('from a later page') : undefined, summaryDetails),
    icon,
  );
}

/** Returns the time by which the list of the row is sorted, if the user chose one. */
function getSortedTime({ parent, item }: ResourceNode): string | undefined {
  const field = parent?.type === 'list' ? parent.filter['sortBy'] : undefined;
  const time: unknown =
    typeof field === 'string' && field.startsWith('when_') && isObject(item?.raw) ? item.raw[field] : undefined;
  return typeof time === 'string' ? time : undefined;
}

/** Formats state, time and details in one line; without a state the time comes last. */
export function formatSummaryDetails({ state, details, when }: ItemSummary, now: number): string | undefined {
  const detailTexts = details.slice(0, 4).map((detail) => toOneLine(detail, 40));
  const time = when === undefined ? undefined : formatRelativeTime(when, now);
  return state === undefined
    ? joinParts(...detailTexts, time)
    : joinParts(toOneLine(formatStatus(state.label), 30), time, ...detailTexts);
}
