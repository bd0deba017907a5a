/** Pure: a row's tooltip as plain text: the fields that are worth a look, each on a line of its own, cut and cleaned. */
import { organizationWords } from '../connections/heading.ts';
import { formatScope } from '../connections/status-words.ts';
import { isObject } from '../platform/json.ts';
import type { Node } from './nodes.ts';
import { filterWords, isEmpty } from './query.ts';
import type { Surroundings } from './shown.ts';
import { shownOf } from './shown.ts';
import { localTime, oneLine } from './text.ts';

const MOST_LINES = 24;
const VALUE = 160;

export function tooltipOf(node: Node, around: Surroundings): string {
  switch (node.type) {
    case 'connection': {
      const session = around.session(node.connection);
      if (session === undefined) return oneLine(node.connection);
      const { baseUrl, source } = session.profile;
      const held = [...session.holds].map((part) => holdWords[part] ?? part).join(', ');
      const { subject, organization, expires } = session.identity ?? {};
      const own = session.organizations.find(({ id }) => id === organization);
      return lines([
        ['', session.heading],
        ['Base URL', baseUrl],
        ['Signed in with', session.signedOutBecause ?? held],
        ['As', subject],
        ['Organization', own?.label === undefined ? organization : `${organizationWords(own)} (${own.id})`],
        ['Scope', formatScope(session)],
        ['Token runs out', expires === undefined ? undefined : localTime(expires)],
        ['Defined in', source === 'memory' ? 'this window only' : `${source} settings`],
      ]);
    }
    case 'scope':
      return lines([
        ['', node.label],
        ['ID', node.organization],
      ]);
    case 'list':
      return lines([
        ['', node.label],
        ['Filter', isEmpty(node.filter) ? undefined : filterWords(node.filter)],
      ]);
    case 'resource': {
      const row = around.rows[node.kind];
      const { label, description } = shownOf(node, around);
      const head = node.role === undefined || description === undefined ? label : `${label}: ${description}`;
      const raw = node.item?.raw;
      return lines([
        ['', head],
        ['Kind', row?.singular],
        ['ID', node.resource?.id],
        ...(isObject(raw) ? fields(raw, '') : []),
      ]);
    }
    case 'fact':
      return lines([
        ['', node.label],
        ['', oneLine(node.value, 400)],
      ]);
    case 'note':
      return oneLine(node.text, 600);
    case 'kind':
    case 'group':
    case 'series':
    case 'more':
      return shownOf(node, around).spoken;
  }
}

const holdWords: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  accessToken: 'access token',
  refreshToken: 'refresh token',
};

type Line = readonly [name: string, value: string | undefined];

function lines(all: readonly Line[]): string {
  return all
    .flatMap(([name, value]) =>
      value === undefined || value === ''
        ? []
        : [name === '' ? oneLine(value, VALUE) : `${name}: ${oneLine(value, VALUE)}`],
    )
    .slice(0, MOST_LINES)
    .join('\n');
}

/** Its own fields and those one level down; what is longer stands in the document. */
function fields(raw: Readonly<Record<string, unknown>>, prefix: string): readonly Line[] {
  return Object.entries(raw)
    .slice(0, 60)
    .flatMap(([name, value]): readonly Line[] => {
      if (name === 'id' && prefix === '') return [];
      const label = oneLine(prefix + name, 60);
      if (typeof value === 'string')
        return [[label, /^when_|_at$|_time$/.test(name) ? `${value} (${localTime(value)})` : value]];
      if (typeof value === 'number' || typeof value === 'boolean') return [[label, String(value)]];
      if (JSON.isRawJSON(value)) return [[label, value.rawJSON]];
      if (Array.isArray(value)) return [[label, value.length === 0 ? 'none' : `${value.length}`]];
      return isObject(value) && prefix === '' ? fields(value, `${name}.`) : [];
    });
}
