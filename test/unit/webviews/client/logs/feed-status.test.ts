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
    assert.equal(formatFailureCount(0, 0, stale, false), 'No failures · some connections are not up to date');
    assert.equal(formatFailureCount(3, 2, feed, false), '3 failures · 2 groups');
    assert.equal(formatFailureCount(3, 2, stale, false), '3 failures · 2 groups · some connections are not up to date');
  });

  test('says whether older entries are missing', () => {
    assert.equal(formatFailureCount(1, 1, feed, false), '1 failure · 1 group');
    const incomplete = { ...feed, complete: false };
    assert.equal(formatFailureCount(1, 1, incomplete, false), '1 failure · 1 group · older entries are not loaded');
  });
});
