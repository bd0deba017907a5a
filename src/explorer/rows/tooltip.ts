import { formatOrganization } from '../../model/heading.ts';
import { formatScope } from '../../connections/status/format-status.ts';
import { formatLabelled } from '../../model/labels.ts';
import type { Node, ResourceNode } from '../tree/nodes.ts';
import { formatFilter, isEmptyFilter } from '../filter/filter.ts';
import type { PresentationContext } from './row-presentation.ts';
import { getPresentation } from './row-presentation.ts';
import { formatLocalTime, toOneLine } from '../format.ts';

const MAX_LINES = 24;
const MAX_VALUE_LENGTH = 160;

/** Returns the tooltip of a row as plain text; resources have a card instead. */
export function formatTooltip(node: Exclude<Node, ResourceNode>, context: PresentationContext): string {
  switch (node.type) {
    case 'connection': {
      const session = context.session(node.connection);
      if (session === undefined) return toOneLine(node.connection);
      const { baseUrl, source } = session.profile;
      const credentials = [...session.credentialKinds].map((part) => credentialLabels[part] ?? part).join(', ');
      const { subject, organization, expires } = session.identity ?? {};
      const own = session.organizations.find(({ id }) => id === organization);
      return joinLines([
        ['', session.heading],
        ['Base URL', baseUrl],
        ['Signed in with', session.signedOutReason ?? credentials],
        ['As', subject === undefined ? undefined : formatLabelled(subject, context.getLabel(subject))],
        ['Organization', own?.label === undefined ? organization : `${formatOrganization(own)} (${own.id})`],
        ['Scope', formatScope(session)],
        ['Token expires', expires === undefined ? undefined : formatLocalTime(expires)],
        ['Defined in', source === 'memory' ? 'this window only' : `${source} settings`],
      ]);
    }
    case 'scope':
      return joinLines([
        ['', node.label],
        ['ID', node.organization],
      ]);
    case 'list':
      return joinLines([
        ['', node.label],
        [
          'Filter',
          isEmptyFilter(node.filter) ? undefined : formatFilter(node.filter, context.getTitle(node.connection)),
        ],
      ]);
    case 'fact':
      return joinLines([
        ['', node.label],
        ['', toOneLine(node.value, 400)],
      ]);
    case 'note':
      return toOneLine(node.text, 600);
    case 'kind':
    case 'group':
    case 'series':
    case 'more':
      return getPresentation(node, context).accessibleLabel;
  }
}

const credentialLabels: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  accessToken: 'access token',
  refreshToken: 'refresh token',
};

type Line = readonly [name: string, value: string | undefined];

function joinLines(all: readonly Line[]): string {
  return all
    .flatMap(([name, value]) =>
      value === undefined || value === ''
        ? []
        : [name === '' ? toOneLine(value, MAX_VALUE_LENGTH) : `${name}: ${toOneLine(value, MAX_VALUE_LENGTH)}`],
    )
    .slice(0, MAX_LINES)
    .join('\n');
}
