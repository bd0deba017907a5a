/** Accounts: registering a wallet, confirming an invite, and getting a new access token. */
import * as z from 'zod/mini';
import { isObject } from '../platform/json.ts';
import { assetReference, languages } from '../platform/resources/shapes.ts';
import type { Item } from './collection.ts';
import type { Claims } from './credentials.ts';
import { iso } from './data/context.ts';
import type { Role } from './data/organizations.ts';
import { addressOf } from './data/wallets.ts';
import { badRequest, ok, unauthenticated, type Answer, type Call } from './http.ts';
import { Draw, Ids } from './random.ts';
import type { World } from './world.ts';

const registration = z.looseObject({
  nickname: z.optional(z.string().check(z.regex(/^[A-Za-z0-9]{1,255}$/, 'letters and digits only, at most 255'))),
  email: z.optional(z.email('not an e-mail address')),
  phone_number: z.optional(z.string().check(z.regex(/^\+[1-9]\d{1,14}$/, 'not an E.164 number'))),
  language: z.optional(z.enum(languages, `one of ${languages.join(', ')}`)),
  avatar: z.optional(assetReference),
  password: z.optional(z.string().check(z.minLength(1, 'must not be empty'))),
});

/** New wallets continue where the generated ones end. */
const NEW_WALLETS = 0x1000_0000;

export class Register {
  readonly #world: World;
  readonly #ids: Ids;
  #registered = 0;

  constructor(world: World) {
    this.#world = world;
    this.#ids = new Ids(world.context.seed, 'wal');
  }

  registerWallet(call: Call): Answer {
    if (!isObject(call.body)) throw badRequest('the body must be a JSON object');
    const read = z.safeParse(registration, call.body);
    if (!read.success) {
      const details = Object.fromEntries(read.error.issues.map((issue) => [issue.path.join('.'), issue.message]));
      throw badRequest(`invalid fields: ${Object.keys(details).join(', ')}`, details);
    }
    const { password: _password, nickname, email, phone_number, language, avatar } = read.data;
    const [organization] = this.#world.organizations;
    const wallet = this.#makeWallet(nickname ?? `guest${this.#registered + 1}`, organization.fqdn, {
      ...(nickname !== undefined && { nickname }),
      ...(email !== undefined && { email }),
      ...(phone_number !== undefined && { phone_number }),
      ...(avatar !== undefined && { avatar }),
      language: language ?? 'en',
    });
    this.#world.credentials.addMember(wallet.id, organization.id, organization.defaultRole);
    return ok({ wallet: wallet.item, ...this.tokens(wallet.id, wallet.fqdn, organization.id) });
  }

  confirmInvite(call: Call): Answer {
    const organization = this.#world.organizations.find(({ id }) => id === call.params['organizationId']);
    const invite = this.#world.invites.find(
      ({ organizationId, token, memberId }) =>
        organizationId === organization?.id &&
        token === call.query.get('token') &&
        memberId === call.query.get('member_id'),
    );
    if (organization === undefined || invite === undefined) throw badRequest('unknown invite');
    if (invite.used) throw badRequest('the invite has been used');
    invite.used = true;
    const wallet = this.#makeWallet(`member${this.#registered + 1}`, organization.fqdn, { language: 'en' });
    this.addMember(wallet.id, organization.id, organization.defaultRole);
    return ok(this.tokens(wallet.id, wallet.fqdn, organization.id));
  }

  addMember(wallet: string, organization: string, role: Role): void {
    this.#world.credentials.addMember(wallet, organization, role);
  }

  /** Not in the contract, as deployments have it: the refresh token as Bearer, no body. */
  refresh(token: string | undefined): Answer {
    if (token === undefined) throw unauthenticated('the refresh token is required');
    const { sub, fqdn, org_id, permissions } = this.#world.credentials.verify(token, 'refresh');
    return ok({
      access_token: this.sign({
        sub,
        fqdn,
        use: 'access',
        ...(org_id !== undefined && { org_id }),
        ...(permissions !== undefined && { permissions }),
      }),
    });
  }

  sign(claims: Omit<Claims, 'exp'>, lifetime?: number): string {
    const { tokenLifetime, refreshLifetime } = this.#world.settings;
    return this.#world.credentials.sign(
      claims,
      lifetime ?? (claims.use === 'access' ? tokenLifetime : refreshLifetime),
    );
  }

  tokens(sub: string, fqdn: string, organization: string): { access_token: string; refresh_token: string } {
    const claims = { sub, fqdn, org_id: organization };
    return {
      access_token: this.sign({ ...claims, use: 'access' }),
      refresh_token: this.sign({ ...claims, use: 'refresh' }),
    };
  }

  #makeWallet(name: string, domain: string, fields: Item): { id: string; fqdn: string; item: Item } {
    const { context, clock } = this.#world;
    const index = NEW_WALLETS + this.#registered++;
    const id = this.#ids.at(index);
    const now = clock.now();
    const fqdn = `${name.toLowerCase()}.${domain}`;
    const item: Item = {
      id,
      ...fields,
      fqdn,
      activated: true,
      disabled: false,
      account: {
        address: addressOf(context.seed, 'wallet', index),
        public_key: new Draw(context.seed, 'public key', index).hex(64),
        type: index % 2 === 0 ? 'ED25519' : 'SECP256K1',
      },
      onboarding: true,
      when_created: iso(now),
      when_modified: iso(now),
    };
    this.#world.collection('wallets').put(id, item, now);
    return { id, fqdn, item };
  }
}
