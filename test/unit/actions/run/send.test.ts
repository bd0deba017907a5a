/** The send stage: what a failure proves, and what cancels a request. */
import assert from 'node:assert/strict';
import type { RunPlatform } from '../../../../src/actions/run/run-platform.ts';
import { send, type SendResult } from '../../../../src/actions/run/send.ts';
import { PlatformError, type ErrorDetail } from '../../../../src/platform/errors.ts';

/** Sends with an `execute` that writes the request if `isWritten`, and then fails. */
function fail(error: Error, isWritten = true): Promise<SendResult> {
  const execute: RunPlatform['execute'] = (_body, { onSent }) => {
    if (isWritten) onSent();
    return Promise.reject(error);
  };
  return send('{}', { execute }, { signal: new AbortController().signal, onSent: () => undefined });
}

const failWith = (detail: ErrorDetail, isWritten = true, code: PlatformError['code'] = 'server'): Promise<SendResult> =>
  fail(new PlatformError(code, 'failed', detail), isWritten);

suite('sending', () => {
  test('each status proves what it proves', async () => {
    const kinds = new Map<string, number[]>();
    for (let status = 200; status < 600; status++) {
      const { kind } = await failWith({ status, sent: true });
      kinds.set(kind, [...(kinds.get(kind) ?? []), status]);
    }
    const refused = [301, 302, 307, 308, 400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 422, 429];
    const all = (from: number): number[] => Array.from({ length: 100 }, (_, index) => from + index);
    const isOther = (status: number): boolean => !refused.includes(status);
    assert.deepEqual(
      [kinds.get('refused'), kinds.get('doubtful'), kinds.get('lost')],
      [refused, all(400).filter(isOther), [...all(200), ...all(300).filter(isOther), ...all(500)]],
    );
  });

  test('a response of status 200 may say that the request was refused; a redirect or an error may not', async () => {
    const kinds = await Promise.all(
      [200, 299, 300, 500].map(async (status) => (await failWith({ status, sent: true }, true, 'badRequest')).kind),
    );
    assert.deepEqual(kinds, ['refused', 'refused', 'lost', 'lost']);
  });

  test('without a status: not sent only if no byte was written', async () => {
    assert.equal((await failWith({ sent: true })).kind, 'lost');
    assert.equal((await failWith({})).kind, 'lost');
    assert.equal((await fail(new Error('a defect'))).kind, 'lost');
    assert.equal((await failWith({ sent: false })).kind, 'notSent');
    assert.equal((await failWith({}, false)).kind, 'notSent');
    assert.equal((await fail(new Error('a defect'), false)).kind, 'notSent');
    // Whoever calls back wrongly: a status proves that it was sent.
    assert.equal((await failWith({ status: 500 }, false)).kind, 'lost');
  });

  test('cancelled before, nothing is requested', async () => {
    const { signal } = new AbortController();
    const execute = (): never => assert.fail('requested');
    for (const options of [{ signal: AbortSignal.abort() }, { signal, stopWaiting: AbortSignal.abort() }]) {
      const result = await send('{}', { execute }, { ...options, onSent: () => undefined });
      assert.equal(result.kind, 'notSent');
      assert.ok(result.error instanceof PlatformError);
      assert.deepEqual([result.error.code, result.error.detail.sent], ['cancelled', false]);
    }
  });

  test('cancelling ends a queued request, not one that was sent; to stop waiting ends both', async () => {
    for (const [isWritten, stops, isEnded] of [
      [false, 'signal', true],
      [true, 'signal', false],
      [false, 'stopWaiting', true],
      [true, 'stopWaiting', true],
    ] as const) {
      const controllers = { signal: new AbortController(), stopWaiting: new AbortController() };
      let written = 0;
      const result = await send(
        '{"a":1}',
        {
          execute: (body, { signal, onSent }) => {
            assert.equal(body, '{"a":1}');
            if (isWritten) onSent();
            controllers[stops].abort();
            assert.equal(signal.aborted, isEnded, `${stops} ${String(isWritten)}`);
            return Promise.resolve({ raw: {}, status: 200 });
          },
        },
        {
          signal: controllers.signal.signal,
          stopWaiting: controllers.stopWaiting.signal,
          onSent: () => written++,
        },
      );
      assert.deepEqual([result.kind, written], ['accepted', isWritten ? 1 : 0]);
    }
  });
});
