import assert from 'node:assert/strict';
import { HighlightTracker } from '../../../src/ui/highlight.ts';

suite('ui: highlighted item of a list that changes', () => {
  test('an item that the editor highlighted is not kept, even if its event arrives late', () => {
    const highlight = new HighlightTracker();
    highlight.reset(undefined);
    assert.equal(highlight.show(['open'], undefined), undefined);
    highlight.reset(undefined);
    assert.equal(highlight.show(['scan', 'open'], undefined), undefined);
    // The event of the first list.
    assert.equal(highlight.show(['hit', 'scan', 'open'], 'open'), undefined);
    assert.equal(highlight.show(['hit', 'other', 'scan'], 'scan'), undefined);
    assert.equal(highlight.show(['new', 'hit'], 'hit'), undefined);
  });

  test('an item that the user moved to stays, until text is typed or it disappears', () => {
    const highlight = new HighlightTracker();
    highlight.show(['first', 'second', 'third'], undefined);
    assert.equal(highlight.show(['new', 'first', 'second'], 'second'), 'second');
    assert.equal(highlight.show(['new', 'first'], 'second'), undefined);
    // An item that was the first one before the editor showed the last list.
    highlight.report('new');
    assert.equal(highlight.show(['newest', 'new', 'first'], 'first'), 'first');
    highlight.reset('second');
    assert.equal(highlight.show(['other', 'second'], undefined), undefined);
    assert.equal(highlight.show(['other', 'second', 'third'], 'second'), undefined);
  });

  test('the first item of a list, which the editor reports before the kept one, is not taken for it', () => {
    const highlight = new HighlightTracker();
    highlight.show(['first', 'second'], undefined);
    highlight.report('first');
    assert.equal(highlight.isRestoring, false);
    highlight.report('second');
    assert.equal(highlight.show(['first', 'second', 'third'], 'second'), 'second');
    highlight.report('first');
    assert.equal(highlight.isRestoring, true);
    assert.equal(highlight.show(['first', 'second', 'third', 'fourth'], 'first'), 'second');
    highlight.report('first');
    highlight.report('second');
    assert.equal(highlight.isRestoring, false);
    // The user moved on while another list was shown.
    assert.equal(highlight.show(['new', 'first', 'second', 'third'], 'second'), 'second');
    highlight.report('third');
    assert.equal(highlight.show(['newest', 'first', 'second', 'third'], 'third'), 'third');
  });
});
