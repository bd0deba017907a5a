/** Small, valid pictures made in code: SVG cards, PNG gradients and JPEG mosaics. */
import { crc32, deflateSync } from 'node:zlib';

export type Colour = readonly [number, number, number];

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

const blend = (from: number, to: number, share: number): number => Math.round(from + (to - from) * share);

/** A diagonal gradient with a lighter disc. */
export function png(width: number, height: number, from: Colour, to: Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const share = (x / width + y / height) / 2;
      const disc = Math.hypot(x - width * 0.68, y - height * 0.36) < Math.min(width, height) * 0.2 ? 0.35 : 0;
      const place = y * (1 + width * 3) + 1 + x * 3;
      for (const channel of [0, 1, 2] as const) {
        const plain = blend(from[channel], to[channel], share);
        rows[place + channel] = blend(plain, 255, disc);
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One Huffman code of four bits for each of the sizes 0 to 11; that is all a mosaic of flat blocks needs. */
const DC_SIZES = 12;

class Bits {
  readonly bytes: number[] = [];
  #held = 0;
  #count = 0;

  push(value: number, length: number): void {
    for (let bit = length - 1; bit >= 0; bit--) {
      this.#held = (this.#held << 1) | ((value >> bit) & 1);
      if (++this.#count < 8) continue;
      this.bytes.push(this.#held);
      if (this.#held === 0xff) this.bytes.push(0);
      this.#held = 0;
      this.#count = 0;
    }
  }

  end(): void {
    while (this.#count > 0) this.push(1, 1);
  }
}

function segment(marker: number, data: readonly number[]): number[] {
  const length = data.length + 2;
  return [0xff, marker, length >> 8, length & 0xff, ...data];
}

/** A baseline JPEG of flat 8×8 blocks, `blocks` a side, running from one colour to the other. */
export function jpeg(blocks: number, from: Colour, to: Colour): Buffer {
  const side = blocks * 8;
  const bits = new Bits();
  const before = [0, 0, 0];
  for (let block = 0; block < blocks * blocks; block++) {
    const share = ((block % blocks) + Math.floor(block / blocks)) / (2 * (blocks - 1 || 1));
    const [r, g, b] = [0, 1, 2].map((channel) => blend(from[channel] ?? 0, to[channel] ?? 0, share));
    const [red, green, blue] = [r ?? 0, g ?? 0, b ?? 0];
    const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
    const planes = [luma - 128, (blue - luma) * 0.564, (red - luma) * 0.713];
    planes.forEach((level, plane) => {
      // Eight times the level is the block's first coefficient; the table divides by eight again.
      const value = Math.max(-128, Math.min(127, Math.round(level)));
      const step = value - (before[plane] ?? 0);
      before[plane] = value;
      const size = step === 0 ? 0 : Math.floor(Math.log2(Math.abs(step))) + 1;
      bits.push(size, 4);
      if (size > 0) bits.push(step > 0 ? step : step + (1 << size) - 1, size);
      bits.push(0, 1); // end of block
    });
  }
  bits.end();
  const sizes = Array.from({ length: DC_SIZES }, (_, size) => size);
  const codes = (lengths: readonly number[]): number[] => Array.from({ length: 16 }, (_, at) => lengths[at] ?? 0);
  return Buffer.from([
    0xff, 0xd8,
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]),
    ...segment(0xc0, [8, side >> 8, side & 0xff, side >> 8, side & 0xff, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
    ...segment(0xc4, [0x00, ...codes([0, 0, 0, DC_SIZES]), ...sizes]),
    ...segment(0xc4, [0x10, ...codes([1]), 0]),
    ...segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    ...bits.bytes,
    0xff, 0xd9,
  ]); // prettier-ignore
}

/** A poster: gradient, hills or waves, and a title. */
export function poster(title: string, from: string, to: string, shape: number): string {
  const ridge =
    shape % 3 === 0
      ? 'M0 210 Q60 180 120 210 T240 210 T360 210 V300 H0Z M0 235 Q60 205 120 235 T240 235 T360 235 V300 H0Z'
      : shape % 3 === 1
        ? 'M0 240 L70 130 L120 190 L190 90 L260 200 L300 160 L360 230 V300 H0Z'
        : 'M60 220 a70 70 0 1 1 140 0 Z M170 240 a55 55 0 1 1 110 0 Z M0 240 H360 V300 H0Z';
  const safe = title.replace(/[&<>]/g, ' ');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 300" width="360" height="300">` +
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${from}"/>` +
    `<stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="360" height="300" rx="22" fill="url(#g)"/>` +
    `<circle cx="272" cy="78" r="34" fill="#fff" opacity=".35"/><path d="${ridge}" fill="#fff" opacity=".22"/>` +
    `<text x="26" y="272" font-family="system-ui,sans-serif" font-size="22" font-weight="600" fill="#fff">${safe}</text></svg>`
  );
}
