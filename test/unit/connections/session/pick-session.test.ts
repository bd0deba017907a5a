/** The rows of the pickers of connections. */
import assert from 'node:assert/strict';
import { createSessionItems } from '../../../../src/connections/session/pick-session.ts';
import { createTestProfile } from '../../../support/platform-client.ts';
import { createTestSession } from '../support.ts';

suite('the picker of connections', () => {
  const create = (name: string, environment: 'staging' | 'production') =>
    createTestSession({ profile: { ...createTestProfile('https://shop.example'), name, environment } });
  const [live, backup, staging, testing] = [
    create('Live', 'production'),
    create('Backup', 'production'),
    create('Staging', 'staging'),
    create('Test', 'staging'),
  ];
  const labels = (active: typeof live | undefined): readonly string[] =>
    createSessionItems([backup, live, staging, testing], active).map(({ label }) => label);

  test('begins with the active connection, and ends with production', () => {
    assert.deepEqual(labels(testing), ['Test', 'Staging', 'Backup', 'Live']);
    assert.deepEqual(labels(undefined), ['Staging', 'Test', 'Backup', 'Live']);
  });

  test('does not begin with production if that is the active connection', () => {
    assert.deepEqual(labels(live), ['Staging', 'Test', 'Live', 'Backup']);
  });

  test('marks production and the active connection', () => {
    const descriptions = createSessionItems([staging, live], live).map(({ description }) => description);
    assert.deepEqual(descriptions, ['signed in', '$(warning) PRODUCTION · active · signed in']);
  });
});
