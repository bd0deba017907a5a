import * as l10n from '@vscode/l10n';
import { replaceChildren, h } from '../../dom.ts';
import {
  DAY_MS,
  getBucketIndex,
  getTicks,
  buildHistogram,
  tones,
  type Bucket,
  type Histogram,
  type Tone,
} from './histogram.ts';
import type { Brush, LoadedRow } from '../table/rows-model.ts';
import { formatList, pluralize } from '../../../../platform/text/localization.ts';
import { formatTick, formatTime } from '../time.ts';
import { formatStatus } from '../../../../model/text/status.ts';

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 44;
const BAR = 7;
const TICK = 110;

/** The statuses in words. */
export const toneLabels: Readonly<Record<Tone, string>> = {
  completed: formatStatus('completed'),
  failed: formatStatus('failed'),
  pending: formatStatus('pending'),
  other: l10n.t('other'),
};

const COUNT_MESSAGES: Readonly<Record<Tone, string>> = {
  completed: l10n.t('{0} completed|{0} completed'),
  failed: l10n.t('{0} failed|{0} failed'),
  pending: l10n.t('{0} pending|{0} pending'),
  other: l10n.t('{0} other|{0} other'),
};

/** Formats the counts of a bar as `3 completed, 1 failed`; empty without entries. */
function formatBucketCounts(counts: Bucket['counts']): string {
  const counted = tones.filter((tone) => counts[tone] > 0);
  return formatList(
    counted.map((tone) => pluralize(counts[tone], COUNT_MESSAGES[tone])),
    'unit',
  );
}

/** A histogram by status in which a time range is selected with the pointer or the keyboard. */
export class Chart {
  readonly element: HTMLElement;
  readonly #svg = document.createElementNS(SVG, 'svg');
  readonly #ticks = h('span', { class: 'ticks', 'aria-hidden': 'true' });
  readonly #readout = h('span', { class: 'readout' });
  readonly #onBrush: (brush: Brush | undefined) => void;
  #histogram: Histogram = { buckets: [], width: 1, maxTotal: 0 };
  #brush: Brush | undefined;
  /** keyboard cursor and the other end of its selection, in milliseconds since the epoch: bars move when entries arrive */
  #cursor: number | undefined;
  #anchor: number | undefined;
  #dragStart: number | undefined;

  constructor(onBrush: (brush: Brush | undefined) => void) {
    this.#onBrush = onBrush;
    this.#svg.setAttribute('preserveAspectRatio', 'none');
    this.#svg.setAttribute('aria-hidden', 'true');
    this.element = h(
      'div',
      {
        class: 'chart',
        role: 'slider',
        tabindex: 0,
        'aria-label': l10n.t(
          'Action logs over time. Use the arrow keys to move, Shift with an arrow key to select a time range, Enter to apply it, and Escape to reset it',
        ),
        'aria-valuemin': 0,
        'data-name': 'chart',
        on: {
          pointerdown: (event) => {
            if (event.button !== 0) return;
            this.#dragStart = this.#bucketAt(event);
            this.element.setPointerCapture(event.pointerId);
          },
          pointermove: (event) => {
            const at = this.#bucketAt(event);
            this.#showReadout(at);
            if (this.#dragStart !== undefined) this.#mark(this.#dragStart, at);
          },
          pointerup: (event) => {
            const from = this.#dragStart;
            this.#dragStart = undefined;
            if (from !== undefined) this.#selectRange(from, this.#bucketAt(event));
          },
          pointercancel: () => {
            this.#dragStart = undefined;
            this.#render();
          },
          pointerleave: () => this.#showReadout(undefined),
          keydown: (event) => this.#onKeydown(event),
        },
      },
      h('div', { class: 'plot' }),
      h('div', { class: 'axis muted' }, this.#ticks, this.#readout),
    );
    this.element.querySelector('.plot')?.append(this.#svg);
  }

  /** Shows rows, oldest first, and the selected range. */
  show(found: readonly LoadedRow[], brush: Brush | undefined): void {
    // The bars stay in place while dragging.
    if (this.#dragStart !== undefined) return;
    const width = this.element.clientWidth || 600;
    this.#histogram = buildHistogram(found, Math.max(10, Math.min(160, Math.floor(width / BAR))));
    this.#brush = brush;
    this.element.hidden = this.#histogram.buckets.length === 0;
    this.#render();
  }

  #render(): void {
    const { buckets, maxTotal, width } = this.#histogram;
    this.#svg.setAttribute('viewBox', `0 0 ${Math.max(1, buckets.length)} ${HEIGHT}`);
    const parts: SVGElement[] = [];
    const at = this.#getIndex(this.#cursor);
    const anchor = this.#getIndex(this.#anchor);
    buckets.forEach((bucket, index) => {
      let top = HEIGHT;
      for (const tone of tones) {
        const value = bucket.counts[tone];
        if (value === 0) continue;
        // A minimum height keeps small counts visible.
        const height = Math.max(2, (value / maxTotal) * (HEIGHT - 2));
        top -= height;
        const bar = document.createElementNS(SVG, 'rect');
        for (const [name, attribute] of Object.entries({ x: index + 0.08, y: top, width: 0.84, height }))
          bar.setAttribute(name, String(attribute));
        bar.setAttribute('class', `bar ${tone}${this.#isOutside(bucket, width) ? ' outside' : ''}`);
        parts.push(bar);
      }
      if (index === at) parts.push(createRect(index, 1, 'at'));
    });
    this.#svg.replaceChildren(...parts);
    this.#renderTicks();
    this.element.setAttribute('aria-valuemax', String(Math.max(0, buckets.length - 1)));
    // Keys begin at the last bar.
    this.element.setAttribute('aria-valuenow', String(at ?? Math.max(0, buckets.length - 1)));
    this.element.setAttribute('aria-valuetext', this.#formatValue(at ?? buckets.length - 1, anchor));
    this.#showReadout(at);
    if (at !== undefined && anchor !== undefined) this.#mark(anchor, at);
  }

  #renderTicks(): void {
    const { buckets, width } = this.#histogram;
    const from = buckets[0]?.from ?? 0;
    const length = buckets.length * width;
    const { ticks, step } = getTicks(
      this.#histogram,
      Math.max(1, Math.floor((this.element.clientWidth || 600) / TICK)),
    );
    // A label is to the right of its tick, and has no place at the end.
    const labelPart = (step < DAY_MS ? 100 : 50) / (this.element.clientWidth || 600);
    const fitting = ticks.filter(({ time }) => time === ticks[0]?.time || (time - from) / length < 1 - labelPart);
    replaceChildren(
      this.#ticks,
      ...fitting.map(({ time, isMidnight }, index) =>
        h(
          'span',
          { style: { left: `${String(((time - from) / length) * 100)}%` } },
          formatTick(time, isMidnight ? Math.max(step, DAY_MS) : step, index === 0),
        ),
      ),
    );
  }

  #getIndex(moment: number | undefined): number | undefined {
    return moment === undefined ? undefined : getBucketIndex(this.#histogram, moment);
  }

  #isOutside({ from }: Bucket, width: number): boolean {
    return this.#brush !== undefined && (from + width <= this.#brush.from || from >= this.#brush.to);
  }

  #mark(one: number, other: number): void {
    this.#svg.querySelectorAll('.mark').forEach((mark) => mark.remove());
    this.#svg.append(createRect(Math.min(one, other), Math.abs(one - other) + 1, 'mark'));
  }

  /** Selects a range of bars. A click while a range is selected clears it. */
  #selectRange(one: number, other: number): void {
    const range = this.#getRange(one, other);
    this.#anchor = undefined;
    if (range !== undefined) this.#onBrush(one === other && this.#brush !== undefined ? undefined : range);
  }

