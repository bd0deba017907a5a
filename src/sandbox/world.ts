/** Everything that the sandbox holds: generators put together, the overlays of what changed, and who may see it. */
import { kinds, registry } from '../platform/registry.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { makeClock, type Clock } from './clock.ts';
import { Collection } from './collection.ts';
import { Credentials } from './credentials.ts';
import { makeLogs, type Logs } from './data/action-logs.ts';
import { apiKeySource, ADMIN_KEY, READ_ONLY_KEY } from './data/api-keys.ts';
import { makeAssets, type Assets } from './data/assets.ts';
import { at, type Context } from './data/context.ts';
import { makeFaces } from './data/faces.ts';
import { messageTemplateSource } from './data/message-templates.ts';
import { makeObjects, type Objects } from './data/objects.ts';
import { makeOrganizations, type Organization } from './data/organizations.ts';
import { makeStories } from './data/stories.ts';
import { supportSource } from './data/support.ts';
import { makeTemplates, type Templates } from './data/templates.ts';
import { walletSource, WALLETS, type Account } from './data/wallets.ts';
import type { Settings } from './options.ts';
import { Ids } from './random.ts';
import { sampledSource } from './sample.ts';

export interface Invite {
  readonly organizationId: string;
  readonly token: string;
  readonly memberId: string;
  used: boolean;
}

export interface World {
  readonly settings: Settings;
  readonly context: Context;
  readonly clock: Clock;
  readonly rows: Readonly<Record<string, ResourceRow>>;
  readonly organizations: readonly [Organization, Organization, Organization];
  readonly credentials: Credentials;
  readonly templates: Templates;
  readonly objects: Objects;
  readonly assets: Assets;
  readonly logs: Logs;
  /** by kind; kinds that are not held have none */
  readonly collections: ReadonlyMap<string, Collection>;
  /** objects minted since the start, by template */
  readonly minted: number[];
  /** and each of them, for statistics: burning one does not unmake its creation */
  readonly mints: { readonly when: number; readonly template: number; readonly nickname: string }[];
  readonly invites: readonly Invite[];
  readonly apiKey: string;
  readonly readOnlyApiKey: string;
  account(index: number): Account;
  /** the wallet that the printed credentials belong to */
  readonly own: Account;
  collection(kind: string): Collection;
}

/** `baseUrl` is asked for late: the port is known only when the server listens. */
export function makeWorld(settings: Settings, baseUrl: () => string): World {
  const { seed } = settings;
  const clock = makeClock(settings.clock, settings.start);
  const epoch = settings.clock === 'manual' ? clock.now() : (settings.start ?? clock.now());
  const context: Context = { seed, epoch, url: (path) => baseUrl() + path };
  const organizations = makeOrganizations(context);
  const wallets = walletSource(context, (index) => at(organizations, index));
  const { account } = wallets;
  const minted: number[] = [];

  const assets = makeAssets(context, organizations, account);
  const reference = (index: number) => assets.reference(index);
  const assetPath = (index: number) => assets.pathOf(index);
  const faces = makeFaces({ context, organizations, reference, assetPath });
  const templates = makeTemplates({
    context,
    organizations,
    objects: settings.objects,
    minted: (index) => minted[index] ?? 0,
    address: (index) => account(index).address,
    faceId: (index) => faces.idAt(index),
    picture: reference,
  });
  const templateIds = Array.from({ length: templates.source.size }, (_, index) => templates.source.idAt(index));
  const templateId = (index: number): string => at(templateIds, index);
  // Objects end where their stories do, and stories begin where the objects were created.
  const objects = makeObjects({
    context,
    organizations,
    size: settings.objects,
    account,
    templateId,
    reference,
    assetPath,
    story: (index) => stories.of(index),
  });
  const stories = makeStories({
    context,
    objects: settings.objects,
    logs: settings.logs,
    createdAt: (index) => objects.source.createdAt(index),
    located: (index) => objects.located(index) !== undefined,
  });
  const logs = makeLogs({ context, organizations, stories, objects, account, templateId, errors: settings.logErrors });
  const apiKeys = apiKeySource(context, settings.secret, organizations, account);

  const rows: Record<string, ResourceRow> = { ...registry, ...settings.extraRows };
  const collections = new Map<string, Collection>(
    Object.entries({
      objects: objects.source,
      faces,
      'action-logs': logs.source,
      support: supportSource(context, organizations, account),
      templates: templates.source,
      assets: assets.source,
      'message-templates': messageTemplateSource(context, organizations),
      'api-keys': apiKeys.source,
      batches: logs.batches,
      wallets: wallets.source,
    }).map(([kind, source]) => [kind, new Collection(source)]),
  );
  for (const [kind, row] of Object.entries(rows)) {
    if (collections.has(kind) || kind === 'roles') continue;
    collections.set(kind, new Collection(sampledSource(context, kind, row.list?.schema ?? row.schema)));
  }

  const credentials = new Credentials({
    secret: settings.secret,
    keys: apiKeys.keys,
    organizations,
    headers: settings.headers,
    now: () => clock.now(),
    addressOf(walletId) {
      const wallet = collections.get('wallets')?.get(walletId)?.['account'];
      return typeof wallet === 'object' && wallet !== null && 'address' in wallet ? String(wallet.address) : undefined;
    },
  });
  for (let index = 0; index < WALLETS; index++) {
    for (const organization of organizations) {
      if (index === 0) credentials.addMember(account(0).id, organization.id, organization.ownRole);
      else if (organization === at(organizations, index))
        credentials.addMember(account(index).id, organization.id, organization.defaultRole);
    }
  }
  const inviteIds = new Ids(seed, 'inv');
  const memberIds = new Ids(seed, 'mem');
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
    rows,
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
    apiKey: at(apiKeys.keys, ADMIN_KEY).key,
    readOnlyApiKey: at(apiKeys.keys, READ_ONLY_KEY).key,
    account,
    own: account(0),
    collection(kind) {
      const found = collections.get(kind);
      if (found === undefined) throw new Error(`no collection of ${kind}; known: ${kinds.join(', ')}`);
      return found;
    },
  };
}
