import assert from 'node:assert/strict';
import { ExplorerStorage } from '../../../src/explorer/storage.ts';

suite('favorites', () => {
  test('a search that is saved again is in the tree once, as the newest', async () => {
    const values = new Map<string, unknown>();
    const memento = {
      get: (key: string) => values.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    };
    const storage = new ExplorerStorage(memento, memento);
    for (const [id, search] of Object.entries({ a: '@me', b: 'jacket', c: '@me' }))
      await storage.addFavorite('Work', { id, name: search, kind: '', filter: {}, search });
    // Lists may have the same name.
    for (const id of ['d', 'e']) await storage.addFavorite('Work', { id, name: 'Mine', kind: 'objects', filter: {} });
    assert.deepEqual(
      storage.getFavorites('Work').map(({ id }) => id),
      ['b', 'c', 'd', 'e'],
    );
  });
});
