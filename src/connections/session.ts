/** One connection as one identity: its client, its credential in memory, and what is known of it. */
import * as vscode from 'vscode';
import { PlatformClient, type RequestRecord } from '../platform/client.ts';
import { PlatformError } from '../platform/errors.ts';
import type { Operation, Verb } from '../platform/operation.ts';
import { InFlight } from '../platform/in-flight.ts';
import { isLoopback } from '../platform/proxy.ts';
import type { Credential, Target } from '../platform/target.ts';
import type { Timeouts, Transport } from '../platform/transport.ts';
import { isForeground } from '../ui/foreground.ts';
import { roughDuration } from '../ui/times.ts';
import { holdsOf } from './credential.ts';
import { headingOf } from './heading.ts';
import type { IdIndex } from './id-index.ts';
import { identityOf } from './identity.ts';
import { ObjectStates } from './object-states.ts';
import { granted, grantedByAny, grantsOf, lacks, type Grants } from './permissions.ts';
import { withoutRepeats } from './profiles.ts';
import { refresh } from './refresh.ts';
import type { Snapshots } from './snapshots.ts';
import type { Held, Identity, Organization, Profile, Session } from './types.ts';

export interface SessionParts {
  readonly profile: Profile;
  readonly credential: Credential | undefined;
  readonly signedOutBecause: string | undefined;
  readonly transport: Transport;
  readonly timeouts: () => Timeouts;
  readonly executeTimeouts: () => Timeouts;
  readonly maxConcurrent: number;
  /** every secret of every connection */
  readonly secrets: () => readonly string[];
  readonly record: (record: RequestRecord) => void;
  /** the ids of all that is read are remembered here */
  readonly ids?: IdIndex;
  /** and their texts here */
  readonly snapshots?: Snapshots;
  readonly activeOrganization: () => Organization | undefined;
  /** whether plain http to another machine was agreed to; asks in the foreground only */
  readonly mayBePlain: (profile: Profile, ask: boolean) => Promise<boolean>;
  /** stores what a refresh brought, and gives it to the session with `renewed`, unless that has ended */
  readonly keep: (session: ConnectionSession, credential: Credential) => Promise<void>;
  /** asks the person to sign in again, in a command that they wait for; true: this session holds a newer credential */
  readonly signInAgain: (session: ConnectionSession, why: string) => Promise<boolean>;
}

/** Organizations met in answers: enough for a person, and no server can fill the memory. */
const MAX_DISCOVERED = 200;

