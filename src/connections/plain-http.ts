/** http without encryption outside this machine: refused, unless the person insists, once for each connection. */
import type * as vscode from 'vscode';
import type { Ui } from '../ui/ui.ts';
import { checkBaseUrl } from './base-url.ts';
import { headingOf } from './heading.ts';
import type { Profile } from './types.ts';

/** Of the session store: where the answer is remembered, and who is asked. */
interface Asker {
  readonly memory: vscode.Memento;
  readonly ui: Ui;
}
type Place = Pick<Profile, 'name' | 'baseUrl' | 'environment'>;

/** Bound to name and origin, so that another address asks again. */
function plainKey({ name, baseUrl }: Place): string {
  return `plainHttp/${name}/${new URL(baseUrl).origin}`;
}

/** True where there is nothing to agree to, too. */
export function isPlainAllowed({ memory }: Asker, place: Place): boolean {
  const found = checkBaseUrl(place.baseUrl);
  return !found.ok || !found.plain || memory.get<boolean>(plainKey(place), false);
}

export async function allowPlainHttp(asker: Asker, place: Place): Promise<boolean> {
  if (isPlainAllowed(asker, place)) return true;
  const agreed = await asker.ui.confirm({
    message: `${headingOf(place, undefined)}: send over plain http?`,
    detail: `Everyone between this machine and ${new URL(place.baseUrl).host} can read what is sent, credentials too. Use https where the platform offers it.`,
    action: 'Use Plain http',
  });
  if (agreed) await asker.memory.update(plainKey(place), true);
  return agreed;
}

export async function forgetPlainHttp({ memory }: Pick<Asker, 'memory'>, place: Place): Promise<void> {
  await memory.update(plainKey(place), undefined);
}
