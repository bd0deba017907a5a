/** Registration of wallets, confirmation of invites, and tokens. */
import * as z from 'zod/mini';
import { isObject } from '../../platform/json/json.ts';
import { assetReference, languages } from '../../platform/resources/shared-schemas.ts';
import type { Item } from '../generation/collection.ts';
import type { Claims } from './credentials.ts';
import { formatIso } from '../generation/generated-source.ts';
import type { Role } from '../data/organizations.ts';
import { generateAddress } from '../data/wallets.ts';
import { badRequest, unauthenticated } from '../http/errors.ts';
import { ok, type RouteResponse, type RouteRequest } from '../http/responses.ts';
import { SeededRandom, IdGenerator } from '../generation/random.ts';
import type { World } from '../world.ts';

const registration = z.looseObject({
  nickname: z.optional(z.string().check(z.regex(/^[A-Za-z0-9]{1,255}$/, 'letters and digits only, at most 255'))),
  email: z.optional(z.email('not an e-mail address')),
  phone_number: z.optional(z.string().check(z.regex(/^\+[1-9]\d{1,14}$/, 'not an E.164 number'))),
  language: z.optional(z.enum(languages, `one of ${languages.join(', ')}`)),
  avatar: z.optional(assetReference),
  password: z.optional(z.string().check(z.minLength(1, 'must not be empty'))),
});

/** First index of registered wallets. */
const REGISTERED_WALLETS_START = 0x1000_0000;

/** Creates wallets and tokens. */
export class Accounts {
  readonly #world: World;
  readonly #ids: IdGenerator;
  #registered = 0;

  constructor(world: World) {
    this.#world = world;
    this.#ids = new IdGenerator(world.context.seed, 'wal');
  }

  /** `POST /wallets`. Throws HttpError 400. */
  registerWallet(call: RouteRequest): RouteResponse {
    if (!isObject(call.body)) throw badRequest('the body must be a JSON object');
    const read = z.safeParse(registration, call.body);
    if (!read.success) {
      const details = Object.fromEntries(read.error.issues.map((issue) => [issue.path.join('.'), issue.message]));
      throw badRequest(`invalid fields: ${Object.keys(details).join(', ')}`, details);
    }
    const { password: _password, nickname, email, phone_number, language, avatar } = read.data;
    const [organization] = this.#world.organizations;
    const wallet = this.#createWallet(nickname ?? `guest${this.#registered + 1}`, organization.fqdn, {
      ...(nickname !== undefined && { nickname }),
      ...(email !== undefined && { email }),
      ...(phone_number !== undefined && { phone_number }),
      ...(avatar !== undefined && { avatar }),
      language: language ?? 'en',
    });
    this.#world.credentials.addMember(wallet.id, organization.id, organization.defaultRole);
    return ok({ wallet: wallet.item, ...this.createTokens(wallet.id, wallet.fqdn, organization.id) });
  }

  /** `GET /organizations/{organizationId}/invite`. Throws HttpError 400. */
  confirmInvite(call: RouteRequest): RouteResponse {
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
    const wallet = this.#createWallet(`member${this.#registered + 1}`, organization.fqdn, { language: 'en' });
    this.addMember(wallet.id, organization.id, organization.defaultRole);
    return ok(this.createTokens(wallet.id, wallet.fqdn, organization.id));
  }

  /** Gives a wallet a role in an organization. */
  addMember(wallet: string, organization: string, role: Role): void {
    this.#world.credentials.addMember(wallet, organization, role);
  }

  /** `POST /auth/refresh`, which is not in the contract: the refresh token as Bearer, no body. Throws HttpError 401. */
  refresh(token: string | undefined): RouteResponse {
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

  /** Signs a token. `lifetime`: milliseconds, default by its use. */
  sign(claims: Omit<Claims, 'exp'>, lifetime?: number): string {
    const { tokenLifetime, refreshLifetime } = this.#world.settings;
    return this.#world.credentials.sign(
      claims,
      lifetime ?? (claims.use === 'access' ? tokenLifetime : refreshLifetime),
    );
  }

  /** An access and a refresh token of a wallet. */
  createTokens(sub: string, fqdn: string, organization: string): { access_token: string; refresh_token: string } {
    const claims = { sub, fqdn, org_id: organization };
    return {
      access_token: this.sign({ ...claims, use: 'access' }),
      refresh_token: this.sign({ ...claims, use: 'refresh' }),
    };
  }

  #createWallet(name: string, domain: string, fields: Item): { id: string; fqdn: string; item: Item } {
    const { context, clock } = this.#world;
    const index = REGISTERED_WALLETS_START + this.#registered++;
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
        address: generateAddress(context.seed, 'wallet', index),
        public_key: new SeededRandom(context.seed, 'public key', index).hex(64),
        type: index % 2 === 0 ? 'ED25519' : 'SECP256K1',
      },
      onboarding: true,
      when_created: formatIso(now),
      when_modified: formatIso(now),
    };
    this.#world.collection('wallets').put(id, item, now);
    return { id, fqdn, item };
  }
}
