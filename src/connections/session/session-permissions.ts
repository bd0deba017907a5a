import { hasErrorCode, PlatformError } from '../../platform/errors.ts';
import type { Verb } from '../../platform/operation.ts';
import { SharedRequests } from '../../platform/requests/shared-requests.ts';
import { OWN_ROLE } from '../../platform/resources/roles.ts';
import type { Session } from '../../model/session/session.ts';
import { isGranted, isGrantedByAny, readGrants, type Grants } from './permissions.ts';

type PermissionSession = Pick<Session, 'client' | 'ended' | 'organizations' | 'identity' | 'credentialKinds'>;

/** Organizations whose roles are read. */
const MAX_ORGANIZATIONS = 20;
/** Milliseconds after which a role is read again that the platform could not send. */
const RETRY_DELAY = 60_000;

/** What the roles of one identity grant, read on demand. */
export class SessionPermissions {
  readonly #session: PermissionSession;
  readonly #onDidChange: () => void;
  readonly #roleReads = new SharedRequests<void>();
  /** by organization; `undefined`: a role without a list of permissions */
  readonly #grants = new Map<string, Grants | undefined>();
  /** when to read the role of an organization again: milliseconds of `performance.now` */
  readonly #retryAt = new Map<string, number>();

  constructor(session: PermissionSession, onDidChange: () => void) {
    this.#session = session;
    this.#onDidChange = onDidChange;
  }

  /** As `Session.hasPermission`. */
  has(resource: string, verb: Verb, organization?: string): boolean | undefined {
    const { identity, organizations, credentialKinds } = this.#session;
    const organizationId = organization ?? identity?.organization;
    const grants = organizationId === undefined ? undefined : this.#grants.get(organizationId);
    const roles = organization === undefined ? organizations.map(({ id }) => this.#grants.get(id)) : [];
    const granted = grants === undefined ? isGrantedByAny(roles, resource, verb) : isGranted(grants, resource, verb);
    // An API key sent with the token may grant more than the role.
    return granted === false && credentialKinds.has('apiKey') && credentialKinds.has('accessToken')
      ? undefined
      : granted;
  }

  /** As `Session.loadPermissions`. */
  async load(signal?: AbortSignal, reload = false): Promise<void> {
    const { organizations, credentialKinds } = this.#session;
    if (credentialKinds.size === 0) return;
    const previous = this.#format();
    const now = performance.now();
    const pending = organizations
      .slice(0, MAX_ORGANIZATIONS)
      .filter(({ id }) => this.#grants.has(id) === reload || (this.#retryAt.get(id) ?? Infinity) <= now);
    // `join` keeps the request running for other callers when one aborts.
    const reading = pending.map(({ id }) =>
      this.#roleReads.join(id, signal, (joinedSignal) => this.#read(id, joinedSignal)),
    );
    await Promise.allSettled(reading);
    if (this.#format() !== previous) this.#onDidChange();
  }

  clear(): void {
    this.#grants.clear();
    this.#retryAt.clear();
  }

  #format(): string {
    return JSON.stringify([...this.#grants].map(([id, grants]) => [id, [...(grants?.crud ?? [])]]));
  }

  async #read(organization: string, signal: AbortSignal): Promise<void> {
    const { client, ended } = this.#session;
    let grants: Grants | undefined;
    let retryAt = Infinity;
    try {
      grants = readGrants((await client.read('roles', [organization, OWN_ROLE], { signal })).item.raw);
    } catch (error) {
      // Without a response it is read next time, as with a refused credential, which a newer one may replace.
      // A failure of the platform passes, and other responses are final.
      if (error instanceof PlatformError && (error.detail.status === undefined || error.code === 'unauthenticated'))
        return;
      if (hasErrorCode(error, 'server', 'rateLimited')) {
        grants = this.#grants.get(organization);
        retryAt = performance.now() + RETRY_DELAY;
      }
    }
    if (ended.aborted) return;
    this.#grants.set(organization, grants);
    this.#retryAt.set(organization, retryAt);
  }
}
