/** One connection as one identity: client, credential in memory, and discovered data. */
import * as l10n from '@vscode/l10n';
import { PlatformClient, type TraceableRecord } from '../../platform/client.ts';
import { stored } from '../../platform/text/message.ts';
import { PlatformError, hasErrorCode } from '../../platform/errors.ts';
import type { Verb } from '../../platform/operation.ts';
import { isLoopback } from '../../platform/http/proxy.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { Timeouts, Transport } from '../../platform/http/transport.ts';
import { isForeground, mayPrompt } from '../../ui/foreground.ts';
import { formatReason } from '../../model/text/error-message.ts';
import { formatTimeDistance } from '../../model/text/time-format.ts';
import { getCredentialKinds, type Renewal } from '../credentials/credential.ts';
import { mayBeProduction } from '../../model/session/production.ts';
import { formatHeading, NOT_SIGNED_IN } from '../../model/text/heading.ts';
import type { IdIndex } from '../../cache/id-index.ts';
import { readIdentity } from '../credentials/identity.ts';
import { ObjectStates } from '../../cache/object-states.ts';
import { Reachability } from './reachability.ts';
import { SessionPermissions } from './session-permissions.ts';
import { deduplicateOrganizations } from '../profiles/read-profiles.ts';
import { refreshAccessToken } from '../credentials/refresh-token.ts';
import type { Snapshots } from '../../cache/snapshots.ts';
import {
  DEFAULT_IDENTITY,
  type IssuedResource,
  type Identity,
  type Organization,
  type Profile,
  type Session,
  type SessionChange,
} from '../../model/session/session.ts';

interface SessionOptions {
  readonly profile: Profile;
  /** `default`, or as the user named it */
  readonly identity: string;
  /** whether the connection has another identity */
  readonly hasOtherIdentities: () => boolean;
  readonly credential: Credential | undefined;
  readonly signedOutReason: string | undefined;
  readonly transport: Transport;
  readonly timeouts: () => Timeouts;
  readonly executeTimeouts: () => Timeouts;
  readonly maxConcurrent: number;
  /** every secret of all connections */
  readonly secrets: () => readonly string[];
  readonly onRequest: (record: TraceableRecord) => void;
  readonly onChange: (session: ConnectionSession, type: SessionChange['type']) => void;
  /** records the ids of everything that is read */
  readonly ids?: Pick<IdIndex, 'record'>;
  /** records the texts of single reads */
  readonly snapshots?: Snapshots;
  /** whether plain http to another machine is allowed; prompts only in the foreground */
  readonly isPlainHttpAllowed: (profile: Profile, ask: boolean) => Promise<boolean>;
  /** stores a renewed credential and passes it to `replaceCredential`, unless the previous one is no longer in use */
  readonly storeRenewed: (session: ConnectionSession, renewal: Renewal) => Promise<void>;
  /** reads the stored credential again, which another window may have renewed; never rejects */
  readonly reloadCredential: (session: ConnectionSession) => Promise<void>;
  /** prompts for a new sign-in in the foreground; resolves with true if this session has a newer credential */
  readonly signInAgain: (session: ConnectionSession, why: string) => Promise<boolean>;
}

/** Limits discovered organizations, so that a server cannot exhaust memory. */
const MAX_DISCOVERED = 200;

/** Implements `Session`; refreshes tokens and loads permissions on demand. */
export class ConnectionSession implements Session {
  readonly client: PlatformClient;
  readonly #options: SessionOptions;
  readonly objectStates = new ObjectStates();
  readonly #endController = new AbortController();
  readonly ended = this.#endController.signal;
  readonly #discovered = new Map<string, Organization>();
  readonly #issuedResources = new Map<string, IssuedResource>();
  readonly #permissions = new SessionPermissions(this, () => this.#announce('permissions'));
  readonly #reachability = new Reachability(() => this.#announce('reachability'));
  #profile: Profile;
  #credential: Credential | undefined;
  #pendingRefresh: Promise<void> | undefined;
  #pendingSignIn: Promise<boolean> | undefined;
  #pendingPlainHttpConsent: Promise<boolean> | undefined;
  /** the platform refused the expired token */
  #tokenRefused = false;
  /** milliseconds, from the last refresh */
  #clockOffset = 0;
  /** milliseconds by which the last refreshed token was already expired on arrival; refreshing again would not help */
  #expiredOnArrivalBy: number | undefined;
  /** why `refreshPath` gives no token, which it would not give later either */
  #refreshError: PlatformError | undefined;

  constructor(parts: SessionOptions) {
    this.#options = parts;
    this.#profile = parts.profile;
    this.#credential = parts.credential;
    this.client = new PlatformClient({
      target: parts.profile,
      transport: parts.transport,
      ended: this.ended,
      get timeouts() {
        return parts.timeouts();
      },
      get executeTimeouts() {
        return parts.executeTimeouts();
      },
      maxConcurrent: parts.maxConcurrent,
      isBackground: () => !isForeground(),
      credential: () => this.#getCredential(),
      renew: (refused, { mayAsk }) => this.#handleUnauthorized(refused, mayAsk),
      secrets: parts.secrets,
      record: (record) => {
        parts.onRequest(record);
        this.#reachability.record(record);
      },
      onWait: (milliseconds) => this.#reachability.wait(milliseconds),
      observe: (definition, items, id, text) => {
        parts.ids?.record(parts.profile.name, definition, items, id);
        this.objectStates.record(definition, items);
        if (id !== undefined && text !== undefined) parts.snapshots?.record(this, definition.kind, id.join('/'), text);
      },
    });
  }

