/** Pure: where an id in a document or a tree row leads: to another document, out to the console, or nowhere. */
import type { ResourceArgument } from '../commands/ids.ts';
import type { LinkKind, Session } from '../connections/types.ts';
import { fillLink } from '../platform/link-template.ts';
import type { Mark } from './analysis.ts';
import { isHeld } from './held.ts';
import { rowOf } from './lookup.ts';

/** The document of the resource that an id is of; `undefined` where no operation of the contract reads it. */
export function documentOf(session: Session, kind: string, id: string): ResourceArgument | undefined {
  const connection = session.profile.name;
  // The contract reads nothing of an organization but its roles; one's own is always there to ask for.
  if (kind === 'organizations') return id.includes('/') ? undefined : { connection, kind: 'roles', id: `${id}/myrole` };
  const row = rowOf(kind);
  if (row === undefined || (row.read.by === 'held' && !isHeld(session, { kind, id }))) return undefined;
  return { connection, kind, id };
}

/** The address outside the editor, by the link template that the mark calls for. */
export function outsideOf(session: Session, mark: Pick<Mark, 'value' | 'link'>): string | undefined {
  return mark.link === undefined ? undefined : fillLink(session.profile.links[mark.link], mark.value);
}

const OF_KIND: Readonly<Record<string, LinkKind>> = {
  objects: 'object',
  templates: 'template',
  'action-logs': 'action',
  wallets: 'account',
};

/** One way that a resource can be looked at outside the editor. */
export interface Outside {
  /** the link template that it comes from */
  readonly by: LinkKind;
  /** the field whose value it opens; absent for the id */
  readonly field?: string;
  readonly url: string;
}

/** Every configured way out of a resource: by its id, then by the hashes and addresses in its JSON. */
export function outsideOfResource(
  session: Session,
  { kind, id }: Pick<ResourceArgument, 'kind' | 'id'>,
  marks: readonly Mark[],
): readonly Outside[] {
  const ways: Outside[] = [];
  const add = (by: LinkKind, value: string, field?: string): void => {
    const url = fillLink(session.profile.links[by], value);
    if (url === undefined || ways.some((way) => way.url === url)) return;
    ways.push({ by, url, ...(field !== undefined && { field }) });
  };
  const own = OF_KIND[kind];
  if (own !== undefined) add(own, id);
  for (const mark of marks) if (mark.link !== undefined) add(mark.link, mark.value, mark.field);
  return ways;
}
