/** What a sandbox tells about itself when it is up: addresses, credentials and identifiers that no list gives. */
import { SYSTEM } from './credentials.ts';
import type { Register } from './register.ts';
import type { World } from './world.ts';

export interface SandboxInfo {
  readonly baseUrl: string;
  /** may do everything, and opens `/__sandbox/*` */
  readonly apiKey: string;
  readonly readOnlyApiKey: string;
  /** of a wallet with another role in each organization */
  readonly accessToken: string;
  readonly refreshToken: string;
  /** its scope shows no organization's objects */
  readonly systemToken: string;
  /** not in the contract; set it as the connection's `refreshPath` */
  readonly refreshPath: string;
  readonly walletId: string;
  readonly organizations: readonly {
    readonly id: string;
    readonly name: string;
    readonly roles: readonly { readonly id: string; readonly name: string }[];
  }[];
  /** one for each organization, good once */
  readonly invites: readonly { readonly organizationId: string; readonly token: string; readonly memberId: string }[];
  /** an id in each state that there is */
  readonly batches: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly objects: number;
}

export function describe(world: World, register: Register): SandboxInfo {
  const { own, settings, organizations } = world;
  const [organization] = organizations;
  const tokens = register.tokens(own.id, own.fqdn, organization.id);
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
    systemToken: register.sign({ sub: own.id, fqdn: SYSTEM, org_id: organization.id, use: 'access' }),
    refreshPath: '/auth/refresh',
    walletId: own.id,
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
