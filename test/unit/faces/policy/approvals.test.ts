import assert from 'node:assert/strict';
import { Approvals, formatApproval, getApprovalScope, isApproved } from '../../../../src/faces/policy/approvals.ts';

suite('face approvals', () => {
  test('approvals are stored by connection and origin, and revoked', async () => {
    const stored = new Map<string, unknown>();
    const store = {
      get: (key: string) => stored.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
    };
    const approvals = new Approvals(store);
    const scope = getApprovalScope({ name: 'A', baseUrl: 'https://a.example/v1' });
    const request = { kind: 'images', origin: 'https://cdn.example', sends: 'data' } as const;
    await approvals.allow(scope, request);
    assert.ok(
      isApproved(approvals.list(scope), request) && isApproved(approvals.list(scope), { ...request, sends: 'nothing' }),
    );
    assert.ok(!isApproved(approvals.list(scope), { ...request, kind: 'page' }));
    assert.ok(!isApproved(approvals.list(getApprovalScope({ name: 'A', baseUrl: 'https://b.example/v1' })), request));
    const [id = ''] = new Approvals(store).list(scope);
    assert.equal(formatApproval(id), 'Images from https://cdn.example (with object data)');
    await approvals.revoke(scope, id);
    assert.deepEqual([approvals.list(scope), stored.size], [[], 1]);
    await approvals.allow(scope, { ...request, sends: 'nothing' });
    assert.ok(!isApproved(approvals.list(scope), request));
    const page = { kind: 'page', origin: 'https://live.example', sends: 'id' } as const;
    await approvals.allow(scope, page);
    assert.deepEqual(
      (['nothing', 'id', 'data'] as const).map((sends) => isApproved(approvals.list(scope), { ...page, sends })),
      [true, true, false],
    );
    assert.equal(
      formatApproval(approvals.list(scope).at(-1) ?? ''),
      'Pages from https://live.example (with the ID of the object)',
    );
    stored.set('smartObjects.faces.allowed', { [scope]: 'nonsense' });
    assert.deepEqual(approvals.list(scope), []);
  });
});
