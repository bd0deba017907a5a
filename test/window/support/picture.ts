/** Pictures that ship: parts of a window in few colours, which text needs no more of, as PNG with a palette. */
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Takes a part of the window, without bars of progress. `maxColors`: up to 16 take four bits for each pixel, up to 256 a byte. */
export async function takePicture(page: Page, clip: Clip, maxColors = 16): Promise<Buffer> {
  const style = '.monaco-progress-container { visibility: hidden }';
  const { data, width, height } = PNG.sync.read(await page.screenshot({ clip, style }));
  const colors = Array.from({ length: width * height }, (_, at) => data.readUInt32BE(at * 4) >>> 8);
  const palette = choosePalette(colors, maxColors);
  const indexes = new Map<number, number>();
  for (const color of new Set(colors)) {
    const differences = palette.map((other) => compareColors(color, other));
    indexes.set(color, differences.indexOf(Math.min(...differences)));
  }
  const bits = maxColors > 16 ? 8 : 4;
  const bytesPerRow = 1 + Math.ceil((width * bits) / 8);
  const pixels = Buffer.alloc(bytesPerRow * height);
  for (const [at, color] of colors.entries()) {
    const bit = (at % width) * bits;
    const byte = Math.floor(at / width) * bytesPerRow + 1 + Math.floor(bit / 8);
    pixels.writeUInt8(pixels.readUInt8(byte) | ((indexes.get(color) ?? 0) << (8 - bits - (bit % 8))), byte);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, 3], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    createChunk('IHDR', header),
    createChunk('PLTE', Buffer.from(palette.flatMap((color) => [color >>> 16, (color >>> 8) & 0xff, color & 0xff]))),
    createChunk('IDAT', deflateSync(pixels, { level: 9, memLevel: 9 })),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Chooses colours one after the other: the one that is the most frequent and the least like those chosen before. */
function choosePalette(colors: readonly number[], max: number): readonly number[] {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const differences = new Map([...counts.keys()].map((color) => [color, Infinity]));
  const palette: number[] = [];
  let [next] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  while (next !== undefined && palette.length < max) {
    const chosen = next;
    palette.push(chosen);
    let best = 0;
    next = undefined;
    for (const [color, count] of counts) {
      const difference = Math.min(differences.get(color) ?? 0, compareColors(color, chosen));
      differences.set(color, difference);
      if (difference * Math.sqrt(count) <= best) continue;
      best = difference * Math.sqrt(count);
      next = color;
    }
  }
  return palette;
}

function compareColors(a: number, b: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + Math.abs(((a >>> shift) & 0xff) - ((b >>> shift) & 0xff)), 0);
}

function createChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
