import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { Session } from '../../model/session/session.ts';
import type { LinkKind } from '../../platform/resource.ts';
import { OWN_ROLE, roles } from '../../platform/resources/roles.ts';
import { getDefinition } from '../../platform/registry.ts';
import { fillLinkTemplate } from '../../model/resources/link-template.ts';
import type { Mark } from './json-analysis.ts';
import { isRegisteredWallet } from '../content/registered-wallets.ts';

/** Returns the resource whose document an id opens; `undefined` if no operation reads it. */
export function getLinkedResource(session: Session, kind: string, id: string): ResourceArgument | undefined {
  const connection = session.profile.name;
  // Organizations have no read operation; the user's own role there can be read.
  if (kind === 'organizations')
    return id.includes('/') ? undefined : { connection, kind: roles.kind, id: `${id}/${OWN_ROLE}` };
  const definition = getDefinition(kind);
  if (definition === undefined || (definition.read.by === 'cache' && !isRegisteredWallet(session, { kind, id })))
    return undefined;
  return { connection, kind, id };
}

/** Fills the connection's link template for the mark. */
export function getExternalUrl(session: Session, mark: Pick<Mark, 'value' | 'link'>): string | undefined {
  return mark.link === undefined ? undefined : fillLinkTemplate(session.profile.links[mark.link], mark.value);
}

/** A web address of a resource. */
export interface ExternalLink {
  /** its link template */
  readonly by: LinkKind;
  /** the field that is its value; absent for the id */
  readonly field?: string;
  readonly url: string;
}

/** Returns the web addresses of a resource's id, then those of the hashes and addresses in its JSON. */
export function getExternalLinks(
  session: Session,
  { kind, id }: Pick<ResourceArgument, 'kind' | 'id'>,
  marks: readonly Mark[],
): readonly ExternalLink[] {
  const links: ExternalLink[] = [];
  const add = (by: LinkKind, value: string, field?: string): void => {
    const url = fillLinkTemplate(session.profile.links[by], value);
    if (url === undefined || links.some((link) => link.url === url)) return;
    links.push({ by, url, ...(field !== undefined && { field }) });
  };
  const linkKind = getDefinition(kind)?.idLink;
  if (linkKind !== undefined) add(linkKind, id);
  for (const mark of marks) if (mark.link !== undefined) add(mark.link, mark.value, mark.field);
  return links;
}
