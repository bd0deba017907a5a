/** The histogram: bars by status over time, and a range that is brushed with the pointer or the keyboard. */
import { fill, h } from '../kit.ts';
import { bucketOf, histogramOf, tones, type Bucket, type Histogram } from './histogram.ts';
import type { Brush, Loaded } from './model.ts';
import { count, timeText } from './words.ts';

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 44;
const BAR = 7;

export class Chart {
  readonly element: HTMLElement;
  readonly #svg = document.createElementNS(SVG, 'svg');
  readonly #from = h('span', {});
  readonly #to = h('span', {});
  readonly #said = h('span', { class: 'said' });
  readonly #brushed: (brush: Brush | undefined) => void;
  #histogram: Histogram = { buckets: [], width: 1, most: 0 };
  #brush: Brush | undefined;
  /** where the keyboard is, and the other end of what it marks; moments, for the bars are others when entries come */
  #at: number | undefined;
  #anchor: number | undefined;
  #dragged: number | undefined;

  constructor(brushed: (brush: Brush | undefined) => void) {
    this.#brushed = brushed;
    this.#svg.setAttribute('preserveAspectRatio', 'none');
    this.#svg.setAttribute('aria-hidden', 'true');
    this.element = h(
      'div',
      {
        class: 'chart',
        role: 'slider',
        tabindex: 0,
        'aria-label':
          'Entries over time. Arrow keys move, with Shift they mark a range, Enter shows it, Escape shows all',
        'aria-valuemin': 0,
        'data-name': 'chart',
        on: {
          pointerdown: (event) => {
            if (event.button !== 0) return;
            this.#dragged = this.#bucketAt(event);
            this.element.setPointerCapture(event.pointerId);
          },
          pointermove: (event) => {
            const at = this.#bucketAt(event);
            this.#say(at);
            if (this.#dragged !== undefined) this.#mark(this.#dragged, at);
          },
          pointerup: (event) => {
            const from = this.#dragged;
            this.#dragged = undefined;
            if (from !== undefined) this.#done(from, this.#bucketAt(event));
          },
          pointercancel: () => {
            this.#dragged = undefined;
            this.#draw();
          },
          pointerleave: () => {
            this.#say(undefined);
          },
          keydown: (event) => {
            this.#key(event);
          },
        },
      },
      h('div', { class: 'plot' }),
      h('div', { class: 'axis muted' }, this.#from, this.#said, this.#to),
    );
    this.element.querySelector('.plot')?.append(this.#svg);
  }

  show(found: readonly Loaded[], brush: Brush | undefined): void {
    // The bars do not move under a finger.
    if (this.#dragged !== undefined) return;
    const width = this.element.clientWidth || 600;
    this.#histogram = histogramOf(found, Math.max(10, Math.min(160, Math.floor(width / BAR))));
    this.#brush = brush;
    this.element.hidden = this.#histogram.buckets.length === 0;
    this.#draw();
  }

  #draw(): void {
    const { buckets, most, width } = this.#histogram;
    this.#svg.setAttribute('viewBox', `0 0 ${Math.max(1, buckets.length)} ${HEIGHT}`);
    const parts: SVGElement[] = [];
    const at = this.#place(this.#at);
    const anchor = this.#place(this.#anchor);
    buckets.forEach((bucket, index) => {
      let top = HEIGHT;
      for (const tone of tones) {
        const value = bucket.counts[tone];
        if (value === 0) continue;
        // What is there is seen, however many stand beside it.
        const height = Math.max(2, (value / most) * (HEIGHT - 2));
        top -= height;
        const bar = document.createElementNS(SVG, 'rect');
        for (const [name, attribute] of Object.entries({ x: index + 0.08, y: top, width: 0.84, height }))
          bar.setAttribute(name, String(attribute));
        bar.setAttribute('class', `bar ${tone}${this.#isOutside(bucket, width) ? ' outside' : ''}`);
        parts.push(bar);
      }
      if (index === at) parts.push(block(index, 1, 'at'));
    });
    this.#svg.replaceChildren(...parts);
    const first = buckets[0];
    const last = buckets.at(-1);
    this.#from.textContent = first === undefined ? '' : timeText(first.from, width < 1000);
    this.#to.textContent = last === undefined ? '' : timeText(last.from + width, width < 1000);
    this.element.setAttribute('aria-valuemax', String(Math.max(0, buckets.length - 1)));
    this.element.setAttribute('aria-valuenow', String(at ?? 0));
    this.#say(at);
    if (at !== undefined && anchor !== undefined) this.#mark(anchor, at);
  }

  #place(moment: number | undefined): number | undefined {
    return moment === undefined ? undefined : bucketOf(this.#histogram, moment);
  }

  #isOutside({ from }: Bucket, width: number): boolean {
    return this.#brush !== undefined && (from + width <= this.#brush.from || from >= this.#brush.to);
  }

  #mark(one: number, other: number): void {
    this.#svg.querySelectorAll('.mark').forEach((mark) => {
      mark.remove();
    });
    this.#svg.append(block(Math.min(one, other), Math.abs(one - other) + 1, 'mark'));
  }

  /** A click on a brushed chart shows all again. */
  #done(one: number, other: number): void {
    const { buckets, width } = this.#histogram;
    const [from, to] = [buckets[Math.min(one, other)], buckets[Math.max(one, other)]];
    this.#anchor = undefined;
    if (from === undefined || to === undefined) return;
    this.#brushed(one === other && this.#brush !== undefined ? undefined : { from: from.from, to: to.from + width });
  }

  #bucketAt(event: PointerEvent): number {
    const { left, width } = this.#svg.getBoundingClientRect();
    const last = Math.max(0, this.#histogram.buckets.length - 1);
    return Math.max(0, Math.min(last, Math.floor(((event.clientX - left) / width) * (last + 1))));
  }

  #say(at: number | undefined): void {
    const bucket = at === undefined ? undefined : this.#histogram.buckets[at];
    const text =
      bucket === undefined
        ? ''
        : `${timeText(bucket.from, this.#histogram.width < 1000)}: ${
            tones
              .filter((tone) => bucket.counts[tone] > 0)
              .map((tone) => `${count(bucket.counts[tone])} ${tone}`)
              .join(', ') || 'none'
          }`;
    this.#said.textContent = text;
    this.element.setAttribute('aria-valuetext', text);
  }

  #key(event: KeyboardEvent): void {
    const { buckets } = this.#histogram;
    const last = buckets.length - 1;
    const at = this.#place(this.#at) ?? last;
    const steps: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    const to = steps[event.key];
    if (to !== undefined) {
      this.#anchor = event.shiftKey ? (this.#anchor ?? buckets[at]?.from) : undefined;
      this.#at = buckets[Math.max(0, Math.min(last, to))]?.from;
      this.#draw();
    } else if (event.key === 'Enter') {
      this.#done(this.#place(this.#anchor) ?? at, at);
    } else if (event.key === 'Escape') {
      this.#anchor = undefined;
      this.#brushed(undefined);
    } else return;
    event.preventDefault();
  }
}

function block(x: number, width: number, name: string): SVGElement {
  const rect = document.createElementNS(SVG, 'rect');
  for (const [attribute, value] of Object.entries({ x, y: 0, width, height: HEIGHT }))
    rect.setAttribute(attribute, String(value));
  rect.setAttribute('class', name);
  return rect;
}

/** For the legend. */
export function legend(): HTMLElement {
  const list = h('span', { class: 'legend muted', 'aria-hidden': 'true' });
  fill(list, ...tones.map((tone) => h('span', { class: tone }, tone)));
  return list;
}
