/** The state of the sandbox: all collections, credentials and the clock. */
import { kinds, registry } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { Clock } from './clock.ts';
import { Collection } from './generation/collection.ts';
import { Credentials } from './auth/credentials.ts';
import { createLogs, type Logs } from './data/action-logs.ts';
import { createApiKeys, ADMIN_KEY, READ_ONLY_KEY } from './data/api-keys.ts';
import { createAssets, type Assets } from './data/assets.ts';
import { pickCyclic, type GenerationContext } from './generation/generated-source.ts';
import { createFaces } from './data/faces.ts';
import { createMessageTemplates } from './data/message-templates.ts';
import { createObjects, type Objects } from './data/objects.ts';
import { createOrganizations, type Organizations } from './data/organizations.ts';
import { createObjectHistories } from './data/object-histories.ts';
import { createSupportMessages } from './data/support.ts';
import { createTemplates, type Templates } from './data/templates.ts';
import { createWallets, WALLET_COUNT, type Account } from './data/wallets.ts';
import type { Settings } from './options.ts';
import { IdGenerator } from './generation/random.ts';
import { createSampledSource } from './generation/sampled-source.ts';

interface Invite {
  readonly organizationId: string;
  readonly token: string;
  readonly memberId: string;
  used: boolean;
}

export interface World {
  readonly settings: Settings;
  readonly context: GenerationContext;
  readonly clock: Clock;
  readonly definitions: Readonly<Record<string, ResourceDefinition>>;
  readonly organizations: Organizations;
  readonly credentials: Credentials;
  readonly templates: Templates;
  readonly objects: Objects;
  readonly assets: Assets;
  readonly logs: Logs;
  /** by kind; `roles` has none */
  readonly collections: ReadonlyMap<string, Collection>;
  /** number of objects minted since the start, by template index */
  readonly minted: number[];
  /** the mints since the start, for statistics; burning an object does not remove its mint */
  readonly mints: { readonly when: number; readonly template: number; readonly signer: string }[];
  readonly invites: readonly Invite[];
  readonly apiKey: string;
  readonly readOnlyApiKey: string;
  account(index: number): Account;
  /** the wallet of the printed credentials */
  readonly ownAccount: Account;
  /** the wallet of a customer of the first organization */
  readonly buyerAccount: Account;
  collection(kind: string): Collection;
}

/** Index of the buyer's wallet, which is of the first organization. */
const BUYER = 6;

/** `baseUrl` is a function because the port is known only after the server listens. */
export function createWorld(settings: Settings, baseUrl: () => string): World {
  const { seed } = settings;
  const clock = new Clock(settings.clock, settings.start, settings.replay !== undefined);
  const epoch = settings.clock === 'manual' ? clock.now() : (settings.start ?? clock.now());
  const context: GenerationContext = { seed, epoch, url: (path) => baseUrl() + path };
  const organizations = createOrganizations(context);
  const [firstOrganization, second, third] = organizations;
  // The edge cases are templates and faces only.
  const ordinary = [firstOrganization, second, third] as const;
  const wallets = createWallets(context, (index) => pickCyclic(ordinary, index));
  const { account } = wallets;
  const minted: number[] = [];

  const assets = createAssets(context, ordinary, account);
  const reference = (index: number) => assets.createReference(index);
  const assetPath = (index: number) => assets.getPath(index);
  const faces = createFaces({ context, organizations, reference, assetPath });
  const templates = createTemplates({
    context,
    organizations,
    objects: settings.objects,
    minted: (index) => minted[index] ?? 0,
    address: (index) => account(index).address,
    faceId: (index) => faces.idAt(index),
    // Rows show small raster pictures only.
    picture: (index) => assets.createPictureReference(index),
  });
  const templateIds = Array.from({ length: templates.source.size }, (_, index) => templates.source.idAt(index));
  const templateId = (index: number): string => pickCyclic(templateIds, index);
  // Objects and histories depend on each other: a history starts at the object's creation and sets its final state.
  const objects = createObjects({
    context,
    organizations,
    size: settings.objects,
    account,
    templateId,
    reference,
    picture: (template) => assets.createPictureReference(template),
    assetPath,
    getHistory: (index) => histories.get(index),
  });
  const histories = createObjectHistories({
    context,
    objects: settings.objects,
    logs: settings.logs,
    createdAt: (index) => objects.source.createdAt(index),
    located: (index) => objects.getLocation(index) !== undefined,
  });
  const logs = createLogs({
    context,
    organizations,
    histories,
    objects,
    account,
    templateId,
    errors: settings.logErrors,
  });
  const apiKeys = createApiKeys(context, settings.secret, organizations, account);

  const definitions: Record<string, ResourceDefinition> = { ...registry, ...settings.extraKinds };
  const collections = new Map<string, Collection>(
    Object.entries({
      objects: objects.source,
      faces,
      'action-logs': logs.source,
      support: createSupportMessages(context, ordinary, account),
      templates: templates.source,
      assets: assets.source,
      'message-templates': createMessageTemplates(context, ordinary),
      'api-keys': apiKeys.source,
      batches: logs.batches,
      wallets: wallets.source,
    }).map(([kind, source]) => [kind, new Collection(source)]),
  );
  for (const [kind, definition] of Object.entries(definitions)) {
    if (collections.has(kind) || kind === 'roles') continue;
    collections.set(
      kind,
      new Collection(createSampledSource(context, kind, definition.list?.schema ?? definition.schema)),
    );
  }

  const credentials = new Credentials({
    secret: settings.secret,
    keys: apiKeys.keys,
    organizations,
    headers: settings.headers,
    now: () => clock.now(),
    getAddress(walletId) {
      const wallet = collections.get('wallets')?.get(walletId)?.['account'];
      return typeof wallet === 'object' && wallet !== null && 'address' in wallet ? String(wallet.address) : undefined;
    },
  });
  for (let index = 0; index < WALLET_COUNT; index++) {
    for (const organization of organizations) {
      if (index === 0) credentials.addMember(account(0).id, organization.id, organization.ownRole);
      else if (organization === pickCyclic(ordinary, index))
        credentials.addMember(account(index).id, organization.id, organization.defaultRole);
    }
  }
  credentials.addMember(account(BUYER).id, firstOrganization.id, firstOrganization.customerRole);
  const inviteIds = new IdGenerator(seed, 'inv');
  const memberIds = new IdGenerator(seed, 'mem');
  const invites = organizations.map((organization, index) => ({
    organizationId: organization.id,
    token: inviteIds.at(index),
    memberId: memberIds.at(index),
    used: false,
  }));
  return {
    settings,
    context,
    clock,
    definitions,
    organizations,
    credentials,
    templates,
    objects,
    assets,
    logs,
    collections,
    minted,
    mints: [],
    invites,
    apiKey: pickCyclic(apiKeys.keys, ADMIN_KEY).key,
    readOnlyApiKey: pickCyclic(apiKeys.keys, READ_ONLY_KEY).key,
    account,
    ownAccount: account(0),
    buyerAccount: account(BUYER),
    collection(kind) {
      const found = collections.get(kind);
      if (found === undefined) throw new Error(`no collection of ${kind}; known: ${kinds.join(', ')}`);
      return found;
    },
  };
}
