/** VS Code's secret store with faults: no keyring, no events, lost writes, changes from another window. */
import * as vscode from 'vscode';

export class FakeSecrets implements vscode.SecretStorage {
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

  /** `no keyring`: `store` rejects; `forgets`: `store` resolves without storing; `silent`: no change events. */
  setFault(fault: 'no keyring' | 'forgets' | 'silent'): void {
    this.#fault = fault;
  }

  clearFault(): void {
    this.#fault = undefined;
  }

  /** Simulates a change of the key by another window. */
  fireDidChange(key: string): void {
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
