/** The operations of the platform's HTTP API, transcribed by hand as its resources are: see platform-shapes.ts. */
import {
  LANGUAGE,
  actionLog,
  apiKey,
  asset,
  batch,
  execution,
  face,
  getFieldName,
  messageTemplate,
  objectExtras,
  point,
  publicTemplate,
  role,
  smartObject,
  storedAsset,
  supportMessage,
  template,
  tokens,
  type Shape,
  wallet,
} from './platform-shapes.ts';

/** A query parameter: how it is sent, with the values or the largest number that the document names. */
export type Query =
  | 'text'
  | 'flag'
  /** `name[$gt]`, `[$gte]`, `[$lt]`, `[$lte]` */
  | 'dates'
  | 'cursor'
  | 'order'
  | { readonly limit: number | 'not shown' }
  | { readonly values: readonly string[] };

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, Query>>;
  readonly body?: Shape;
  readonly response: Shape;
  readonly statuses: readonly number[];
}

const statuses = [200, 400, 500];
const paged = { limit: { limit: 100 }, next: 'cursor', order: 'order', sortBy: 'text' } as const;
const statistics = {
  interval: 'text',
  time_range: 'text',
  limit: { limit: 100 },
  when_created: 'dates',
  signer: 'text',
} as const;

/** Every operation, in the document's order. */
export const endpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api-keys',
    query: { name: 'text', limit: { limit: 'not shown' }, next: 'cursor' },
    response: { fields: { keys: { list: apiKey }, 'next?': 'string' } },
    statuses,
  },
  {
    method: 'GET',
    path: '/public/templates',
    query: { id: 'text', name: 'text', autocomplete: 'text', ...paged, when_created: 'dates' },
    response: { fields: { 'templates?': { list: publicTemplate }, 'next?': 'string' } },
    statuses,
  },
  { method: 'GET', path: '/templates/{templateId}', query: {}, response: template, statuses: [200, 400, 404, 500] },
  { method: 'GET', path: '/objects/{objectId}', query: {}, response: smartObject, statuses: [200, 400, 404, 500] },
  {
    method: 'GET',
    path: '/objects',
    query: {
      id: 'text',
      org_id: 'text',
      ...paged,
      faces: 'flag',
      actions: 'flag',
      owner: 'text',
      fqdn: 'text',
      dropped: 'flag',
      geo_hash: 'text',
      template_id: 'text',
      when_created: 'dates',
      when_modified: 'dates',
    },
    response: { fields: { objects: { list: smartObject }, ...objectExtras, 'next?': 'string' } },
    statuses,
  },
  {
    method: 'GET',
    path: '/support',
    query: { id: 'text', org_id: 'text', ...paged, wallet_id: 'text', when_created: 'dates' },
    response: { fields: { 'messages?': { list: supportMessage }, 'next?': 'string' } },
    statuses,
  },
  {
    method: 'POST',
    path: '/wallets',
    query: {},
    body: {
      fields: {
        'nickname?': { text: { max: 255 } },
        'email?': 'string',
        'phone_number?': 'string',
        'language?': LANGUAGE,
        'avatar?': asset,
        'password?': 'string',
      },
    },
    response: { fields: { wallet, ...tokens } },
    statuses,
  },
  { method: 'GET', path: '/batches/{batchId}', query: {}, response: batch, statuses },
  { method: 'GET', path: '/organizations/{organizationId}/roles/{roleId}', query: {}, response: role, statuses },
  { method: 'GET', path: '/organizations/{organizationId}/roles/default', query: {}, response: role, statuses },
  {
    method: 'GET',
    path: '/organizations/{organizationId}/myrole',
    query: {},
    response: role,
    statuses: [200, 400, 404, 500],
  },
  {
    method: 'GET',
    path: '/organizations/{organizationId}/invite',
    query: { token: 'text', member_id: 'text' },
    response: { fields: tokens },
    statuses,
  },
  {
    method: 'GET',
    path: '/ebus/action-logs',
    query: {
      id: 'text',
      org_id: 'text',
      ...paged,
      action_id: 'text',
      batch_id: 'text',
      wallet_id: 'text',
      object_id: 'text',
      signer: 'text',
      status: { values: ['pending', 'completed', 'failed'] },
      when_created: 'dates',
    },
    response: { fields: { 'action_logs?': { list: actionLog }, 'next?': 'string' } },
    statuses,
  },
  {
    method: 'POST',
    path: '/ebus/execute',
    query: {},
    body: { fields: { 'action?': 'any', 'signature?': 'string' } },
    response: execution,
    statuses,
  },
  {
    method: 'GET',
    path: '/faces',
    query: { id: 'text', org_id: 'text', name: 'text', autocomplete: 'text', ...paged, when_created: 'dates' },
    response: { fields: { 'faces?': { list: face }, 'next?': 'string' } },
    statuses,
  },
  {
    method: 'GET',
    path: '/assets',
    query: {
      id: 'text',
      name: 'text',
      autocomplete: 'text',
      ...paged,
      type: 'text',
      folder: { values: ['avatars', 'assets', 'support'] },
      when_created: 'dates',
    },
    response: { fields: { 'assets?': { list: storedAsset }, 'next?': 'string' } },
    statuses,
  },
  {
    method: 'GET',
    path: '/messages/templates',
    query: {
      id: 'text',
      ...paged,
      autocomplete: 'text',
      language: { values: ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru'] },
      system: 'text',
      type: 'text',
      when_created: 'dates',
    },
    response: { fields: { 'templates?': { list: messageTemplate }, 'next?': 'string' } },
    statuses,
  },
  {
    method: 'GET',
    path: '/stats/actions/execution',
    query: { ...statistics, action_name: 'text' },
    response: { fields: { data: { list: point } } },
    statuses,
  },
  {
    method: 'GET',
    path: '/stats/actions/fees',
    query: { ...statistics, action_name: 'text' },
    response: { fields: { data: { list: point } } },
    statuses,
  },
  {
    method: 'GET',
    path: '/stats/objects/creation',
    query: { ...statistics, template_id: 'text' },
    response: { fields: { data: { list: point } } },
    statuses,
  },
];

/** `GET /objects/{objectId}` */
export function formatEndpointName({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

export function getEndpoint(name: string): Endpoint {
  const found = endpoints.find((candidate) => formatEndpointName(candidate) === name);
  if (found === undefined) throw new Error(`no endpoint ${name}`);
  return found;
}

/** Name and item shape of the array in a list's response; `undefined` for other responses. */
export function getList({
  response: { fields },
}: Endpoint): { readonly key: string; readonly item: Shape } | undefined {
  if (!('next?' in fields || 'data' in fields)) return undefined;
  for (const [name, type] of Object.entries(fields))
    if (typeof type === 'object' && 'list' in type && typeof type.list === 'object' && 'fields' in type.list)
      return { key: getFieldName(name), item: type.list };
  return undefined;
}
