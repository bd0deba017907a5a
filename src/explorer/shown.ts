/** Pure: a row's words: label, description, tooltip, accessible name and icon, from a node and nothing else. */
import type { Organization, Session } from '../connections/types.ts';
import { environmentWords } from '../connections/heading.ts';
import type { Operation } from '../platform/operation.ts';
import type { Summary, Tone } from '../platform/resource.ts';
import type { KindNode, ListNode, Node, ResourceNode } from './nodes.ts';
import { filterWords, isEmpty } from './query.ts';
import type { Rows } from './related.ts';
import { countText, oneLine, relativeTime } from './text.ts';

export interface Icon {
  readonly id: string;
  /** a theme colour */
  readonly color?: string;
}

export interface Shown {
  readonly label: string;
  readonly description?: string;
  readonly icon?: Icon;
  /** spoken instead of label and description */
  readonly spoken: string;
}

export interface Surroundings {
  readonly rows: Rows;
  readonly now: number;
  readonly session: (connection: string) => Session | undefined;
}

/** What a section says that this identity's role is known not to read: it is marked, not hidden. */
function lacks(
  { connection, organization }: ListNode | KindNode,
  operation: Operation | undefined,
  around: Surroundings,
): string | undefined {
  const needed = operation?.permission;
  if (needed === undefined) return undefined;
  const can = around.session(connection)?.can(needed.resource, needed.verb, organization);
  return can === false ? `no permission to ${needed.verb}` : undefined;
}

/** Each state has a shape of its own, so that its colour says nothing alone. */
const tones: Readonly<Record<Tone, Icon>> = {
  ok: { id: 'pass', color: 'testing.iconPassed' },
  busy: { id: 'watch', color: 'testing.iconQueued' },
  bad: { id: 'error', color: 'testing.iconFailed' },
  unknown: { id: 'question' },
};

export function shownOf(node: Node, around: Surroundings): Shown {
  switch (node.type) {
    case 'connection':
      return connection(node.connection, around.session(node.connection));
    case 'scope':
      return words(node.label, node.detail, { id: node.organization === undefined ? 'globe' : 'organization' });
    case 'list': {
      const row = around.rows[node.kind];
      const filtered = isEmpty(node.filter) ? undefined : filterWords(node.filter);
      const filter = filtered === undefined ? undefined : oneLine(filtered);
      const pinned = node.favorite === undefined ? undefined : row?.label;
      const lacking = lacks(node, row?.list?.operation, around);
      const id = filter === undefined ? (row?.icon ?? 'list-flat') : 'filter';
      return words(node.label, join(lacking, pinned, filter), { id: lacking === undefined ? id : 'lock' });
    }
    case 'kind': {
      const row = around.rows[node.kind];
      // One's own role may be read whatever the permissions are.
      const open = row?.read.by === 'path' && row.read.variants === undefined ? row.read.operation : undefined;
      const lacking = lacks(node, open, around);
      return words(row?.label ?? node.kind, lacking, {
        id: lacking === undefined ? (row?.icon ?? 'list-flat') : 'lock',
      });
    }
    case 'group':
      return node.group === 'favorites'
        ? words('Favorites', undefined, { id: 'star-full' })
        : words('Statistics', undefined, { id: 'graph' });
    case 'series':
      return words(node.label, undefined, { id: 'graph-line' });
    case 'resource':
      return resource(node, around);
    case 'fact':
      return words(oneLine(node.label), oneLine(node.value, 120), { id: node.icon });
    case 'note':
      return { ...words(oneLine(node.label, 160), node.action, noteIcons[node.note]), spoken: oneLine(node.text, 500) };
    case 'more':
      return more(node.more, node.loaded);
  }
}

const noteIcons: Readonly<Record<Extract<Node, { type: 'note' }>['note'], Icon>> = {
  empty: { id: 'info' },
  error: { id: 'error', color: 'list.errorForeground' },
  stale: { id: 'warning', color: 'list.warningForeground' },
  hint: { id: 'sign-in' },
  open: { id: 'go-to-file' },
  bad: { id: 'warning', color: 'list.warningForeground' },
};

function words(label: string, description: string | undefined, icon: Icon): Shown {
  const spoken = description === undefined || description === '' ? label : `${label}, ${description}`;
  return { label, ...(description !== undefined && description !== '' && { description }), icon, spoken };
}

function join(...parts: readonly (string | undefined)[]): string | undefined {
  const present = parts.filter((part) => part !== undefined && part !== '');
  return present.length === 0 ? undefined : present.join(' · ');
}

function connection(name: string, session: Session | undefined): Shown {
  if (session === undefined) return words(oneLine(name), 'gone', { id: 'debug-disconnect' });
  const state =
    session.signedOutBecause !== undefined ? 'not signed in' : session.expired ? 'sign-in has run out' : undefined;
  const icon = state === undefined ? 'plug' : 'debug-disconnect';
  return words(oneLine(name), join(environmentWords(session.profile), state), { id: icon });
}

export function organizationLabel({ id, label }: Organization): string {
  return oneLine(label ?? id);
}

function more(what: Extract<Node, { type: 'more' }>['more'], loaded: number): Shown {
  const soFar = `${countText(loaded)} so far`;
  switch (what) {
    case 'page':
      return { ...words('Load more…', undefined, { id: 'chevron-down' }), spoken: `Load more, ${soFar}` };
    case 'all':
      return words(`Load all (${soFar})`, undefined, { id: 'fold-down' });
    case 'filter':
      return words('Filter…', 'to see fewer', { id: 'filter' });
    case 'export':
      return words('Export…', 'all of them to a file', { id: 'export' });
    case 'table':
      return words('Open as Table', `${countText(loaded)} loaded`, { id: 'table' });
  }
}

function resource(node: ResourceNode, { rows, now, session }: Surroundings): Shown {
  const row = rows[node.kind];
  const kindIcon: Icon = { id: node.kind === 'organizations' ? 'organization' : (row?.icon ?? 'circle-outline') };
  const id = node.resource?.id;
  if (node.item === undefined || row === undefined) {
    const name =
      node.kind === 'organizations'
        ? session(node.connection)?.organizations.find((known) => known.id === id)?.label
        : undefined;
    const hint = name ?? node.hint ?? id;
    return words(
      oneLine(node.role ?? id ?? node.kind),
      node.role === undefined ? node.hint : oneLine(hint ?? ''),
      kindIcon,
    );
  }
  const summary = row.summary(node.item.raw);
  const title = oneLine(summary.title) || (id === undefined ? `${row.singular} without a name` : oneLine(id));
  const rest = restOf(summary, now);
  const icon = summary.state === undefined ? kindIcon : tones[summary.state.tone];
  if (node.role !== undefined) return words(oneLine(node.role), join(title, rest), icon);
  return words(title, node.beside === true ? join('from a later page', rest) : rest, icon);
}

/** State and time, then what else tells it apart; without a state the time comes last. */
export function restOf({ state, details, when }: Summary, now: number): string | undefined {
  const told = details.slice(0, 4).map((detail) => oneLine(detail, 40));
  const time = when === undefined ? undefined : relativeTime(when, now);
  return state === undefined ? join(...told, time) : join(oneLine(state.word, 30), time, ...told);
}
