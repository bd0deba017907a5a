import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FrameWatch, UnconfirmedFrames } from '../../../src/faces/frame-watch.ts';

/** A page that receives pings, with a clock of its own. */
class Page {
  readonly unconfirmed: UnconfirmedFrames;
  readonly watch: FrameWatch;
  loaded = true;
  /** milliseconds */
  loadTime = 300;
  pings = 0;
  unresponsive = 0;
  isRunning = false;
  #tick = (): void => undefined;

  constructor(folder: string) {
    this.unconfirmed = new UnconfirmedFrames(folder);
    this.watch = new FrameWatch({
      unconfirmed: this.unconfirmed,
      ping: () => {
        if (this.loaded) this.pings++;
        return this.loaded && this.loadTime;
      },
      onUnresponsive: () => this.unresponsive++,
      repeat: (callback, interval) => {
        assert.equal(interval, 100);
        this.isRunning = true;
        this.#tick = callback;
        return () => {
          this.isRunning = false;
        };
      },
    });
  }

  /** Lets time pass, in milliseconds. */
  pass(milliseconds: number): void {
    for (let spent = 0; spent < milliseconds && this.isRunning; spent += 100) this.#tick();
  }
}

suite('frames that a page may not survive', () => {
  let folder = '';
  setup(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'frames-')), 'unconfirmed');
  });
  teardown(() => {
    fs.rmSync(path.dirname(folder), { recursive: true });
  });

  test('a page that responds after its frames have loaded is not asked any more', () => {
    const page = new Page(folder);
    page.watch.start(['a', 'b']);
    const stored = new UnconfirmedFrames(folder);
    assert.ok(stored.has('a') && stored.has('b'));
    assert.equal(page.watch.isUnresponsive('a'), false, 'it is being put in');
    page.pass(100);
    page.watch.handleResponse(false);
    page.pass(100);
    page.watch.handleResponse(true);
    assert.ok(stored.has('a'), 'the browser may not have drawn it yet');
    page.pass(100);
    page.watch.handleResponse(true);
    assert.deepEqual(fs.readdirSync(folder), []);
    assert.deepEqual([page.pings, page.isRunning, page.unresponsive], [3, false, 0]);
    page.watch.start(['a', 'b']);
    assert.equal(page.isRunning, false, 'the page has shown both');
    page.watch.start(['a', 'c']);
    assert.deepEqual(fs.readdirSync(folder), ['c']);
  });

  test('a page that does not respond for 3 seconds is reported once, and its frames are unresponsive from then on', () => {
    const page = new Page(folder);
    page.watch.start(['a']);
    page.pass(3000);
    assert.deepEqual([page.unresponsive, page.pings], [0, 1]);
    page.pass(100);
    assert.deepEqual([page.unresponsive, page.isRunning], [1, false]);
    assert.ok(page.watch.isUnresponsive('a'));
    // Also in a new panel, and after a start of the window.
    const next = new Page(folder);
    assert.ok(next.watch.isUnresponsive('a'));
    assert.equal(next.watch.isUnresponsive('b'), false);
    // The user requests it, and now the page responds.
    next.watch.start(['a']);
    for (let response = 0; response < 2; response++) {
      next.pass(100);
      next.watch.handleResponse(true);
    }
    assert.equal(new Page(folder).watch.isUnresponsive('a'), false);
  });

  test('each response starts the 3 seconds again; a page whose images load slowly is alive', () => {
    const page = new Page(folder);
    page.watch.start(['a']);
    for (let response = 0; response < 29; response++) {
      page.pass(2900);
      page.watch.handleResponse(false);
    }
    assert.deepEqual([page.unresponsive, page.isRunning], [0, true]);
    page.pass(100);
    page.watch.handleResponse(false);
    assert.deepEqual([page.unresponsive, page.isRunning], [0, false]);
    assert.equal(page.unconfirmed.has('a'), false);
  });

  test('a page that is loading is not asked', () => {
    const page = new Page(folder);
    page.loaded = false;
    page.watch.start(['a']);
    page.pass(10_000);
    assert.deepEqual([page.pings, page.unresponsive], [0, 0]);
    page.loaded = true;
    page.pass(3100);
    assert.equal(page.unresponsive, 1);
  });

  test('frames of a page or window that ended before it responded are unresponsive', () => {
    const page = new Page(folder);
    page.watch.start(['a']);
    assert.ok(new Page(folder).watch.isUnresponsive('a'), 'the window ended');
    page.pass(1200);
    assert.equal(page.watch.endPage(), true);
    assert.ok(page.watch.isUnresponsive('a'));
    assert.deepEqual([page.isRunning, page.watch.endPage()], [false, false]);
  });

  test('a page that has loaded slowly has more time to respond', () => {
    const page = new Page(folder);
    page.loadTime = 2000;
    page.watch.start(['a']);
    page.pass(1900);
    assert.equal(page.watch.endPage(), false, 'its messages may take that long');
    page.watch.start(['a']);
    page.pass(6000);
    assert.equal(page.unresponsive, 0);
    page.pass(100);
    assert.equal(page.unresponsive, 1);
  });

  test('frames of a page that is hidden while it responds are put in again, also in another panel', () => {
    const page = new Page(folder);
    page.watch.start(['a']);
    const other = new FrameWatch({ unconfirmed: page.unconfirmed, ping: () => 300, onUnresponsive: () => undefined });
    assert.equal(other.isUnresponsive('a'), false, 'the first page is putting it in');
    page.pass(500);
    page.watch.handleResponse(false);
    assert.equal(page.watch.endPage(), false);
    assert.deepEqual([page.watch.isUnresponsive('a'), other.isUnresponsive('a')], [false, false]);
  });
});
