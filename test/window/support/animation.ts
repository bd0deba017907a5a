/** Records a window as an animated GIF, with a drawn mouse pointer. */
import gifenc from 'gifenc';
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';

const POINTER_ID = 'recorded-pointer';
const POINTER_STEPS = 8;
const POINTER_STEP_DURATION = 40;
/** The last index of the palette stands for a pixel that did not change. */
const UNCHANGED = 255;

interface Frame {
  readonly rgba: Uint8Array;
  /** milliseconds */
  delay: number;
}

export class Animation {
  readonly #page: Page;
  readonly #frames: Frame[] = [];
  #width = 0;
  #height = 0;
  #pointer = { x: 0, y: 0 };

  constructor(page: Page) {
    this.#page = page;
  }

  /** Adds the window as it is, shown for `delay` milliseconds; an unchanged window prolongs the last frame. */
  async capture(delay: number): Promise<void> {
    const { data, width, height } = PNG.sync.read(await this.#page.screenshot());
    [this.#width, this.#height] = [width, height];
    const last = this.#frames.at(-1);
    if (last !== undefined && data.equals(last.rgba)) last.delay += delay;
    else this.#frames.push({ rgba: data, delay });
  }

  /** Captures, at the speed of the window, until `target` is visible. Rejects after 30 s. */
  async captureUntil(target: Locator): Promise<void> {
    const end = Date.now() + 30_000;
    while (!(await target.isVisible())) {
      const start = Date.now();
      if (start > end) throw new Error(`not visible: ${String(target)}`);
      await this.capture(0);
      const frame = this.#frames.at(-1);
      if (frame !== undefined) frame.delay += Date.now() - start;
    }
  }

  /** Puts the pointer at a place of the window. */
  async placePointer(x: number, y: number): Promise<void> {
    this.#pointer = { x, y };
    await this.#page.evaluate(
      ([left, top, id]) => {
        let pointer = document.getElementById(id);
        if (pointer === null) {
          pointer = document.createElement('div');
          pointer.id = id;
          const arrow = 'polygon(0 0, 0 80%, 24% 62%, 40% 100%, 56% 92%, 40% 56%, 72% 56%)';
          Object.assign(pointer.style, {
            position: 'fixed',
            width: '18px',
            height: '22px',
            zIndex: '100000',
            pointerEvents: 'none',
            background: 'white',
            clipPath: arrow,
          });
          document.body.append(pointer);
        }
        pointer.style.left = `${String(left)}px`;
        pointer.style.top = `${String(top)}px`;
      },
      [x, y, POINTER_ID] as const,
    );
  }

  /** Moves the pointer to the middle of `target` and clicks. */
  async click(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    if (box === null) throw new Error(`not visible: ${String(target)}`);
    const { x, y } = this.#pointer;
    const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    for (let step = 1; step <= POINTER_STEPS; step++) {
      // Slower at both ends.
      const part = (1 - Math.cos((Math.PI * step) / POINTER_STEPS)) / 2;
      await this.placePointer(x + (to.x - x) * part, y + (to.y - y) * part);
      await this.capture(POINTER_STEP_DURATION);
    }
    await this.capture(400);
    await target.click();
  }

  /** Removes the pointer. */
  async removePointer(): Promise<void> {
    await this.#page.evaluate((id) => {
      document.getElementById(id)?.remove();
    }, POINTER_ID);
  }

  /** The GIF, repeated for ever. */
  encode(): Uint8Array {
    const palette = gifenc.quantize(this.#sample(), UNCHANGED);
    while (palette.length <= UNCHANGED) palette.push([0, 0, 0]);
    const colors = palette.slice(0, UNCHANGED);
    const gif = gifenc.GIFEncoder();
    let shown: Uint8Array | undefined;
    for (const { rgba, delay } of this.#frames) {
      const index = gifenc.applyPalette(rgba, colors);
      const previous = shown;
      const changes =
        previous === undefined ? index : index.map((color, at) => (color === previous[at] ? UNCHANGED : color));
      gif.writeFrame(changes, this.#width, this.#height, {
        ...(previous === undefined && { palette }),
        delay,
        transparent: previous !== undefined,
        transparentIndex: UNCHANGED,
        dispose: 1,
      });
      shown = index;
    }
    gif.finish();
    return gif.bytes();
  }

  /** Pixels of frames from beginning to end, for one palette. */
  #sample(): Uint8Array {
    const chosen = this.#frames.filter((_frame, at) => at % 8 === 0 || at === this.#frames.length - 1);
    return Uint8Array.from(Buffer.concat(chosen.map(({ rgba }) => rgba)));
  }
}
