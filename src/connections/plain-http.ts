/** http without encryption outside this machine: refused, unless the person insists, once for each connection. */
import { checkBaseUrl } from './base-url.ts';
import type { SessionStore } from './store.ts';
import type { Profile } from './types.ts';

/** Bound to name and origin, so that another address asks again. */
export function plainKey({ name, baseUrl }: Pick<Profile, 'name' | 'baseUrl'>): string {
  return `plainHttp/${name}/${new URL(baseUrl).origin}`;
}

export async function allowPlainHttp(store: SessionStore, profile: Profile): Promise<boolean> {
  const found = checkBaseUrl(profile.baseUrl);
  if (!found.ok || !found.plain || store.memory.get<boolean>(plainKey(profile), false)) return true;
  const agreed = await store.ui.confirm({
    message: `${profile.name}: send over plain http?`,
    detail: `Everyone between this machine and ${new URL(profile.baseUrl).host} can read what is sent, credentials too. Use https where the platform offers it.`,
    action: 'Use Plain http',
  });
  if (agreed) await store.memory.update(plainKey(profile), true);
  return agreed;
}
