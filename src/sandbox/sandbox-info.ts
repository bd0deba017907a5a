/** The information that a started sandbox prints: address, credentials, and ids that no list returns. */
import { SYSTEM_FQDN } from './auth/credentials.ts';
import type { Accounts } from './auth/accounts.ts';
import type { World } from './world.ts';

export interface SandboxInfo {
  readonly baseUrl: string;
  /** has all permissions, also for `/__sandbox/*` */
  readonly apiKey: string;
  readonly readOnlyApiKey: string;
  /** of a wallet with another role in each organization */
  readonly accessToken: string;
  readonly refreshToken: string;
  /** a token that sees no organization */
  readonly systemToken: string;
  /** not in the contract; set it as the connection's `refreshPath` */
  readonly refreshPath: string;
  readonly walletId: string;
  /** address of the account of that wallet */
  readonly address: string;
  /** another wallet, which may act on what it owns in the first organization, and change nothing else */
  readonly buyer: {
    readonly accessToken: string;
    readonly refreshToken: string;
    readonly walletId: string;
    readonly address: string;
  };
  readonly organizations: readonly {
    readonly id: string;
    readonly name: string;
    readonly roles: readonly { readonly id: string; readonly name: string }[];
  }[];
  /** one for each organization, valid once */
  readonly invites: readonly { readonly organizationId: string; readonly token: string; readonly memberId: string }[];
  /** the id of one batch in each state */
  readonly batches: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly objects: number;
}

/** Collects the information of a world that is already listening. */
export function createSandboxInfo(world: World, register: Accounts): SandboxInfo {
  const { ownAccount: own, buyerAccount: buyer, settings, organizations } = world;
  const [organization] = organizations;
  const tokens = register.createTokens(own.id, own.fqdn, organization.id);
  const buyerTokens = register.createTokens(buyer.id, buyer.fqdn, organization.id);
  const batches: Record<string, string> = {};
  for (const entry of world.collection('batches').walk('desc', { from: -Infinity, to: Infinity })) {
    const { status, id } = entry.item();
    if (typeof status === 'string' && typeof id === 'string') batches[status] ??= id;
    if (Object.keys(batches).length === 4) break;
  }
  return {
    baseUrl: world.context.url(''),
    apiKey: world.apiKey,
    readOnlyApiKey: world.readOnlyApiKey,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    systemToken: register.sign({ sub: own.id, fqdn: SYSTEM_FQDN, org_id: organization.id, use: 'access' }),
    refreshPath: '/auth/refresh',
    walletId: own.id,
    address: own.address,
    buyer: {
      accessToken: buyerTokens.access_token,
      refreshToken: buyerTokens.refresh_token,
      walletId: buyer.id,
      address: buyer.address,
    },
    organizations: organizations.map(({ id, name, roles }) => ({
      id,
      name,
      roles: roles.map((role) => ({ id: role.id, name: role.name })),
    })),
    invites: world.invites.map(({ organizationId, token, memberId }) => ({ organizationId, token, memberId })),
    batches,
    seed: settings.seed,
    objects: settings.objects,
  };
}
