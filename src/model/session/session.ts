/** What other folders see of connections: profiles, sessions and their events. */
import type { PlatformClient } from '../../platform/client.ts';
import type { Verb } from '../../platform/operation.ts';
import type { LinkKind } from '../../platform/resource.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { Target } from '../../platform/target.ts';
import type { JsonObject } from '../../platform/json/json.ts';

/** An event; `vscode.Event<T>` is assignable to it. */
type Event<T> = (listener: (event: T) => unknown) => { dispose(): unknown };

export const ENVIRONMENTS = ['sandbox', 'development', 'staging', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export interface Organization {
  readonly id: string;
  readonly label?: string;
  /** from settings, added by the user, discovered in responses, or from the token */
  readonly source: 'settings' | 'added' | 'discovered' | 'token';
}

/** A connection as defined in settings or, for the local sandbox, in memory. Contains no secrets. */
export interface Profile extends Target {
  readonly environment?: Environment;
  readonly organizations: readonly Organization[];
  readonly refreshPath?: string;
  /** http(s) URL templates with `{hash}` or `{id}` */
  readonly links: Readonly<Partial<Record<LinkKind, string>>>;
  /** `memory`: the local sandbox */
  readonly source: 'user' | 'workspace' | 'memory';
}

/** Name of the identity that every connection has; the others are named by the user. */
export const DEFAULT_IDENTITY = 'default';

/** Claims of a token, unverified. */
export interface Identity {
  readonly subject?: string;
  readonly organization?: string;
  readonly fqdn?: string;
  /** milliseconds since the epoch */
  readonly expires?: number;
  /** tokens of the `system` scope cannot list an organization's objects */
  readonly systemScoped: boolean;
}

/** A resource from a registration or an invite, which the contract cannot read again; masked. */
export interface IssuedResource {
  /** the server's own JSON, pretty-printed */
  readonly text: string;
  readonly raw: unknown;
}

/**
 * One connection as one identity. Another credential, base URL, environment or authentication setting creates another
 * session of the same name: after an await, check `ended.aborted`. Another identity of the connection may have become the
 * current one: compare with `sessions.get(name)`.
 */
export interface Session {
  readonly profile: Profile;
  /** the same object for the whole session; also sends without a credential */
  readonly client: PlatformClient;
  /** kinds of credential in use; their values stay in the connections folder */
  readonly credentialKinds: ReadonlySet<keyof Credential>;
  readonly identity: Identity | undefined;
  /** the name of this identity; `undefined` if it is the only one of its connection */
  readonly identityName: string | undefined;
  /** why no credential is used, in one sentence; `undefined` when signed in */
  readonly signedOutReason: string | undefined;
  /** the access token is expired and cannot be renewed automatically */
  readonly expired: boolean;
  /** the last request did not reach the platform */
  readonly offline: boolean;
  /** milliseconds since 1970: a read waits until then because the platform asked for it */
  readonly waitingUntil?: number | undefined;
  /** from settings, added and discovered, without duplicates */
  readonly organizations: readonly Organization[];
  /** aborted when the session ends: sign-out, removal, another credential */
  readonly ended: AbortSignal;
  /** adds organizations found in responses */
  addDiscoveredOrganizations(organizationIds: Iterable<string>): void;
  /** resources known only from the response that issued them, as `wallets/<id>`; cleared at sign-out */
  readonly issuedResources: ReadonlyMap<string, IssuedResource>;
  /** states of objects read by this identity, by state root */
  readonly objectStates: {
    get(object: string, stateRoot: string): JsonObject | undefined;
    /** the state that was read last */
    getLatest?(object: string): JsonObject | undefined;
  };
  /**
   * What the role in that organization (default: any known one) grants; `undefined` while unknown. Sends nothing: call
   * `loadPermissions` first, after the tree is shown.
   */
  hasPermission(resource: string, verb: Verb, organization?: string): boolean | undefined;
  /**
   * Reads `myrole` once for each organization; `reload`: reads again those already read. Never rejects. Announces
   * `permissions` if they changed.
   */
  loadPermissions(signal?: AbortSignal, again?: boolean): Promise<void>;
  /** production, or no environment outside loopback: every execution is confirmed */
  readonly requiresConfirmation: boolean;
  /** `PRODUCTION · Name`, or `PRODUCTION · Name as buyer` if there are several identities: starts dialog messages */
  readonly heading: string;
}

/** A change of `Sessions` as a whole. */
export type SessionsChange =
  /** connections were added, removed or edited, or the problems of the settings changed */
  | { readonly type: 'connections' }
  /** one connection has another session, as its identity, address or environment changed, or another list of identities */
  | { readonly type: 'replaced'; readonly connection: string }
  /** another connection is the active one */
  | { readonly type: 'active' };

export interface SessionChange {
  readonly session: Session;
  /**
   * `organizations`: some were discovered; `permissions`: what its roles grant; `credential`: renewed for the same
   * identity; `state`: it expired, is valid again, or ended; `reachability`: it is offline or not, or waits.
   */
  readonly type: 'organizations' | 'permissions' | 'credential' | 'state' | 'reachability';
}

export interface Sessions {
  readonly all: readonly Session[];
  /** the one in the status bar; default of commands without an argument */
  readonly active: Session | undefined;
  /** the connection that `getOrPickActive` resolves with without a prompt; `undefined` if it prompts */
  readonly activeForEffects: Session | undefined;
  readonly onDidChange: Event<SessionsChange>;
  /** changes within one session */
  readonly onDidChangeSession: Event<SessionChange>;
  /** problems of the settings, one sentence each; valid connections still work */
  readonly problems: readonly string[];
  /** the session of a connection's current identity */
  get(name: string): Session | undefined;
  /** the sessions of a connection, one for each identity, the default one first */
  getIdentities(connection: string): readonly Session[];
  /** the session of a named identity, by default of the default one */
  getIdentity(connection: string, identity: string | undefined): Session | undefined;
  /**
   * Resolves with the only session or the user's choice; `undefined` on cancel or without connections, after saying how
   * to add one. Never rejects.
   */
  pickSession(purpose: string): Promise<Session | undefined>;
  /**
   * For commands with effects: the active connection, or the only one if none was ever chosen. If the active one
   * no longer exists it prompts, even with one left, and the choice becomes active. Rejects if the memento cannot be
   * written.
   */
  getOrPickActive(purpose: string): Promise<Session | undefined>;
}
