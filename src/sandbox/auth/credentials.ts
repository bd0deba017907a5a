/** Authentication by API keys and JSON web tokens. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Verb } from '../../platform/operation.ts';
import type { ResourceName } from '../../platform/resources/permission.ts';
import { isObject } from '../../platform/json/json.ts';
import type { ApiKey } from '../data/api-keys.ts';
import type { Grant, Organization, Role } from '../data/organizations.ts';
import { unauthenticated } from '../http/errors.ts';
import type { Principal } from './principal.ts';

export interface HeaderNames {
  readonly apiKey: string;
  readonly token: string;
  /** including a trailing space, if needed */
  readonly tokenPrefix: string;
}

export const DEFAULT_HEADERS: HeaderNames = { apiKey: 'x-api-key', token: 'authorization', tokenPrefix: 'Bearer ' };

export interface Claims {
  readonly sub: string;
  readonly org_id?: string;
  readonly fqdn: string;
  readonly use: 'access' | 'refresh';
  readonly exp: number;
  /** instead of the role's; only in tokens of the control endpoint */
  readonly permissions?: readonly Grant[];
}

/** Tokens with this fqdn see no organization. */
export const SYSTEM_FQDN = 'system';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Identifies callers and signs tokens. */
export class Credentials {
  readonly #secret: string;
  readonly #keys: readonly ApiKey[];
  readonly #getAddress: (walletId: string) => string | undefined;
  readonly #organizations: readonly Organization[];
  /** roles by wallet and organization */
  readonly #members = new Map<string, Map<string, Role>>();
  readonly #now: () => number;
  readonly headers: HeaderNames;

  constructor(options: {
    readonly secret: string;
    readonly keys: readonly ApiKey[];
    readonly organizations: readonly Organization[];
    readonly headers: HeaderNames;
    getAddress(walletId: string): string | undefined;
    /** the sandbox's clock, for the expiry of API keys */
    now(): number;
  }) {
    this.#secret = options.secret;
    this.#keys = options.keys;
    this.#organizations = options.organizations;
    this.#getAddress = (walletId) => options.getAddress(walletId);
    this.#now = () => options.now();
    this.headers = options.headers;
  }

  /** Gives a wallet a role in an organization. */
  addMember(walletId: string, organization: string, role: Role): void {
    const roles = this.#members.get(walletId) ?? new Map<string, Role>();
    this.#members.set(walletId, roles.set(organization, role));
  }

  /** Signs a token that expires after `lifetime` milliseconds of the system clock, which clients compare `exp` with. */
  sign(claims: Omit<Claims, 'exp'>, lifetime: number): string {
    const now = Math.floor(Date.now() / 1000);
    const payload = { ...claims, iat: now, exp: now + Math.floor(lifetime / 1000), jti: randomUUID() };
    const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`;
    return `${text}.${this.#mac(text)}`;
  }

  /** The claims of a valid token. Throws HttpError 401. */
  verify(token: string, use: Claims['use']): Claims {
    const [header = '', payload = '', mac = ''] = token.split('.');
    const expected = Buffer.from(this.#mac(`${header}.${payload}`));
    const actual = Buffer.from(mac);
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
      throw unauthenticated('the token is not valid');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!isObject(claims) || claims['use'] !== use)
      throw unauthenticated(`not ${use === 'access' ? 'an access' : 'a refresh'} token`);
    if (typeof claims['exp'] !== 'number' || claims['exp'] * 1000 <= Date.now())
      throw unauthenticated('the token has expired');
    // The signature shows that `sign` created it.
    return claims as unknown as Claims;
  }

  /** The caller of a request, by API key, token or both; undefined without a credential. Throws HttpError 401. */
  identify(header: (name: string) => string | undefined): Principal | undefined {
    const key = header(this.headers.apiKey);
    const keyPrincipal = key === undefined ? undefined : this.#createKeyPrincipal(key);
    const token = this.readToken(header);
    if (token === undefined) return keyPrincipal;
    const member = this.#createTokenPrincipal(this.verify(token, 'access'));
    return keyPrincipal === undefined ? member : combinePrincipals(member, keyPrincipal);
  }

  /** The token of the authorization header. Throws HttpError 401 if the prefix is wrong. */
  readToken(header: (name: string) => string | undefined): string | undefined {
    const value = header(this.headers.token);
    if (value === undefined) return undefined;
    const prefix = this.headers.tokenPrefix;
    if (!value.toLowerCase().startsWith(prefix.toLowerCase()))
      throw unauthenticated(`the ${this.headers.token} header needs the prefix "${prefix.trim()}"`);
    return value.slice(prefix.length).trim();
  }

  /** Compares keys in constant time. */
  isKey(candidate: string | undefined, key: string): boolean {
    if (candidate === undefined) return false;
    return timingSafeEqual(Buffer.from(this.#mac(candidate)), Buffer.from(this.#mac(key)));
  }

  #createKeyPrincipal(key: string): Principal {
    const found = this.#keys.find((candidate) => this.isKey(key, candidate.key));
    if (found === undefined) throw unauthenticated('the API key is not known');
    if (found.expires !== undefined && found.expires <= this.#now()) throw unauthenticated('the API key has expired');
    const { organization, owner, permissions } = found;
    return {
      walletId: owner.id,
      address: owner.address,
      organizations: organization === undefined ? undefined : new Set([organization]),
      getRole: (id) =>
        organization === undefined || organization === id ? this.#members.get(owner.id)?.get(id) : undefined,
      isAllowed: (resource, verb, id) =>
        (id === undefined || organization === undefined || organization === id) && allows(permissions, resource, verb),
    };
  }

  #createTokenPrincipal(claims: Claims): Principal {
    const roles = this.#members.get(claims.sub) ?? new Map<string, Role>();
    const system = claims.fqdn === SYSTEM_FQDN;
    const defaultOrganization = claims.org_id ?? [...roles.keys()][0];
    return {
      walletId: claims.sub,
      address: this.#getAddress(claims.sub) ?? '',
      organizations: system ? new Set() : roles.size === this.#organizations.length ? undefined : new Set(roles.keys()),
      getRole: (id) => roles.get(id),
      isAllowed(resource, verb, organization) {
        if (claims.permissions !== undefined) return allows(claims.permissions, resource, verb);
        const role = roles.get(organization ?? defaultOrganization ?? '');
        return role !== undefined && allows(role.permissions, resource, verb);
      },
    };
  }

  #mac(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}

/** A member with an API key: has the permissions of both, but sees no more than a system token does. */
function combinePrincipals(member: Principal, key: Principal): Principal {
  const { organizations } = member;
  const narrow = organizations?.size === 0 ? organizations : undefined;
  const both =
    organizations !== undefined && key.organizations !== undefined ? organizations.union(key.organizations) : undefined;
  return {
    ...member,
    organizations: narrow ?? both,
    isAllowed: (resource, verb, organization) =>
      member.isAllowed(resource, verb, organization) || key.isAllowed(resource, verb, organization),
  };
}

function allows(grants: readonly Grant[], resource: ResourceName, verb: Verb): boolean {
  return grants.some((grant) => grant.resource === resource && grant.crud[verb]);
}
