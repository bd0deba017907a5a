/** The compose stage: the text that is sent, the values that are hidden, and what prevents sending. */
import assert from 'node:assert/strict';
import { getRequestBody, parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { compose, type ComposedRequest, type ComposeOptions } from '../../../../src/actions/run/compose.ts';
import { createVariables } from '../support.ts';

const SIGNED = '{"action": {"burn": {"id": "obj_1"}}, "signature": "0xab"}';
const UNSIGNED = '{"action": {"burn": {"id": "${env:ID}"}}, "nonce": "${secret:PIN}"}';
const BODY = '{"action":{"burn":{"id":"obj_1"}},"nonce":"1234"}';
/** Signs with what `code` prints. */
const signWith = (code: string) => (): readonly string[] => [process.execPath, '-e', code];

suite('composing', () => {
  const run = (text: string, options: Partial<ComposeOptions> = {}): Promise<ComposedRequest> =>
    compose(
      parseActionFile(text),
      { variables: createVariables({ ID: 'obj_1', PIN: '1234' }), getSigner: () => undefined, ...options },
      new AbortController().signal,
    );

  test('variables are filled in; their values are hidden, with what was hidden already', async () => {
    assert.deepEqual(await run(UNSIGNED), { body: BODY, targets: ['obj_1'], secrets: ['obj_1', '1234'] });
    assert.deepEqual((await run(UNSIGNED, { secrets: ['the-key'] })).secrets, ['the-key', 'obj_1', '1234']);
  });

  test('a request without a signature gets that of the signer', async () => {
    const { body, targets, secrets } = await run(UNSIGNED, { getSigner: signWith("console.log('0xcd')") });
    assert.deepEqual(JSON.parse(body), { ...Object(JSON.parse(BODY)), signature: '0xcd' });
    assert.deepEqual([targets, secrets], [['obj_1'], ['obj_1', '1234']]);
  });

  test('the signer of a signed request is not started', async () => {
    const { body } = await run(SIGNED, { getSigner: () => assert.fail('started') });
    assert.equal(body, getRequestBody(parseActionFile(SIGNED)));
  });

  test('a signer that fails is reported without values of variables', () =>
    assert.rejects(
      run('{"action": {"burn": {"id": "${env:ID}"}}}', {
        variables: createVariables({ ID: 'obj_1-of-the-test' }),
        getSigner: signWith("console.error('no obj_1-of-the-test');process.exit(3)"),
      }),
      ({ message }: Error) => message.includes('no ••••') && !message.includes('of-the-test'),
    ));

  test('cancelled while a value is asked for, nothing is composed and no signer is started', async () => {
    const stop = new AbortController();
    const variables = {
      ...createVariables({ PIN: '1234' }),
      env: () => {
        stop.abort();
        return Promise.resolve('obj_1');
      },
    };
    const getSigner = (): never => assert.fail('started');
    await assert.rejects(
      compose(parseActionFile(UNSIGNED), { variables, getSigner }, stop.signal),
      /^Error: Canceled before it was sent/,
    );
  });

  test('cancelling ends a signer', async () => {
    const stop = new AbortController();
    const getSigner = (): readonly string[] => {
      setImmediate(() => stop.abort());
      return [process.execPath, '-e', 'setInterval(() => 0, 1000)'];
    };
    await assert.rejects(
      compose(parseActionFile(UNSIGNED), { variables: createVariables({ ID: 'a', PIN: 'b' }), getSigner }, stop.signal),
      /was canceled$/,
    );
  });
});
