/** Registers face preview and lab: cheap proxies now, the room itself on first use. */
import type { Entry, Services } from '../commands/entry.ts';
import { lazyPanel } from '../webviews/lazy.ts';
import type { FacesRoom } from './room.ts';

export function registerFaces(entry: Entry): void {
  let loading: Promise<FacesRoom> | undefined;
  const room = (services: Services): Promise<FacesRoom> =>
    (loading ??= import('./room.ts').then(({ FacesRoom }) => new FacesRoom(entry, services)));

  entry.command('previewFace', async (services, of) => (await room(services)).preview(of));
  entry.command('previewAsset', async (services, of) => (await room(services)).preview(of, 'assets'));
  entry.command('openFaceLab', async (services, of) => (await room(services)).lab(of));
  // The same room for both: the second type is the one whose page may let a face run scripts.
  for (const type of ['smartObjects.face', 'smartObjects.scriptedFace'])
    lazyPanel(entry, type, async (services, panel, state) => (await room(services)).restore(panel, state));
}