  get profile(): Profile {
    return this.#profile;
  }
  get credentialKinds(): ReadonlySet<keyof Credential> {
    return getCredentialKinds(this.#credential);
  }
  get identity(): Identity | undefined {
    return readIdentity(this.#credential?.accessToken);
  }
  get identityName(): string | undefined {
    const { identity, hasOtherIdentities } = this.#options;
    return identity !== DEFAULT_IDENTITY || hasOtherIdentities() ? identity : undefined;
  }
  get signedOutReason(): string | undefined {
    return this.#credential === undefined ? (this.#options.signedOutReason ?? NOT_SIGNED_IN) : undefined;
  }
  get expired(): boolean {
    return this.#isTokenExpired() && !this.#canRefresh();
  }
  get offline(): boolean {
    return this.#reachability.isOffline;
  }
  get waitingUntil(): number | undefined {
    return this.#reachability.waitingUntil;
  }
  get issuedResources(): ReadonlyMap<string, IssuedResource> {
    return this.#issuedResources;
  }

  get organizations(): readonly Organization[] {
    const tokenOrganization = this.identity?.organization;
    const token: readonly Organization[] =
      tokenOrganization === undefined ? [] : [{ id: tokenOrganization, source: 'token' }];
    return deduplicateOrganizations([...this.#profile.organizations, ...token, ...this.#discovered.values()]);
  }

  get requiresConfirmation(): boolean {
    return mayBeProduction(this.#profile);
  }

  get heading(): string {
    return formatHeading(this.#profile, this.identityName);
  }

  addDiscoveredOrganizations(organizationIds: Iterable<string>): void {
    const known = new Set(this.organizations.map(({ id }) => id));
    const before = this.#discovered.size;
    for (const id of organizationIds) {
      if (known.has(id) || this.#discovered.size >= MAX_DISCOVERED) continue;
      if (id === '' || id.length > 256 || /\p{Cc}/u.test(id)) continue;
      known.add(id);
      this.#discovered.set(id, { id, source: 'discovered' });
    }
    if (this.#discovered.size > before) this.#announce('organizations');
  }

  hasPermission(resource: string, verb: Verb, organization?: string): boolean | undefined {
    return this.#permissions.has(resource, verb, organization);
  }

  loadPermissions(signal?: AbortSignal, reload = false): Promise<void> {
    return this.#permissions.load(signal, reload);
  }

  /** Applies settings that do not need another session: organizations and links. The store announces them. */
  updateProfile(profile: Profile): void {
    this.#profile = profile;
  }

  /** Replaces the credential of the same identity with a newer one, unless the session has ended. */
  replaceCredential(credential: Credential): void {
    if (this.ended.aborted) return;
    const wasExpired = this.expired;
    this.#credential = credential;
    this.#tokenRefused = false;
    this.#expiredOnArrivalBy = undefined;
    this.#refreshError = undefined;
    this.#pendingSignIn = undefined;
    this.#announce('credential');
    if (this.expired !== wasExpired) this.#announce('state');
  }

  addIssuedResource(key: string, resource: IssuedResource): void {
    this.#issuedResources.set(key, resource);
  }

  /** The key among the identities of the connection: `default`, or as the user named it. Internal to this folder. */
  get identityKey(): string {
    return this.#options.identity;
  }

  /** Internal to the session store and the account provider. */
  get credential(): Credential | undefined {
    return this.#credential;
  }

  end(): void {
    if (this.ended.aborted) return;
    this.#endController.abort(this.#createEndedError());
    this.#reachability.end();
    this.#credential = undefined;
    this.#issuedResources.clear();
    this.#permissions.clear();
    this.#discovered.clear();
    this.#announce('state');
  }

  #announce(type: SessionChange['type']): void {
    this.#options.onChange(this, type);
  }

  #isTokenExpired(): boolean {
    const expires = this.identity?.expires;
    return expires !== undefined && expires <= this.#getPlatformTime();
  }

  /** Uses the platform's clock if known: it issues and refuses the tokens. */
  #getPlatformTime(): number {
    return Date.now() + this.#clockOffset;
  }

  #canRefresh(): boolean {
    const { refreshPath } = this.#profile;
    const hasRefreshToken = refreshPath !== undefined && this.#credential?.refreshToken !== undefined;
    const canSucceed = this.#expiredOnArrivalBy === undefined && this.#refreshError === undefined;
    return hasRefreshToken && !this.#tokenRefused && canSucceed;
  }

  /** Why the access token cannot be used, as a sentence without its full stop. */
  #formatTokenProblem(): string {
    const { name } = this.#profile;
    if (this.#expiredOnArrivalBy !== undefined)
      return l10n.t(
        'Session expired: the new access token of {0} expired {1}, or a clock is wrong',
        name,
        formatTimeDistance(-this.#expiredOnArrivalBy, 0),
      );
    if (this.#refreshError !== undefined)
      return l10n.t('The access token of {0} could not be renewed: {1}', name, formatReason(this.#refreshError));
    return this.#isTokenExpired() ? l10n.t('Session expired') : l10n.t('The platform did not accept the credential');
  }

  #createTokenError(detail: { readonly sent: false } | { readonly status: 401 }): PlatformError {
    const connection = this.#profile.name;
    return new PlatformError('unauthenticated', this.#formatTokenProblem(), { ...detail, connection });
  }

  /** Called before each request. The local clock may be wrong, so only a refusal by the platform ends a token. */
  async #getCredential(): Promise<Credential | undefined> {
    this.#requireOpen();
    await this.#requireEncryption();
    if (this.#isTokenExpired() && this.#canRefresh()) await this.#refreshOnce().catch(() => undefined);
    else if (this.#isTokenExpired() && mayPrompt()) await this.#signInAgainOnce();
    this.#requireOpen();
    if (this.#tokenRefused && this.#isTokenExpired()) throw this.#createTokenError({ sent: false });
    return this.#credential;
  }

  /** Requires consent for plain http to another machine, requested once for each session. */
  async #requireEncryption(): Promise<void> {
    const { baseUrl, name } = this.#profile;
    if (baseUrl.startsWith('https:') || isLoopback(new URL(baseUrl).hostname)) return;
    // After declining, only Check Connection prompts again: its stored answer counts.
    if (mayPrompt()) await (this.#pendingPlainHttpConsent ??= this.#options.isPlainHttpAllowed(this.#profile, true));
    if (await this.#options.isPlainHttpAllowed(this.#profile, false)) return;
    throw new PlatformError(
      'network',
      stored(
        'Requests to {0} over unencrypted HTTP require your consent. Run Check Connection to give it, or use https',
        name,
      ),
      { sent: false },
    );
  }

  #requireOpen(): void {
    if (this.ended.aborted) throw this.#createEndedError({ sent: false });
  }

  #createEndedError(detail?: { readonly sent: false }): PlatformError {
    return new PlatformError('cancelled', stored('The session on {0} has ended', this.#profile.name), detail);
  }

  /** Called after a 401. */
  async #handleUnauthorized(refused: Credential | undefined, mayAsk: boolean): Promise<boolean> {
    if (this.ended.aborted || refused === undefined) return false;
    if (refused !== this.#credential) return true;
    if (this.#canRefresh()) {
      try {
        await this.#refreshOnce();
        if (this.#expiredOnArrivalBy === undefined) return true;
      } catch (error) {
        if (!hasErrorCode(error, 'unauthenticated', 'contract')) return false;
      }
    }
    if (this.#isTokenExpired() && !this.#tokenRefused) {
      this.#tokenRefused = true;
      this.#announce('state');
    }
    if (!mayAsk) return false;
    if (mayPrompt() && (await this.#signInAgainOnce())) return true;
    if (this.#isTokenExpired() || this.#expiredOnArrivalBy !== undefined || this.#refreshError !== undefined)
      throw this.#createTokenError({ status: 401 });
    return false;
  }

  /** One refresh at a time; concurrent callers share it. */
  #refreshOnce(): Promise<void> {
    return (this.#pendingRefresh ??= this.#sendRefresh().finally(() => {
      this.#pendingRefresh = undefined;
    }));
  }

  async #sendRefresh(): Promise<void> {
    const credential = this.#credential;
    const { refreshPath } = this.#profile;
    if (credential?.refreshToken === undefined || refreshPath === undefined) return;
    try {
      const { credential: refreshed, clockAhead } = await refreshAccessToken({
        transport: this.#options.transport,
        profile: { ...this.#profile, refreshPath },
        credential: { ...credential, refreshToken: credential.refreshToken },
        timeouts: this.#options.timeouts(),
        secrets: this.#options.secrets(),
        onSent: () => this.#requireOpen(),
      });
      this.#clockOffset = clockAhead;
      await this.#options.storeRenewed(this, { previous: credential, credential: refreshed });
      const expires = this.identity?.expires;
      if (expires !== undefined && this.#isTokenExpired()) this.#expiredOnArrivalBy = this.#getPlatformTime() - expires;
    } catch (error) {
      if (hasErrorCode(error, 'unauthenticated')) {
        // Another window may have used up the refresh token.
        await this.#options.reloadCredential(this);
        if (this.#credential !== credential) return;
        this.#tokenRefused = true;
        if (!this.ended.aborted) this.#announce('state');
      }
      if (hasErrorCode(error, 'contract')) this.#refreshError = error;
      throw error;
    }
  }

  #signInAgainOnce(): Promise<boolean> {
    return (this.#pendingSignIn ??= this.#options.signInAgain(this, this.#formatTokenProblem()));
  }
}
