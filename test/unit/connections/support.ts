/** Tokens, a secret store and a memory for the tests of the connections. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { ConnectionSession } from '../../../src/connections/session/connection-session.ts';
import { createTestProfile, PATIENT } from '../../support/platform-client.ts';
import type { Disposable } from '../../../src/ui/disposables.ts';
import type { SignOutTimes, SecretStorage } from '../../../src/connections/credentials/credential-store.ts';

/** An unsigned token with these claims. */
export function jwt(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.c2ln`;
}

/** A session of the only identity of the connection “Test”, signed in by API key, which sends nothing. */
export function createTestSession(
  options: Partial<ConstructorParameters<typeof ConnectionSession>[0]>,
): ConnectionSession {
  return new ConnectionSession({
    profile: createTestProfile('http://127.0.0.1:1'),
    identity: 'default',
    hasOtherIdentities: () => false,
    credential: { apiKey: 'key-1' },
    signedOutReason: undefined,
    transport: { send: () => assert.fail('nothing is sent'), close: () => Promise.resolve() },
    timeouts: () => PATIENT,
    executeTimeouts: () => PATIENT,
    maxConcurrent: 2,
    secrets: () => [],
    onRequest: () => undefined,
    onChange: () => undefined,
    isPlainHttpAllowed: () => Promise.resolve(true),
    storeRenewed: () => assert.fail('nothing was renewed'),
    reloadCredential: () => Promise.resolve(),
    signInAgain: () => Promise.resolve(false),
    ...options,
  });
}

export class InMemorySecretStorage implements SecretStorage {
  readonly entries = new Map<string, string>();
  readonly #events = new EventEmitter();
  fault: 'rejects' | 'forgets' | 'alters' | 'keeps' | undefined;

  onDidChange(listener: (event: { readonly key: string }) => unknown): Disposable {
    this.#events.on('change', listener);
    return { dispose: () => this.#events.off('change', listener) };
  }
  keys(): Promise<string[]> {
    return Promise.resolve([...this.entries.keys()]);
  }
  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.entries.get(key));
  }
  store(key: string, value: string): Promise<void> {
    if (this.fault === 'rejects') return Promise.reject(new Error('no keyring'));
    if (this.fault !== 'forgets') this.entries.set(key, this.fault === 'alters' ? value.slice(0, -1) : value);
    this.#events.emit('change', { key });
    return Promise.resolve();
  }
  delete(key: string): Promise<void> {
    if (this.fault !== 'keeps') this.entries.delete(key);
    this.#events.emit('change', { key });
    return Promise.resolve();
  }
}

/** The times of sign-outs. */
export class InMemorySignOutTimes implements SignOutTimes {
  readonly values = new Map<string, unknown>();
  get(key: string, fallback: number): number {
    const value = this.values.get(key);
    return typeof value === 'number' ? value : fallback;
  }
  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

/** What a workspace stores. */
export class InMemoryMemento {
  readonly values = new Map<string, unknown>();
  get<T>(key: string, fallback: T): T;
  get(key: string, fallback: unknown): unknown {
    return this.values.get(key) ?? fallback;
  }
  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}
