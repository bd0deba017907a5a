import assert from 'node:assert/strict';
import { formatFailureCount } from '../../../../../src/webviews/client/logs/header/feed-status.ts';
import type { FeedState } from '../../../../../src/webviews/protocol/logs.ts';

suite('logs: count of failures', () => {
  const feed: FeedState = {
    phase: 'live',
    paused: false,
    stale: [],
    loaded: 5,
    limit: 100,
    dropped: 0,
    complete: true,
    readingOlder: false,
    unreadable: 0,
  };

  test('excepts the connections that could not be read', () => {
    const stale = { ...feed, stale: ['P3 not signed in'] };
    assert.equal(formatFailureCount(0, 0, feed, false), 'No failures');
    assert.equal(formatFailureCount(0, 0, stale, false), 'No failures, but for what is stale');
    assert.equal(formatFailureCount(3, 2, feed, false), 'All 3 failures, in 2 groups');
    assert.equal(formatFailureCount(3, 2, stale, false), 'All 3 failures, in 2 groups, but for what is stale');
  });

  test('one failure is not called all', () => {
    assert.equal(formatFailureCount(1, 1, feed, false), '1 failure, in one group');
  });
});
