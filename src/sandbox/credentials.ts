/** Who is calling: API keys and JSON web tokens, what they may do, and which organizations they see. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Verb } from '../platform/operation.ts';
import type { ResourceName } from '../platform/resources/permission.ts';
import { isObject } from '../platform/json.ts';
import type { ApiKey } from './data/api-keys.ts';
import type { Grant, Organization, Role } from './data/organizations.ts';
import { forbidden, unauthenticated } from './http.ts';

export interface Principal {
  readonly by: 'apiKey' | 'token';
  readonly walletId: string;
  readonly address: string;
  /** what an organization shows to this caller; undefined: every one of them */
  readonly organizations: ReadonlySet<string> | undefined;
  roleIn(organization: string): Role | undefined;
  may(resource: ResourceName, verb: Verb, organization?: string): boolean;
}

/** Throws 403 and says what is missing. */
export function demand(principal: Principal, resource: ResourceName, verb: Verb, organization?: string): void {
  if (principal.may(resource, verb, organization)) return;
  throw forbidden(`missing permission: ${resource} (${verb})`, { resource, verb });
}

export interface HeaderNames {
  readonly apiKey: string;
  readonly token: string;
  /** with its blank, if it needs one */
  readonly tokenPrefix: string;
}

export const HEADERS: HeaderNames = { apiKey: 'x-api-key', token: 'authorization', tokenPrefix: 'Bearer ' };

export interface Claims {
  readonly sub: string;
  readonly org_id?: string;
  readonly fqdn: string;
  readonly use: 'access' | 'refresh';
  readonly exp: number;
  /** in place of the role's; only tokens made for tests have it */
  readonly permissions?: readonly Grant[];
}

/** The fqdn whose tokens see no organization. */
export const SYSTEM = 'system';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export class Credentials {
  readonly #secret: string;
  readonly #keys: readonly ApiKey[];
  readonly #addressOf: (walletId: string) => string | undefined;
  readonly #organizations: readonly Organization[];
  /** roles by wallet and organization */
  readonly #members = new Map<string, Map<string, Role>>();
  readonly #now: () => number;
  readonly headers: HeaderNames;

  constructor(of: {
    readonly secret: string;
    readonly keys: readonly ApiKey[];
    readonly organizations: readonly Organization[];
    readonly headers: HeaderNames;
    addressOf(walletId: string): string | undefined;
    /** the sandbox's time, by which API keys expire */
    now(): number;
  }) {
    this.#secret = of.secret;
    this.#keys = of.keys;
    this.#organizations = of.organizations;
    this.#addressOf = (walletId) => of.addressOf(walletId);
    this.#now = () => of.now();
    this.headers = of.headers;
  }

  addMember(walletId: string, organization: string, role: Role): void {
    const roles = this.#members.get(walletId) ?? new Map<string, Role>();
    this.#members.set(walletId, roles.set(organization, role));
  }

  /** Tokens live by the machine's time, whatever the sandbox's clock says: clients read `exp`. */
  sign(claims: Omit<Claims, 'exp'>, lifetime: number): string {
    const now = Math.floor(Date.now() / 1000);
    const payload = { ...claims, iat: now, exp: now + Math.floor(lifetime / 1000), jti: randomUUID() };
    const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`;
    return `${text}.${this.#mac(text)}`;
  }

  /** Throws 401 for what is not one of our tokens, or no longer. */
  verify(token: string, use: Claims['use']): Claims {
    const [header = '', payload = '', mac = ''] = token.split('.');
    const expected = Buffer.from(this.#mac(`${header}.${payload}`));
    const given = Buffer.from(mac);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw unauthenticated('the token is not valid');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!isObject(claims) || claims['use'] !== use)
      throw unauthenticated(`not ${use === 'access' ? 'an access' : 'a refresh'} token`);
    if (typeof claims['exp'] !== 'number' || claims['exp'] * 1000 <= Date.now())
      throw unauthenticated('the token has expired');
    // Signed by ourselves, so its shape is ours.
    return claims as unknown as Claims;
  }

  /** The caller of a request; undefined where no credential was sent. Both may be sent, then both must be good. */
  identify(header: (name: string) => string | undefined): Principal | undefined {
    const key = header(this.headers.apiKey);
    const holder = key === undefined ? undefined : this.#byKey(key);
    const token = this.tokenIn(header);
    if (token === undefined) return holder;
    const member = this.#byToken(this.verify(token, 'access'));
    return holder === undefined ? member : together(member, holder);
  }

  tokenIn(header: (name: string) => string | undefined): string | undefined {
    const value = header(this.headers.token);
    if (value === undefined) return undefined;
    const prefix = this.headers.tokenPrefix;
    if (!value.toLowerCase().startsWith(prefix.toLowerCase()))
      throw unauthenticated(`the ${this.headers.token} header needs the prefix "${prefix.trim()}"`);
    return value.slice(prefix.length).trim();
  }

  /** The API key's administrator, by the printed key. */
  isKey(candidate: string | undefined, key: string): boolean {
    if (candidate === undefined) return false;
    const [given, expected] = [Buffer.from(this.#mac(candidate)), Buffer.from(this.#mac(key))];
    return timingSafeEqual(given, expected);
  }

  #byKey(key: string): Principal {
    const found = this.#keys.find((candidate) => this.isKey(key, candidate.key));
    if (found === undefined) throw unauthenticated('the API key is not known');
    if (found.expires !== undefined && found.expires <= this.#now()) throw unauthenticated('the API key has expired');
    const { organization, owner, permissions } = found;
    return {
      by: 'apiKey',
      walletId: owner.id,
      address: owner.address,
      organizations: organization === undefined ? undefined : new Set([organization]),
      roleIn: (id) =>
        organization === undefined || organization === id ? this.#members.get(owner.id)?.get(id) : undefined,
      may: (resource, verb, id) =>
        (id === undefined || organization === undefined || organization === id) && allows(permissions, resource, verb),
    };
  }

  #byToken(claims: Claims): Principal {
    const roles = this.#members.get(claims.sub) ?? new Map<string, Role>();
    const system = claims.fqdn === SYSTEM;
    const home = claims.org_id ?? [...roles.keys()][0];
    return {
      by: 'token',
      walletId: claims.sub,
      address: this.#addressOf(claims.sub) ?? '',
      organizations: system ? new Set() : roles.size === this.#organizations.length ? undefined : new Set(roles.keys()),
      roleIn: (id) => roles.get(id),
      may(resource, verb, organization) {
        if (claims.permissions !== undefined) return allows(claims.permissions, resource, verb);
        const role = roles.get(organization ?? home ?? '');
        return role !== undefined && allows(role.permissions, resource, verb);
      },
    };
  }

  #mac(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}

/** A member with an application's key: what either of them may do, but never more to see than the token's scope shows. */
function together(member: Principal, key: Principal): Principal {
  const { organizations } = member;
  const narrow = organizations?.size === 0 ? organizations : undefined;
  const both =
    organizations !== undefined && key.organizations !== undefined ? organizations.union(key.organizations) : undefined;
  return {
    ...member,
    organizations: narrow ?? both,
    may: (resource, verb, organization) =>
      member.may(resource, verb, organization) || key.may(resource, verb, organization),
  };
}

function allows(grants: readonly Grant[], resource: ResourceName, verb: Verb): boolean {
  return grants.some((grant) => grant.resource === resource && grant.crud[verb]);
}