  #bucketAt(event: PointerEvent): number {
    const { left, width } = this.#svg.getBoundingClientRect();
    const last = Math.max(0, this.#histogram.buckets.length - 1);
    return Math.max(0, Math.min(last, Math.floor(((event.clientX - left) / width) * (last + 1))));
  }

  #showReadout(at: number | undefined): void {
    this.#readout.textContent = at === undefined ? '' : this.#formatBucket(at);
  }

  #formatBucket(at: number): string {
    const bucket = this.#histogram.buckets[at];
    if (bucket === undefined) return '';
    const counts = formatBucketCounts(bucket.counts) || l10n.t('no entries');
    return l10n.t('{0}: {1}', formatTime(bucket.from, this.#histogram.width < 1000), counts);
  }

  /** For screen readers: the bar at the cursor, the range that is being selected, and that of the filter. */
  #formatValue(at: number, anchor: number | undefined): string {
    const selected = anchor === undefined ? undefined : this.#getRange(anchor, at);
    const format = (time: number): string => formatTime(time, this.#histogram.width < 1000);
    if (selected !== undefined)
      return l10n.t('Selected: {0} – {1}. Press Enter to apply.', format(selected.from), format(selected.to));
    const bucket = this.#formatBucket(at);
    if (this.#brush === undefined) return bucket;
    const { from, to } = this.#brush;
    return l10n.t('{0}. Filter: {1} – {2}. Press Escape to reset.', bucket, format(from), format(to));
  }

  #getRange(one: number, other: number): Brush | undefined {
    const { buckets, width } = this.#histogram;
    const [from, to] = [buckets[Math.min(one, other)], buckets[Math.max(one, other)]];
    return from === undefined || to === undefined ? undefined : { from: from.from, to: to.from + width };
  }

  #onKeydown(event: KeyboardEvent): void {
    const { buckets } = this.#histogram;
    const last = buckets.length - 1;
    const at = this.#getIndex(this.#cursor) ?? last;
    const steps: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    const to = steps[event.key];
    if (to !== undefined) {
      this.#anchor = event.shiftKey ? (this.#anchor ?? buckets[at]?.from) : undefined;
      this.#cursor = buckets[Math.max(0, Math.min(last, to))]?.from;
      this.#render();
    } else if (event.key === 'Enter') {
      this.#selectRange(this.#getIndex(this.#anchor) ?? at, at);
    } else if (event.key === 'Escape') {
      this.#anchor = undefined;
      this.#onBrush(undefined);
    } else return;
    event.preventDefault();
  }
}

function createRect(x: number, width: number, name: string): SVGElement {
  const rect = document.createElementNS(SVG, 'rect');
  for (const [attribute, value] of Object.entries({ x, y: 0, width, height: HEIGHT }))
    rect.setAttribute(attribute, String(value));
  rect.setAttribute('class', name);
  return rect;
}
