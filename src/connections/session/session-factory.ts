/** Creates the sessions of identities, or continues them if nothing essential changed. */
import type { IdIndex } from '../../cache/id-index.ts';
import type { Snapshots } from '../../cache/snapshots.ts';
import { formatIdentity, NOT_SIGNED_IN } from '../../model/text/heading.ts';
import type { RequestRecorder } from '../../model/requests/request-recorder.ts';
import type { Profile, SessionChange } from '../../model/session/session.ts';
import type { Renewal } from '../credentials/credential.ts';
import type { Transport } from '../../platform/http/transport.ts';
import type { Log } from '../../ui/log.ts';
import type { KnownSecrets } from '../credentials/known-secrets.ts';
import { isPlainHttpAllowed, requestPlainHttpConsent } from '../profiles/plain-http.ts';
import { readExecuteTimeouts, readMaxConcurrentRequests, readRequestTimeouts } from '../profiles/settings.ts';
import { ConnectionSession } from './connection-session.ts';
import type { CredentialSource } from './credential-sources.ts';
import { logRequest } from './request-log.ts';
import { canContinueSession, isSameIdentity } from './session-identity.ts';

interface SessionFactoryOptions {
  readonly log: Log;
  /** records the ids of everything that is read */
  readonly ids: Pick<IdIndex, 'record'> | undefined;
  /** records the texts of single reads */
  readonly snapshots: Snapshots | undefined;
  /** records what is sent and received */
  readonly requests: RequestRecorder | undefined;
  readonly transport: Transport;
  readonly knownSecrets: KnownSecrets;
  /** where the user's consents to plain http are stored and requested */
  readonly consents: Parameters<typeof requestPlainHttpConsent>[0];
  readonly hasOtherIdentities: (connection: string) => boolean;
  readonly onChange: (session: ConnectionSession, type: SessionChange['type']) => void;
  /** as in the options of a session */
  readonly storeRenewed: (session: ConnectionSession, renewal: Renewal) => Promise<void>;
  readonly reloadCredential: (session: ConnectionSession) => Promise<void>;
  readonly signInAgain: (session: ConnectionSession, why: string) => Promise<boolean>;
}

/** What a session is created from. */
interface SessionParts {
  readonly profile: Profile;
  readonly identity: string;
  readonly source: CredentialSource;
}

/** Creates sessions with what they share: log, transport, known secrets and caches. */
export class SessionFactory {
  readonly #options: SessionFactoryOptions;

  constructor(options: SessionFactoryOptions) {
    this.#options = options;
  }

  /** Returns the current session if nothing essential changed, else a new one; the caller ends the old one. */
  reuseOrOpen(current: ConnectionSession | undefined, parts: SessionParts): ConnectionSession {
    const { profile, source } = parts;
    if (current !== undefined && !current.ended.aborted && canContinueSession(current.profile, profile)) {
      const isSame = JSON.stringify(current.credential) === JSON.stringify(source.credential);
      if (
        isSame &&
        (source.credential !== undefined || current.signedOutReason === (source.signedOutReason ?? NOT_SIGNED_IN))
      ) {
        current.updateProfile(profile);
        return current;
      }
      if (isSameIdentity(current.credential, source.credential) && source.credential !== undefined) {
        current.updateProfile(profile);
        current.replaceCredential(source.credential);
        return current;
      }
    }
    return this.#open(parts);
  }

  #open({ profile, identity, source }: SessionParts): ConnectionSession {
    const { log, ids, snapshots, requests, transport, knownSecrets, consents, onChange } = this.#options;
    const session: ConnectionSession = new ConnectionSession({
      profile,
      identity,
      hasOtherIdentities: () => this.#options.hasOtherIdentities(profile.name),
      ...source,
      transport,
      timeouts: readRequestTimeouts,
      executeTimeouts: readExecuteTimeouts,
      maxConcurrent: readMaxConcurrentRequests(),
      secrets: () => knownSecrets.values,
      onRequest: (record) => {
        const serverMessage = record.error?.detail.serverMessage;
        const label = formatIdentity(profile.name, session.identityName);
        if (serverMessage === undefined || !knownSecrets.containsTransient(serverMessage))
          logRequest(log, label, record);
        else log.info(`[${label}] ${record.operation} failed; its response contains a secret.`);
        requests?.record(profile.name, record, (text) => knownSecrets.containsTransient(text));
      },
      onChange,
      ...(ids !== undefined && { ids }),
      ...(snapshots !== undefined && { snapshots }),
      isPlainHttpAllowed: (of, ask) =>
        ask ? requestPlainHttpConsent(consents, of) : Promise.resolve(isPlainHttpAllowed(consents, of)),
      storeRenewed: this.#options.storeRenewed,
      reloadCredential: this.#options.reloadCredential,
      signInAgain: this.#options.signInAgain,
    });
    return session;
  }
}
