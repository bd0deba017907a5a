import assert from 'node:assert/strict';
import { PlatformError } from '../../../src/platform/errors.ts';
import { statisticsSeries } from '../../../src/platform/resources/statistics.ts';
import { formatFailures } from '../../../src/statistics/failure-messages.ts';

const all = (error: (index: number) => unknown): ReadonlyMap<string, unknown> =>
  new Map(statisticsSeries.map(({ id }, index) => [id, error(index)]));

suite('statistics: failures', () => {
  test('an expired token gets one message with Sign In', () => {
    const refused = (index: number): PlatformError =>
      new PlatformError('unauthenticated', 'The platform did not accept the credential (HTTP 401)', {
        status: 401,
        requestId: `r${String(index)}`,
        serverMessage: `token expired, trace ${String(index)}`,
      });
    const { shared, own } = formatFailures(statisticsSeries, all(refused));
    assert.equal(shared.length, 1);
    assert.equal(shared[0]?.signIn, true);
    assert.match(shared[0].text, /^Read statistics: .*Sign in again\.$/);
    assert.equal(own.size, 0);
    assert.equal(
      formatFailures(statisticsSeries, new Map([['fees', refused(1)]])).shared[0]?.signIn,
      true,
      'even where one met it',
    );
  });

  test('network errors share one message, whatever their details', () => {
    const { shared } = formatFailures(
      statisticsSeries,
      all((index) => new PlatformError('network', `No connection ${String(index)}`)),
    );
    assert.equal(shared.length, 1);
  });

  test('different causes get a message for each series', () => {
    const failures = new Map<string, unknown>([
      ['fees', new PlatformError('server', 'The platform reported an error (HTTP 500)')],
      ['creations', new PlatformError('forbidden', 'Permission denied', { serverMessage: 'stats' })],
    ]);
    const { shared, own } = formatFailures(statisticsSeries, failures);
    assert.deepEqual(shared, []);
    assert.match(own.get('fees') ?? '', /^Read statistics \(Fees\): The platform reported an error/);
    assert.match(own.get('creations') ?? '', /^Read statistics \(Objects created\): .*has this permission/);
  });

  test('two series without the permission for actions are named together', () => {
    const failures = new Map<string, unknown>(
      ['executions', 'fees'].map((id) => [id, new PlatformError('forbidden', 'Your role lacks stats.actions')]),
    );
    const { shared } = formatFailures(statisticsSeries, failures);
    assert.match(
      shared.map(({ text }) => text).join(),
      /^Read statistics \(Executions, Fees\): Your role lacks stats\.actions/,
    );
  });

  test('a cancelled reading gets one message', () => {
    const { shared } = formatFailures(
      statisticsSeries,
      all(() => new PlatformError('cancelled', 'aborted')),
    );
    assert.deepEqual(shared, [{ text: 'Read statistics: canceled.', signIn: false }]);
  });
});
