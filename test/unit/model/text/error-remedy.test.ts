import assert from 'node:assert/strict';
import { formatRemedy, getRemedy } from '../../../../src/model/text/error-remedy.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { useServers } from '../../../support/platform-client.ts';

suite('remedies of errors', () => {
  const { servers, createClient } = useServers();

  test('a refused credential offers another sign-in, a missing permission another identity, with their connection', async () => {
    for (const [status, label] of [
      [401, 'Sign In…'],
      [403, 'Select Identity…'],
      [404, undefined],
    ] as const) {
      const server = await servers.http((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"no"}');
      });
      await assert.rejects(createClient(server).listPage('objects'), (error) => {
        assert.ok(error instanceof PlatformError);
        const remedy = getRemedy(error);
        assert.equal(remedy && formatRemedy(remedy), label);
        assert.equal(error.detail.connection, remedy && 'Test');
        return true;
      });
    }
    assert.equal(getRemedy(new Error('forbidden')), undefined);
  });
});
