import assert from 'node:assert/strict';
import { Pictures } from '../../../../../src/webviews/client/table/pictures.ts';

suite('pictures of the rows in view', () => {
  test('are requested until they arrive or do not exist, also after they were out of view', async () => {
    let requested: PromiseWithResolvers<number[]>;
    const pictures = new Pictures((numbers) => {
      requested.resolve(numbers);
    });
    const want = (...numbers: number[]): Promise<number[]> => {
      requested = Promise.withResolvers();
      pictures.want(numbers);
      return requested.promise;
    };
    assert.deepEqual(await want(1, 2, 2, 3), [1, 2, 3]);
    pictures.add(1, 'data:1');
    pictures.add(2, undefined);
    // The request names all that are missing: the host loads no others.
    assert.deepEqual(await want(2, 3, 4), [3, 4]);
    assert.deepEqual(await want(5), [5]);
    assert.deepEqual(await want(1, 2, 3, 4), [3, 4]);
    assert.equal(pictures.get(1), 'data:1');
    assert.equal(pictures.get(2), undefined);
    // What was requested is not requested again before it arrives.
    void want(3, 4);
    assert.deepEqual(await want(4, 6), [4, 6]);
  });
});
