import fs from 'node:fs';
import path from 'node:path';
import { writePrivateFileSync } from '../model/files/write-file.ts';

/** Interval at which the page is asked whether it is alive, in milliseconds. */
const INTERVAL_MS = 100;
/** Intervals without a response after which the page counts as unresponsive: 3 seconds in which the host was not blocked itself. */
const MAX_MISSED = 30;
/** Intervals without a response after which a page that is hidden or closed may have been unresponsive. */
const SUSPICIOUS_MISSED = 10;
/** Intervals that a slow machine or connection adds at most. */
const MAX_LOAD = 100;
/** Responses after all frames have loaded: the first can be sent before the browser has drawn them. */
const RESPONSES_WHEN_LOADED = 2;
/** Responses, if a frame does not finish loading, for example because of a slow image. */
const RESPONSES_WHILE_LOADING = 30;

/**
 * Remembers on disk which frames were put into a page and not confirmed yet: one empty file for each, by the hash of its
 * content. What a window leaves there when it ends did not respond, or ended too early to know.
 */
export class UnconfirmedFrames {
  readonly #folder: string;
  /** frames that pages of this window are putting in now */
  readonly #watched = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether the frame was put into a page that ended without confirming it. */
  has(frame: string): boolean {
    return !this.#watched.has(frame) && fs.existsSync(path.join(this.#folder, frame));
  }

  /** Adds frames before they are put into a page. Throws if the folder cannot be written. */
  add(frames: readonly string[]): void {
    // Synchronous: the window can become unresponsive as soon as it receives the frames.
    for (const frame of frames) {
      this.#watched.add(frame);
      writePrivateFileSync(path.join(this.#folder, frame), '');
    }
  }

  /** Removes confirmed frames. Throws if the folder cannot be written. */
  remove(frames: Iterable<string>): void {
    for (const frame of frames) {
      this.#watched.delete(frame);
      fs.rmSync(path.join(this.#folder, frame), { force: true });
    }
  }

  /** Keeps frames whose page did not respond. Throws if the folder cannot be written. */
  keep(frames: readonly string[]): void {
    // Another page may have confirmed them meanwhile.
    this.add(frames);
    for (const frame of frames) this.#watched.delete(frame);
  }
}

interface FrameWatchOptions {
  readonly unconfirmed: Pick<UnconfirmedFrames, 'has' | 'add' | 'remove' | 'keep'>;
  /** sends a question to the page; returns the milliseconds in which it has loaded, or false if it is not loaded */
  readonly ping: () => number | false;
  /** called when the page has not responded for 3 seconds, or for three times as long as it has loaded */
  readonly onUnresponsive: () => void;
  /** Calls back at the interval, in milliseconds, until the returned function is called. Default: `setInterval`. */
  readonly repeat?: (callback: () => void, interval: number) => () => void;
}

/** Asks the page of a preview whether it is alive after frames were put into it. */
export class FrameWatch {
  readonly #options: FrameWatchOptions;
  readonly #pending = new Set<string>();
  readonly #confirmed = new Set<string>();
  #stopTimer: (() => void) | undefined;
  #waiting = false;
  #missed = 0;
  /** intervals in which the page has loaded: it responds sooner */
  #load = 0;
  #responses = 0;
  #responsesWhenLoaded = 0;

  constructor(options: FrameWatchOptions) {
    this.#options = options;
  }

  /** Whether a page ended, or did not respond, with this frame. */
  isUnresponsive(frame: string): boolean {
    return !this.#pending.has(frame) && this.#options.unconfirmed.has(frame);
  }

  /** Call before frames are posted to the page. Frames that it has shown before are not watched again. */
  start(frames: readonly string[]): void {
    const added = frames.filter((frame) => !this.#pending.has(frame) && !this.#confirmed.has(frame));
    if (added.length === 0) return;
    this.#options.unconfirmed.add(added);
    for (const frame of added) this.#pending.add(frame);
    this.#waiting = false;
    this.#missed = 0;
    this.#responses = 0;
    this.#responsesWhenLoaded = 0;
    const repeat = this.#options.repeat ?? repeatWithTimer;
    this.#stopTimer ??= repeat(() => this.#check(), INTERVAL_MS);
  }

  /** Handles a response of the page; `loaded`: all its frames have loaded. */
  handleResponse(loaded: boolean): void {
    this.#waiting = false;
    this.#missed = 0;
    this.#responses++;
    if (loaded) this.#responsesWhenLoaded++;
    if (this.#responsesWhenLoaded < RESPONSES_WHEN_LOADED && this.#responses < RESPONSES_WHILE_LOADING) return;
    for (const frame of this.#pending) this.#confirmed.add(frame);
    this.endPage();
  }

  /**
   * Stops watching: the page is hidden or closed. Returns whether its frames count as unresponsive now: those of a page
   * that responded within the last second do not.
   */
  endPage(): boolean {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const frames = [...this.#pending];
    this.#pending.clear();
    const isSuspicious = frames.length > 0 && this.#missed >= Math.max(SUSPICIOUS_MISSED, this.#load);
    if (isSuspicious) this.#options.unconfirmed.keep(frames);
    else this.#options.unconfirmed.remove(frames);
    return isSuspicious;
  }

  #check(): void {
    if (this.#waiting) {
      if (++this.#missed >= Math.max(MAX_MISSED, 3 * this.#load) && this.endPage()) this.#options.onUnresponsive();
      return;
    }
    const loadTime = this.#options.ping();
    if (loadTime === false) return;
    this.#waiting = true;
    this.#load = Math.min(MAX_LOAD, loadTime / INTERVAL_MS);
  }
}

function repeatWithTimer(callback: () => void, interval: number): () => void {
  const timer = setInterval(callback, interval);
  return () => clearInterval(timer);
}
