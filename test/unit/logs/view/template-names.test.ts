import assert from 'node:assert/strict';
import { TemplateNames } from '../../../../src/logs/view/template-names.ts';

test('templates without a known name are read once, while they are shown', async () => {
  const titles = new Map([['known', 'Known']]);
  const read: string[] = [];
  const names = new TemplateNames({
    getTitle: ({ id }) => titles.get(id),
    read: ({ id }) => {
      read.push(id);
      if (id === 'gone') return Promise.reject(new Error('404'));
      titles.set(id, id);
      return Promise.resolve();
    },
  });
  const find = async (...ids: string[]): Promise<readonly string[]> => {
    const found = await names.find(
      ids.map((id) => ({ connection: 'A', id })),
      () => read.length < 3,
    );
    return found.map(({ id }) => id);
  };
  assert.deepEqual(await find('known', 'gone', 'one'), ['known', 'one']);
  assert.deepEqual(await find('gone', 'one', 'two', 'three'), ['one', 'two']);
  assert.deepEqual(read, ['gone', 'one', 'two']);
});
