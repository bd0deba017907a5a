/** Failures of several series: one cause is told once, with its next step. */
import assert from 'node:assert/strict';
import { PlatformError } from '../../../src/platform/errors.ts';
import { statistics } from '../../../src/platform/resources/statistics.ts';
import { tell } from '../../../src/stats/failures.ts';

const all = (error: (index: number) => unknown): ReadonlyMap<string, unknown> =>
  new Map(statistics.map(({ id }, index) => [id, error(index)]));

suite('statistics: failures', () => {
  test('a token that has run out is said once, and signing in helps', () => {
    const refused = (index: number): PlatformError =>
      new PlatformError('unauthenticated', 'The platform did not accept the credential (HTTP 401)', {
        status: 401,
        requestId: `r${String(index)}`,
        serverMessage: `token expired, trace ${String(index)}`,
      });
    const { shared, own } = tell(statistics, all(refused));
    assert.equal(shared.length, 1);
    assert.equal(shared[0]?.signIn, true);
    assert.match(shared[0].text, /^Read statistics: .*Sign in again\.$/);
    assert.equal(own.size, 0);
    assert.equal(tell(statistics, new Map([['fees', refused(1)]])).shared[0]?.signIn, true, 'even where one met it');
  });

  test('a network that is away is one cause, whatever each request says of it', () => {
    const { shared } = tell(
      statistics,
      all((index) => new PlatformError('network', `No connection ${String(index)}`)),
    );
    assert.equal(shared.length, 1);
  });

  test('each cause of its own is told where it belongs', () => {
    const failures = new Map<string, unknown>([
      ['fees', new PlatformError('server', 'The platform failed (HTTP 500)')],
      ['creations', new PlatformError('forbidden', 'The permission for this is missing', { serverMessage: 'stats' })],
    ]);
    const { shared, own } = tell(statistics, failures);
    assert.deepEqual(shared, []);
    assert.match(own.get('fees') ?? '', /^Read fees: The platform failed/);
    assert.match(own.get('creations') ?? '', /^Read objects created: .*role grants it/);
  });

  test('two series without the permission for actions are named together', () => {
    const failures = new Map<string, unknown>(
      ['executions', 'fees'].map((id) => [id, new PlatformError('forbidden', 'Your role lacks stats.actions')]),
    );
    const { shared } = tell(statistics, failures);
    assert.match(shared.map(({ text }) => text).join(), /^Read executions and fees: Your role lacks stats\.actions/);
  });

  test('what a person stopped is no error of each series', () => {
    const { shared } = tell(
      statistics,
      all(() => new PlatformError('cancelled', 'aborted')),
    );
    assert.deepEqual(shared, [{ text: 'Read statistics: stopped.', signIn: false }]);
  });
});
