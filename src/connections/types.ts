/** What the rooms above see of a connection: its profile, its client, who it is signed in as. */
import type * as vscode from 'vscode';
import type { PlatformClient } from '../platform/client.ts';
import type { Operation, Verb } from '../platform/operation.ts';
import type { Credential, Presentation, QueryWords, WalletCredential } from '../platform/target.ts';
import type { ObjectStates } from './object-states.ts';

export const environments = ['sandbox', 'development', 'staging', 'production'] as const;
export type Environment = (typeof environments)[number];

export const linkKinds = ['transaction', 'object', 'template', 'action', 'account'] as const;
export type LinkKind = (typeof linkKinds)[number];

export interface Organization {
  readonly id: string;
  readonly label?: string;
  /** named in settings, added by hand, or met in what was read */
  readonly source: 'settings' | 'added' | 'discovered' | 'token';
}

/** A connection as settings (and, for the local sandbox, memory) define it. Never holds a secret. */
export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  readonly environment?: Environment;
  readonly organizations: readonly Organization[];
  readonly presentation: Presentation;
  readonly refreshPath?: string;
  /** whether registering a wallet and confirming an invite present the credential; default `none` */
  readonly wallets?: WalletCredential;
  /** http(s) URL templates with `{hash}` or `{id}` */
  readonly links: Readonly<Partial<Record<LinkKind, string>>>;
  readonly words: QueryWords;
  readonly pageSize?: number;
  /** `memory`: the local sandbox */
  readonly source: 'user' | 'workspace' | 'memory';
}

/** What a token says of itself, unverified. */
export interface Identity {
  readonly subject?: string;
  readonly organization?: string;
  readonly fqdn?: string;
  /** milliseconds since the epoch */
  readonly expires?: number;
  /** a token of the `system` scope lists no organization's objects */
  readonly systemScoped: boolean;
}

/** What a registration or an invite answered and the contract reads by no other way; masked. */
export interface Held {
  /** the server's own JSON, pretty-printed */
  readonly text: string;
  readonly raw: unknown;
}

/**
 * One connection as one identity. Another credential, base URL, environment or way of presenting it makes another session
 * under the same name: after an await, ask `ended.aborted`, or whether `sessions.get(name)` is still this one.
 */
export interface Session {
  readonly profile: Profile;
  /** the same for the whole session; without a credential it still sends, and the platform answers as it likes */
  readonly client: PlatformClient;
  /** which kinds of credential are held; their values never leave the connections room */
  readonly holds: ReadonlySet<keyof Credential>;
  readonly identity: Identity | undefined;
  /** why nothing is held, or what is held is not used, in one sentence; `undefined` when signed in */
  readonly signedOutBecause: string | undefined;
  /** the access token has run out, and nothing renews it by itself */
  readonly expired: boolean;
  /** from settings, added and discovered, without repeats */
  readonly organizations: readonly Organization[];
  /** fires when the profile, credential, identity or organizations change, and at the end */
  readonly onDidChange: vscode.Event<void>;
  /** aborted when the session ends: sign-out, removal, another credential */
  readonly ended: AbortSignal;
  /** remembers organizations met in answers */
  discover(organizationIds: Iterable<string>): void;
  /** what is known from an answer alone: `wallets/<id>` → the wallet; forgotten at sign-out */
  readonly held: ReadonlyMap<string, Held>;
  /** states of objects that were read, by state root; of this identity alone */
  readonly states: ObjectStates;
  /**
   * What the role in that organization (default: any known one) grants; `undefined` while it is not known. Asks nothing
   * by itself: call `loadPermissions` first, after the tree is shown.
   */
  can(resource: string, verb: Verb, organization?: string): boolean | undefined;
  /**
   * Reads `myrole`, once for each organization; `again`: those that were read, since a role may grant more by now. Never
   * throws. Fires `onDidChange` when there is news.
   */
  loadPermissions(signal?: AbortSignal, again?: boolean): Promise<void>;
  /** Throws PlatformError `forbidden`, not sent, naming the permission, where the role is known to lack it. */
  demand(operation: Operation, organization?: string): void;
  /** production, or unnamed environment outside loopback: every execution is confirmed */
  readonly mustConfirm: boolean;
  /** `PRODUCTION · Name · Organization`, the words that every dialog begins with */
  readonly heading: string;
}

export interface Sessions {
  readonly all: readonly Session[];
  /** the one that the status bar names; commands without an argument start from it */
  readonly active: Session | undefined;
  /** organization chosen in Select Connection…, if any */
  readonly activeOrganization: Organization | undefined;
  readonly onDidChange: vscode.Event<void>;
  /** what is wrong with the settings, one sentence each; the other connections live */
  readonly problems: readonly string[];
  get(name: string): Session | undefined;
  /** The only one, or asks; `undefined` when the person cancels or there is none (then it says how to add one). */
  choose(purpose: string): Promise<Session | undefined>;
  /**
   * For what has an effect: the one that the person chose, or the only one where none ever was. Where the chosen one is
   * gone it asks, even with one left, and what is picked is chosen from then on.
   */
  chosen(purpose: string): Promise<Session | undefined>;
}
