import * as l10n from '@vscode/l10n';
import { formatOrganization } from '../../model/text/heading.ts';
import { listSandboxDetails } from '../../connections/sandbox/format-sandbox-status.ts';
import { formatScope } from '../../connections/status/format-status.ts';
import { formatLabelled } from '../../model/text/labels.ts';
import type { Node, ResourceNode } from '../tree/nodes.ts';
import { formatFilter, isEmptyFilter } from '../filter/filter.ts';
import type { PresentationContext } from './row-presentation.ts';
import { getPresentation } from './row-presentation.ts';
import { formatLocalTime, toOneLine } from '../format.ts';
import { formatList, formatPair } from '../../platform/text/localization.ts';

const MAX_LINES = 24;
const MAX_VALUE_LENGTH = 160;

/** Returns the tooltip of a row as plain text; resources have a card instead. */
export function formatTooltip(node: Exclude<Node, ResourceNode>, context: PresentationContext): string {
  switch (node.type) {
    case 'connection': {
      const session = context.session(node.connection);
      if (session === undefined) return toOneLine(node.connection);
      const { baseUrl, source } = session.profile;
      const credentials = formatList(
        [...session.credentialKinds].map((kind) => credentialLabels[kind]()),
        'unit',
      );
      const { subject, organization, expires } = session.identity ?? {};
      const own = session.organizations.find(({ id }) => id === organization);
      return joinLines([
        ['', session.heading],
        [l10n.t('Base URL'), baseUrl],
        [l10n.t('Signed in with'), session.signedOutReason ?? credentials],
        [
          l10n.t('Signed in as'),
          subject === undefined ? undefined : formatLabelled(subject, context.getLabel(subject)),
        ],
        [l10n.t('Organization'), own?.label === undefined ? organization : `${formatOrganization(own)} (${own.id})`],
        [l10n.t('Scope'), formatScope(session)],
        [l10n.t('Token expires'), expires === undefined ? undefined : formatLocalTime(expires)],
        [l10n.t('Defined in'), sources[source]()],
      ]);
    }
    case 'scope':
      return joinLines([
        ['', node.label],
        [l10n.t('ID'), node.organization],
      ]);
    case 'list':
      return joinLines([
        ['', node.label],
        [
          l10n.t({ message: 'Filter', args: [], comment: 'Noun: the filter of a list' }),
          isEmptyFilter(node.filter) ? undefined : formatFilter(node.filter, context.getTitle(node.connection)),
        ],
      ]);
    case 'sandbox':
      return joinLines(listSandboxDetails(node.connection));
    case 'leaf':
      return node.tooltip ?? node.text;
    case 'kind':
    case 'group':
      return getPresentation(node, context).accessibleLabel;
  }
}

const credentialLabels = {
  apiKey: () => l10n.t('API key'),
  accessToken: () => l10n.t('access token'),
  refreshToken: () => l10n.t('refresh token'),
} as const;

const sources = {
  user: () => l10n.t('user settings'),
  workspace: () => l10n.t('workspace settings'),
  memory: () => l10n.t('this window only'),
} as const;

type Line = readonly [name: string, value: string | undefined];

function joinLines(all: readonly Line[]): string {
  return all
    .flatMap(([name, value]) =>
      value === undefined || value === ''
        ? []
        : [name === '' ? toOneLine(value, MAX_VALUE_LENGTH) : formatPair(name, toOneLine(value, MAX_VALUE_LENGTH))],
    )
    .slice(0, MAX_LINES)
    .join('\n');
}
