/** The headers of a credential. */
import assert from 'node:assert/strict';
import {
  createCredentialHeaders,
  defaultCredentialHeaderNames,
} from '../../../../src/platform/http/credential-headers.ts';

suite('headers of a credential', () => {
  test('each part is sent in its header; what there is not is not sent', () => {
    const [apiKey, accessToken] = ['key-1', 'token-1'];
    assert.deepEqual(
      [undefined, {}, { apiKey }, { accessToken }, { apiKey, accessToken, refreshToken: 'refresh-1' }].map(
        (credential) => createCredentialHeaders(defaultCredentialHeaderNames, credential),
      ),
      [
        {},
        {},
        { 'x-api-key': 'key-1' },
        { Authorization: 'Bearer token-1' },
        { 'x-api-key': 'key-1', Authorization: 'Bearer token-1' },
      ],
    );
  });
});
