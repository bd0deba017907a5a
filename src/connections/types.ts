/** What the rooms above see of a connection: its profile, its client, who it is signed in as. */
import type * as vscode from 'vscode';
import type { PlatformClient } from '../platform/client.ts';
import type { Credential, Presentation, QueryWords } from '../platform/target.ts';

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

export interface Session {
  readonly profile: Profile;
  readonly client: PlatformClient;
  /** which kinds of credential are held; their values never leave the connections room */
  readonly holds: ReadonlySet<keyof Credential>;
  readonly identity: Identity | undefined;
  /** from settings, added and discovered, without repeats */
  readonly organizations: readonly Organization[];
  /** fires when the profile, credential, identity or organizations change, and at the end */
  readonly onDidChange: vscode.Event<void>;
  /** aborted when the session ends: sign-out, removal, another credential */
  readonly ended: AbortSignal;
  /** remembers organizations met in answers */
  discover(organizationIds: Iterable<string>): void;
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
  get(name: string): Session | undefined;
  /** The only one, or asks; `undefined` when the person cancels or there is none (then it says how to add one). */
  choose(purpose: string): Promise<Session | undefined>;
}
