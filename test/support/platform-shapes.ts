/**
 * The resources of the platform's HTTP API, transcribed by hand from its document. Imports nothing of the product, so that
 * registry, client and sandbox are compared with the document and not with each other. A name that ends in `?` may be absent.
 */

export type Type =
  | 'string'
  | 'url'
  | 'boolean'
  | 'integer'
  | 'double'
  | 'date-time'
  /** any JSON value */
  | 'any'
  /** an object of any fields */
  | 'free-form'
  /** declared required, but with no type; live answers omit it too */
  | 'not shown'
  | { readonly list: Type }
  | { readonly map: Type }
  | { readonly values: readonly string[] }
  | { readonly text: { readonly max: number } }
  | Shape;
/** fields by name */
export interface Shape {
  readonly fields: Readonly<Record<string, Type>>;
}

export const LANGUAGE: Type = { values: ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru'] };

export const resources = [
  'api-keys',
  'ebus.actions',
  'ebus.action-logs',
  'faces',
  'faces.pages',
  'faces.assistant',
  'indexer',
  'notifications.templates',
  'notifications.messages',
  'objects',
  'objects.state-changes',
  'organizations',
  'organizations.members',
  'organizations.roles',
  'sequencer.batches',
  'stats.wallets',
  'stats.objects',
  'stats.actions',
  'storage',
  'templates',
  'wallets',
  'webhooks',
] as const;

export const asset: Shape = {
  fields: {
    id: 'string',
    'name?': 'string',
    'type?': 'string',
    url: 'string',
    'hash?': 'string',
    'is_public?': 'boolean',
    'when_created?': 'date-time',
  },
};

export const storedAsset: Shape = {
  fields: {
    id: 'string',
    wallet_id: 'string',
    org_id: 'not shown',
    name: 'string',
    tag: 'string',
    url: 'url',
    path: 'url',
    size: 'integer',
    provider: { values: ['ipfs', 's3', 'gcs'] },
    folder: { values: ['avatars', 'assets', 'support'] },
    'is_public?': 'boolean',
    type: 'string',
    'hash?': 'string',
    when_created: 'date-time',
  },
};

const permission: Shape = {
  fields: {
    resource: { values: resources },
    crud: { fields: { read: 'boolean', create: 'boolean', update: 'boolean', delete: 'boolean' } },
  },
};

export const apiKey: Shape = {
  fields: {
    'id?': 'string',
    'name?': 'string',
    wallet_id: 'not shown',
    org_id: 'not shown',
    fqdn: 'not shown',
    key: 'not shown',
    'expires_at?': 'date-time',
    'permissions?': { list: permission },
    'when_created?': 'date-time',
    'when_modified?': 'date-time',
  },
};

export const role: Shape = {
  fields: {
    id: 'string',
    name: 'string',
    'description?': 'string',
    permissions: { list: permission },
    when_created: 'date-time',
    when_modified: 'date-time',
  },
};

const factory: Shape = {
  fields: {
    max_supply: 'integer',
    minted_count: 'integer',
    'start_time?': 'date-time',
    'end_time?': 'date-time',
    'whitelist?': { list: 'string' },
  },
};

const templateAction: Shape = {
  fields: {
    name: {
      values: ['mint', 'burn', 'transfer', 'drop', 'pickup', 'update', 'redeem', 'bridgeNFT', 'connect', 'remote'],
    },
    'alias?': 'string',
    'access?': {
      fields: { type: { values: ['public', 'private', 'whitelist', 'token'] }, 'tokens?': { map: 'integer' } },
    },
    'config?': 'free-form',
    'url?': 'string',
  },
};

const metadata: Shape = {
  fields: {
    'name?': 'string',
    'description?': 'string',
    'category?': 'string',
    'image?': asset,
    'edition?': 'integer',
  },
};

export const template: Shape = {
  fields: {
    id: 'string',
    name: { text: { max: 255 } },
    fqdn: 'string',
    object: { fields: { metadata, 'custom?': 'free-form', 'assets?': { list: asset } } },
    'factory?': factory,
    'public_access?': { fields: { 'custom?': { list: 'string' } } },
    actions: { list: templateAction },
    'face_id?': 'string',
    when_created: 'date-time',
    when_modified: 'date-time',
  },
};

export const publicTemplate: Shape = {
  fields: {
    id: 'string',
    name: { text: { max: 255 } },
    object: { fields: { metadata, 'custom?': 'free-form' } },
    'factory?': factory,
    actions: { list: templateAction },
    'face_id?': 'string',
    when_created: 'date-time',
    when_modified: 'date-time',
  },
};

export const smartObject: Shape = {
  fields: {
    id: 'string',
    org_id: 'string',
    'chain?': { fields: { contract_address: 'string', network: 'string', chain_id: 'integer' } },
    'custom?': 'free-form',
    'custom_hash?': 'string',
    metadata,
    'assets?': { list: asset },
    owner: 'string',
    template_id: 'string',
    'location?': { fields: { latitude: 'double', longitude: 'double', geo_hash: 'string' } },
    nonce: 'integer',
    version: 'integer',
    state_root: 'string',
    'integrity_root?': 'string',
    when_created: 'date-time',
    when_modified: 'date-time',
  },
};

export const supportMessage: Shape = {
  fields: {
    id: 'string',
    wallet_id: 'string',
    title: 'not shown',
    content: 'string',
    'assets?': { list: asset },
    when_modified: 'date-time',
    when_created: 'date-time',
  },
};

export const wallet: Shape = {
  fields: {
    id: 'string',
    'nickname?': 'string',
    'email?': 'string',
    'phone_number?': 'string',
    'avatar?': asset,
    language: LANGUAGE,
    fqdn: 'string',
    activated: 'boolean',
    disabled: 'boolean',
    account: { fields: { address: 'string', public_key: 'string', type: { values: ['ED25519', 'SECP256K1'] } } },
    'onboarding?': 'boolean',
    when_created: 'date-time',
    when_modified: 'date-time',
  },
};

export const batch: Shape = {
  fields: {
    id: 'string',
    hash: 'string',
    'prev_hash?': 'string',
    sender: 'string',
    l1_tx_hash: 'string',
    l1_block_num: 'integer',
    commitment: 'string',
    affected_actions: { list: { fields: { id: 'string', hash: 'string' } } },
    actions_count: 'integer',
    version: 'integer',
    'signatures?': {
      list: {
        fields: {
          id: 'string',
          type: { values: ['zkproof', 'validator'] },
          signer: 'string',
          signature: 'string',
          state_root: 'not shown',
          'tx_hash?': 'string',
          when_created: 'date-time',
        },
      },
    },
    status: { values: ['pending', 'processing', 'completed', 'failed'] },
    'error?': 'string',
    'when_completed?': 'date-time',
    'when_modified?': 'date-time',
    when_created: 'date-time',
  },
};

export const actionLog: Shape = {
  fields: {
    id: 'string',
    'batch_id?': 'string',
    'wallet_id?': 'string',
    'action_name?': 'string',
    'action_alias?': 'string',
    params: { list: 'any' },
    params_hash: 'string',
    signer: 'string',
    signature: 'string',
    'hash?': 'string',
    'affected_objects?': {
      list: {
        fields: { id: 'string', template_id: 'string', 'prev_state_root?': 'string', next_state_root: 'string' },
      },
    },
    state_root: 'not shown',
    status: { values: ['pending', 'completed', 'failed'] },
    fee: 'string',
    version: 'integer',
    when_modified: 'date-time',
    when_created: 'date-time',
  },
};

export const execution: Shape = {
  fields: {
    action_id: 'string',
    steps: { list: { fields: { action: 'string', 'error?': 'string', 'output?': 'free-form' } } },
  },
};

export const face: Shape = {
  fields: {
    id: 'string',
    name: { text: { max: 255 } },
    'url?': 'string',
    'content?': 'string',
    'config?': 'free-form',
    'assets?': { list: asset },
    when_created: 'date-time',
    when_modified: 'date-time',
  },
};

export const messageTemplate: Shape = {
  fields: {
    id: 'string',
    org_id: 'not shown',
    name: 'string',
    language: LANGUAGE,
    system: { values: ['email', 'sms', 'push'] },
    action_type: { values: ['register', 'login', 'reset', 'verify', 'otp', 'org_invite', 'custom', 'internal'] },
    'title?': 'string',
    'project?': 'string',
    content: 'string',
    content_type: { values: ['text', 'html'] },
    'values?': { map: 'string' },
    when_modified: 'date-time',
    when_created: 'date-time',
  },
};

export const point: Shape = {
  fields: { 'id?': 'string', 'key?': 'string', 'when?': 'date-time', 'count?': 'integer', 'fee?': 'string' },
};

/** Additional fields of the list of objects. */
export const objectExtras = {
  'faces?': {
    list: {
      fields: {
        template_id: 'string',
        face: { fields: { 'id?': 'string', 'url?': 'string', 'config?': 'free-form', 'content?': 'string' } },
      },
    },
  },
  'actions?': { list: { fields: { template_id: 'string', actions: { list: 'string' } } } },
} as const satisfies Shape['fields'];

export const tokens = { access_token: 'string', refresh_token: 'string' } as const satisfies Shape['fields'];

/** The name without its `?`. */
export function getFieldName(name: string): string {
  return name.replace(/\?$/, '');
}

/** True for a field name without `?`. */
export function isRequired(name: string): boolean {
  return !name.endsWith('?');
}
