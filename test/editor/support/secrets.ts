/** The editor's secret store with the faults that hosts have, for tests: no keyring, no events, a sign-out elsewhere. */
import * as vscode from 'vscode';

export class TestSecrets implements vscode.SecretStorage {
  readonly #real: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;
  #fault: 'no keyring' | 'forgets' | 'silent' | undefined;

  constructor(real: vscode.SecretStorage) {
    this.#real = real;
    real.onDidChange((event) => {
      if (this.#fault !== 'silent') this.#changed.fire(event);
    });
  }

  /** `no keyring`: storing rejects; `forgets`: it stores nothing and says nothing; `silent`: no events. */
  breakWith(fault: 'no keyring' | 'forgets' | 'silent'): void {
    this.#fault = fault;
  }

  heal(): void {
    this.#fault = undefined;
  }

  /** As if another window had changed that key. */
  raise(key: string): void {
    this.#changed.fire({ key });
  }

  keys(): Thenable<string[]> {
    return this.#real.keys();
  }
  get(key: string): Thenable<string | undefined> {
    return this.#real.get(key);
  }
  store(key: string, value: string): Thenable<void> {
    if (this.#fault === 'no keyring') return Promise.reject(new Error('no keyring'));
    if (this.#fault === 'forgets') return Promise.resolve();
    return this.#real.store(key, value);
  }
  delete(key: string): Thenable<void> {
    return this.#real.delete(key);
  }
}
