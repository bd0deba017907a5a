/** Objects read before and after a run: nothing waits for them for ever, and what cannot be read is noted. */
import assert from 'node:assert/strict';
import {
  addCreatedObjects,
  mergeAffectedObjects,
  readObjectsAfter,
  readObjectsBefore,
} from '../../../../src/actions/run/affected-objects.ts';
import type { RunPlatform } from '../../../../src/actions/run/run-platform.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { formatText } from '../../../../src/platform/text/message.ts';
import type { AffectedObject } from '../../../../src/model/runs/run-record.ts';

const { signal } = new AbortController();
const unused = (): never => assert.fail('not requested');
const createPlatform = (object: RunPlatform['object']): RunPlatform => ({
  execute: unused,
  logs: unused,
  batch: unused,
  object,
});
const format = (objects: readonly AffectedObject[]): readonly object[] =>
  objects.map(({ note, ...rest }) => ({ ...rest, ...(note !== undefined && { note: formatText(note) }) }));

/** Resolves when `signal` is aborted. */
const waitFor = (until: AbortSignal): Promise<void> =>
  new Promise((resolve) => until.addEventListener('abort', () => resolve()));

suite('objects of a run', () => {
  test('those that respond are read before sending; the others are noted after 5 seconds', async () => {
    const waits: number[] = [];
    let end = (): void => undefined;
    const time = {
      now: () => 0,
      sleep: (milliseconds: number) => {
        waits.push(milliseconds);
        return new Promise<void>((resolve) => (end = resolve));
      },
    };
    const platform = createPlatform(async (id, stop) => {
      if (id === 'fine') return '{}';
      if (id === 'broken') throw new PlatformError('server', 'It is down.');
      setImmediate(end);
      await waitFor(stop);
      throw new PlatformError('cancelled', 'Canceled.');
    });
    // The note of one that failed earlier stays its own.
    assert.deepEqual(format(await readObjectsBefore(['fine', 'broken', 'slow'], platform, time, signal)), [
      { id: 'fine', before: '{}' },
      { id: 'broken', note: 'not read before sending: It is down' },
      { id: 'slow', note: 'not read before sending: timed out' },
    ]);
    assert.deepEqual(waits, [5000]);
  });

  test('the wait ends with the reads; cancelling ends both', async () => {
    const sleeps: AbortSignal[] = [];
    const time = {
      now: () => 0,
      sleep: (_milliseconds: number, stop: AbortSignal) => {
        sleeps.push(stop);
        return waitFor(stop).then(() => Promise.reject(new Error('stopped')));
      },
    };
    assert.deepEqual(await readObjectsBefore([], createPlatform(unused), time, signal), []);
    assert.equal(sleeps.length, 0);
    await readObjectsBefore(
      ['a'],
      createPlatform(() => Promise.resolve('{}')),
      time,
      signal,
    );
    assert.equal(sleeps[0]?.aborted, true);
    const stop = new AbortController();
    const platform = createPlatform(async (_id, either) => {
      stop.abort();
      assert.equal(either.aborted, true);
      return Promise.reject(new PlatformError('cancelled', 'Canceled.'));
    });
    assert.deepEqual(format(await readObjectsBefore(['a'], platform, time, stop.signal)), [
      { id: 'a', note: 'not read before sending: Canceled' },
    ]);
  });

  test('created objects are added once', () => {
    const known = [{ id: 'a', before: '{}' }];
    assert.deepEqual(addCreatedObjects(known, ['b', 'a']), [...known, { id: 'b' }]);
  });

  test('a log adds what it says to what was read, and objects that were not', () => {
    const log = {
      affected_objects: [
        { id: 'a', template_id: 't', prev_state_root: '0x1', next_state_root: '0x2' },
        { template_id: 'nameless' },
        { id: 'b' },
      ],
    };
    const [first, ...others] = mergeAffectedObjects(log, [{ id: 'a', before: '{}' }, { id: 'c' }]);
    assert.deepEqual(first, { id: 'a', before: '{}', templateId: 't', previousRoot: '0x1', nextRoot: '0x2' });
    assert.deepEqual(others, [{ id: 'c' }, { id: 'b' }]);
    assert.deepEqual(mergeAffectedObjects(undefined, [{ id: 'c' }]), [{ id: 'c' }]);
    const [minted] = mergeAffectedObjects({ action_name: 'mint', affected_objects: [{ id: 'm' }] }, []);
    assert.deepEqual(minted, { id: 'm', created: true });
  });

  test('afterwards twenty are read; one that is gone is called deleted', async () => {
    const requested: string[] = [];
    const platform = createPlatform((id) => {
      requested.push(id);
      if (id === '1') return Promise.reject(new PlatformError('notFound', 'Not found.', { status: 404 }));
      if (id === '2') return Promise.reject(new PlatformError('server', 'It is down.', { status: 500 }));
      return Promise.resolve('{}');
    });
    const objects = Array.from({ length: 21 }, (_, index) => ({ id: String(index) }));
    const read = format(await readObjectsAfter(objects, platform, signal));
    assert.deepEqual(read.slice(0, 4), [
      { id: '0', after: '{}' },
      { id: '1', note: 'does not exist any more' },
      { id: '2', note: 'not read afterwards: It is down' },
      { id: '3', after: '{}' },
    ]);
    assert.deepEqual(read.slice(19), [
      { id: '19', after: '{}' },
      { id: '20', note: 'not read afterwards: too many objects' },
    ]);
    assert.equal(requested.length, 20);
  });
});
