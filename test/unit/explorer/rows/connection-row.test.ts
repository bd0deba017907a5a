/** The row of a connection: its state in words, for the eye and for screen readers. */
import assert from 'node:assert/strict';
import { getPresentation } from '../../../../src/explorer/rows/row-presentation.ts';
import { readProfiles } from '../../../../src/connections/profiles/read-profiles.ts';
import type { Session } from '../../../../src/model/session/session.ts';

suite('the row of a connection', () => {
  const present = (
    active: string,
    state: Partial<Pick<Session, 'signedOutReason' | 'expired' | 'waitingUntil'>> = {},
  ) => {
    const [profile] = readProfiles(
      [{ name: 'Shop', baseUrl: 'https://shop.example', environment: 'production' }],
      undefined,
    ).profiles;
    assert.ok(profile);
    // The presentation reads nothing else of a session.
    const session = { profile, signedOutReason: undefined, expired: false, ...state } as Session;
    return getPresentation(
      { type: 'connection', key: 'Shop', connection: 'Shop' },
      {
        definitions: {},
        now: 0,
        session: () => session,
        active,
        getTitle: () => () => undefined,
        getLabel: () => undefined,
      },
    );
  };

  test('the active connection is marked in its description, icon and accessible name', () => {
    const active = present('Shop');
    assert.equal(active.description, 'PRODUCTION · active');
    assert.equal(active.accessibleLabel, 'Shop, active connection, PRODUCTION');
    const other = present('Other');
    assert.equal(other.description, 'PRODUCTION');
    assert.equal(other.accessibleLabel, 'Shop, PRODUCTION');
    assert.notDeepEqual(active.icon, other.icon);
  });

  test('a wait that the platform asked for counts down, and is no problem', () => {
    const waiting = present('Shop', { waitingUntil: 6_200 });
    assert.equal(waiting.description, 'PRODUCTION · active · waiting 7 s, asked by the platform');
    assert.equal(waiting.accessibleLabel, 'Shop, active connection, PRODUCTION, waiting 7 s, asked by the platform');
    assert.deepEqual(waiting.icon, present('Shop').icon);
    assert.equal(present('Shop', { waitingUntil: 0 }).description, 'PRODUCTION · active');
  });

  test('an ended session is named', () => {
    assert.equal(present('Shop', { expired: true }).description, 'PRODUCTION · active · session expired');
    assert.equal(present('Other', { signedOutReason: 'Not signed in' }).description, 'PRODUCTION · not signed in');
  });
});