export class ConnectionSession implements Session {
  readonly client: PlatformClient;
  readonly #parts: SessionParts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly states = new ObjectStates();
  readonly #end = new AbortController();
  readonly #discovered = new Map<string, Organization>();
  readonly #held = new Map<string, Held>();
  readonly #roles = new InFlight<void>();
  readonly #known = new Map<string, Grants | undefined>();
  #profile: Profile;
  #credential: Credential | undefined;
  #refreshing: Promise<void> | undefined;
  #asking: Promise<boolean> | undefined;
  #askingPlain: Promise<boolean> | undefined;
  /** the platform refused the token after it had run out */
  #refused = false;
  /** milliseconds, as the last refresh told */
  #clockAhead = 0;
  /** milliseconds by which the token of the last refresh had run out when it came: another would be no better */
  #lateBy: number | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#profile = parts.profile;
    this.#credential = parts.credential;
    const { name, baseUrl, presentation, wallets, words, pageSize } = parts.profile;
    const target: Target = {
      ...{ name, baseUrl, presentation, words },
      ...(wallets !== undefined && { wallets }),
      ...(pageSize !== undefined && { pageSize }),
    };
    this.client = new PlatformClient({
      target,
      transport: parts.transport,
      ended: this.#end.signal,
      get timeouts() {
        return parts.timeouts();
      },
      get executeTimeouts() {
        return parts.executeTimeouts();
      },
      maxConcurrent: parts.maxConcurrent,
      isBackground: () => !isForeground(),
      credential: () => this.#present(),
      renew: (refused) => this.#renew(refused),
      secrets: parts.secrets,
      record: parts.record,
      observe: (row, items, id, text) => {
        parts.ids?.note(name, row, items, id);
        this.states.note(row, items);
        if (id !== undefined && text !== undefined) parts.snapshots?.note(this, row.kind, id.join('/'), text);
      },
    });
  }

  get profile(): Profile {
    return this.#profile;
  }
  get holds(): ReadonlySet<keyof Credential> {
    return holdsOf(this.#credential);
  }
  get identity(): Identity | undefined {
    return identityOf(this.#credential?.accessToken);
  }
  get signedOutBecause(): string | undefined {
    return this.#credential === undefined ? (this.#parts.signedOutBecause ?? 'Not signed in') : undefined;
  }
  get expired(): boolean {
    return this.#runOut() && !this.#renewable();
  }
  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }
  get ended(): AbortSignal {
    return this.#end.signal;
  }
  get held(): ReadonlyMap<string, Held> {
    return this.#held;
  }

  get organizations(): readonly Organization[] {
    const own = this.identity?.organization;
    const token: readonly Organization[] = own === undefined ? [] : [{ id: own, source: 'token' }];
    return withoutRepeats([...this.#profile.organizations, ...token, ...this.#discovered.values()]);
  }

  get mustConfirm(): boolean {
    const { environment, baseUrl } = this.#profile;
    return environment === 'production' || (environment === undefined && !isLoopback(new URL(baseUrl).hostname));
  }

  get heading(): string {
    return headingOf(this.#profile, this.#parts.activeOrganization());
  }

  discover(organizationIds: Iterable<string>): void {
    const known = new Set(this.organizations.map(({ id }) => id));
    const before = this.#discovered.size;
    for (const id of organizationIds) {
      if (known.has(id) || this.#discovered.size >= MAX_DISCOVERED) continue;
      if (id === '' || id.length > 256 || /\p{Cc}/u.test(id)) continue;
      known.add(id);
      this.#discovered.set(id, { id, source: 'discovered' });
    }
    if (this.#discovered.size > before) this.#changed.fire();
  }

  can(resource: string, verb: Verb, organization?: string): boolean | undefined {
    const own = organization ?? this.identity?.organization;
    const known = own === undefined ? undefined : this.#known.get(own);
    const answer =
      known !== undefined
        ? granted(known, resource, verb)
        : organization === undefined
          ? grantedByAny(
              this.organizations.map(({ id }) => this.#known.get(id)),
              resource,
              verb,
            )
          : undefined;
    // An API key beside the token may grant what the role does not.
    return answer === false && this.holds.has('apiKey') && this.holds.has('accessToken') ? undefined : answer;
  }

  async loadPermissions(signal?: AbortSignal, again = false): Promise<void> {
    if (this.holds.size === 0) return;
    const said = (): string => JSON.stringify([...this.#known].map(([id, grants]) => [id, [...(grants?.crud ?? [])]]));
    const before = said();
    const wanted = this.organizations.slice(0, 20).filter(({ id }) => this.#known.has(id) === again);
    // Whoever leaves early leaves the others their answer.
    const reading = wanted.map(({ id }) => this.#roles.join(id, signal, (left) => this.#readGrants(id, left)));
    await Promise.allSettled(reading);
    if (said() !== before) this.#changed.fire();
  }

  demand(operation: Operation, organization?: string): void {
    const needed = operation.permission;
    if (needed !== undefined && this.can(needed.resource, needed.verb, organization) === false)
      throw lacks(operation, this.heading);
  }

  /** The settings changed in what makes no other session: organizations and links. */
  update(profile: Profile): void {
    if (JSON.stringify(profile) === JSON.stringify(this.#profile)) return;
    this.#profile = profile;
    this.#changed.fire();
  }

  /** The same identity with a newer credential. */
  renewed(credential: Credential): void {
    this.#credential = credential;
    this.#refused = false;
    this.#lateBy = undefined;
    this.#asking = undefined;
    this.#changed.fire();
  }

  hold(key: string, held: Held): void {
    this.#held.set(key, held);
    this.#changed.fire();
  }

  /** Of this class alone: what `sameCredential` compares and the secret list names. */
  get credential(): Credential | undefined {
    return this.#credential;
  }

  end(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort(new PlatformError('cancelled', `The session on ${this.#profile.name} has ended`));
    this.#credential = undefined;
    this.#held.clear();
    this.#known.clear();
    this.#discovered.clear();
    this.#changed.fire();
    this.#changed.dispose();
  }

  async #readGrants(organization: string, signal: AbortSignal): Promise<void> {
    let grants: Grants | undefined;
    try {
      grants = grantsOf((await this.client.read('roles', [organization, 'myrole'], { signal })).item.view);
    } catch (error) {
      // What may pass is asked again next time; what the platform said stands.
      if (error instanceof PlatformError && error.detail.status === undefined) return;
    }
    if (!this.ended.aborted) this.#known.set(organization, grants);
  }

  #runOut(): boolean {
    const expires = this.identity?.expires;
    return expires !== undefined && expires <= this.#platformNow();
  }

  /** The clock of the platform counts where it is known: it issues the tokens and refuses them. */
  #platformNow(): number {
    return Date.now() + this.#clockAhead;
  }

  #renewable(): boolean {
    const { refreshPath } = this.#profile;
    const known = refreshPath !== undefined && this.#credential?.refreshToken !== undefined;
    return known && !this.#refused && this.#lateBy === undefined;
  }

  /** Why the access token is of no use, in a sentence without its full stop. */
  #tokenProblem(): string {
    const { name } = this.#profile;
    if (this.#lateBy !== undefined)
      return `The new access token of ${name} is expired already, by ${roughDuration(this.#lateBy)}, or a clock is off by as much`;
    return this.#runOut() ? `The access token of ${name} has expired` : 'The platform did not accept the credential';
  }

  /** Before each request. The clock here may be wrong, so only the platform's own refusal stops a token for good. */
  async #present(): Promise<Credential | undefined> {
    this.#stillOpen();
    await this.#encrypted();
    if (this.#runOut() && this.#renewable()) await this.#refresh().catch(() => undefined);
    else if (this.#runOut() && isForeground()) await this.#askOnce();
    this.#stillOpen();
    if (this.#refused && this.#runOut()) {
      throw new PlatformError('unauthenticated', this.#tokenProblem(), { sent: false });
    }
    return this.#credential;
  }

  /** Plain http to another machine waits for the person's word, asked for once in a session. */
  async #encrypted(): Promise<void> {
    const { baseUrl, name } = this.#profile;
    if (baseUrl.startsWith('https:') || isLoopback(new URL(baseUrl).hostname)) return;
    // Whoever declines is asked again by Check Connection alone: what is stored by then counts.
    if (isForeground()) await (this.#askingPlain ??= this.#parts.mayBePlain(this.#profile, true));
    if (await this.#parts.mayBePlain(this.#profile, false)) return;
    throw new PlatformError(
      'network',
      `Nothing is sent to ${name} over plain http until you agree to it; run Check Connection to be asked, or use https`,
      { sent: false },
    );
  }

  #stillOpen(): void {
    if (!this.#end.signal.aborted) return;
    throw new PlatformError('cancelled', `The session on ${this.#profile.name} has ended`, { sent: false });
  }

  /** After a 401. */
  async #renew(refused: Credential | undefined): Promise<boolean> {
    if (this.#end.signal.aborted || refused === undefined) return false;
    if (refused !== this.#credential) return true;
    if (this.#renewable()) {
      try {
        await this.#refresh();
        if (this.#lateBy === undefined) return true;
      } catch (error) {
        if (!(error instanceof PlatformError) || error.code !== 'unauthenticated') return false;
      }
    }
    if (this.#runOut() && !this.#refused) {
      this.#refused = true;
      this.#changed.fire();
    }
    if (isForeground() && (await this.#askOnce())) return true;
    if (this.#lateBy !== undefined) throw new PlatformError('unauthenticated', this.#tokenProblem(), { status: 401 });
    return false;
  }

  /** One refresh at a time; whoever comes meanwhile waits for it. */
  #refresh(): Promise<void> {
    return (this.#refreshing ??= this.#refreshNow().finally(() => {
      this.#refreshing = undefined;
    }));
  }

  async #refreshNow(): Promise<void> {
    const credential = this.#credential;
    const { refreshPath } = this.#profile;
    if (credential?.refreshToken === undefined || refreshPath === undefined) return;
    try {
      const { credential: renewed, clockAhead } = await refresh({
        transport: this.#parts.transport,
        profile: { ...this.#profile, refreshPath },
        credential: { ...credential, refreshToken: credential.refreshToken },
        timeouts: this.#parts.timeouts(),
        secrets: this.#parts.secrets(),
        onSent: () => {
          this.#stillOpen();
        },
      });
      this.#clockAhead = clockAhead;
      await this.#parts.keep(this, renewed);
      const expires = this.identity?.expires;
      if (expires !== undefined && this.#runOut()) this.#lateBy = this.#platformNow() - expires;
    } catch (error) {
      if (error instanceof PlatformError && error.code === 'unauthenticated') {
        this.#refused = true;
        if (!this.#end.signal.aborted) this.#changed.fire();
      }
      throw error;
    }
  }

  #askOnce(): Promise<boolean> {
    return (this.#asking ??= this.#parts.signInAgain(this, this.#tokenProblem()));
  }
}
