/** What users read of an error of a run. */
import assert from 'node:assert/strict';
import { describeRefusal, describeRunError, isPermanentError } from '../../../../src/actions/run/run-errors.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { formatText, stored } from '../../../../src/platform/text/message.ts';

suite('errors of a run', () => {
  const refused = new PlatformError('badRequest', stored('The platform refused.'), {
    serverMessage: 'The seat v1.2\nis taken.',
  });

  test('end without a full stop, with the message of the platform on one line', () => {
    assert.equal(formatText(describeRunError(refused)), 'The platform refused: The seat v1.2 is taken');
    assert.equal(formatText(describeRunError(new PlatformError('network', 'Lost v1.2.'))), 'Lost v1.2');
    assert.equal(formatText(describeRunError(new Error('A defect.'))), 'A defect');
  });

  test('in a list of refusals, the message of the platform is first', () => {
    assert.equal(formatText(describeRefusal(refused)), 'The seat v1.2 is taken (The platform refused)');
    assert.equal(formatText(describeRefusal(new PlatformError('network', 'Lost.'))), 'Lost');
    assert.equal(formatText(describeRefusal(new Error('A defect.'))), 'A defect');
  });

  test('can be stored without a language', () => {
    assert.deepEqual(
      describeRunError(new PlatformError('server', stored('{0} is down', 'a'))),
      stored('{0} is down', 'a'),
    );
  });

  test('are permanent without permission', () => {
    const codes = ['unauthenticated', 'forbidden', 'notFound', 'server'] as const;
    assert.deepEqual(
      codes.filter((code) => isPermanentError(new PlatformError(code, 'no'))),
      ['unauthenticated', 'forbidden'],
    );
    assert.equal(isPermanentError(new Error('a defect')), false);
  });
});
