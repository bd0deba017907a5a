/** Connections of workspace settings that the user signed in to in this workspace. */
import type { Profile } from '../../model/session/session.ts';

const KEY = 'connections.signedIn';

/** The part of `vscode.Memento` that is used. */
interface Memory {
  get<T>(key: string, fallback: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * Stored for the workspace, outside its files. Any workspace can repeat a connection of another one: its stored credential
 * is used only after the user signed in here.
 */
export class WorkspaceSignIns {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** False if the workspace defines the connection, and the user did not sign in to it here. */
  isAllowed(profile: Profile): boolean {
    return profile.source !== 'workspace' || this.#all.includes(format(profile));
  }

  /** Records a sign-in. Rejects if the memento cannot be written. */
  async add(profile: Profile): Promise<void> {
    if (!this.isAllowed(profile)) await this.#memory.update(KEY, [...this.#all, format(profile)]);
  }

  get #all(): readonly string[] {
    return this.#memory.get<readonly string[]>(KEY, []);
  }
}

function format({ name, baseUrl }: Profile): string {
  return JSON.stringify([name, baseUrl]);
}
