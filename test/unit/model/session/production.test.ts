/** Production is known by its address, whatever name that is written with. */
import assert from 'node:assert/strict';
import { markProduction } from '../../../../src/model/session/production.ts';
import type { Profile } from '../../../../src/model/session/session.ts';

const isProduction = (baseUrl: string, known: string): boolean => {
  const profile: Pick<Profile, 'baseUrl' | 'environment'> = { baseUrl, environment: 'sandbox' };
  return markProduction(profile, [{ baseUrl: known, environment: 'production' }]).environment === 'production';
};

suite('addresses of production', () => {
  test('are the same under another name of the host', () => {
    for (const [baseUrl, known] of [
      ['https://api.example./v1', 'https://API.example/v1/'],
      ['https://api.example:443/v1', 'https://api.example./v1'],
      ['http://127.0.0.1:8080', 'http://localhost.:8080/'],
      ['http://0.0.0.0:8080', 'http://127.0.0.1:8080'],
      ['http://[::]:8080', 'http://127.0.0.1:8080'],
      ['http://[::1]:8080', 'http://[::ffff:127.0.0.1]:8080'],
    ] as const)
      assert.equal(isProduction(baseUrl, known), true, baseUrl);
  });

  test('differ by port, path, scheme or host', () => {
    for (const baseUrl of [
      'https://api.example:8443/v1',
      'https://api.example/v2',
      'https://api.example',
      'http://api.example/v1',
      'https://api.example.com/v1',
    ])
      assert.equal(isProduction(baseUrl, 'https://api.example/v1'), false, baseUrl);
  });
});
