/** Looking for words in rows that are loaded, and the parts of a text to highlight. */
import type { LogRow } from '../../protocol-logs.ts';

export interface Needle {
  readonly empty: boolean;
  readonly words: readonly string[];
  /** every word stands somewhere in it; the text is in lower case */
  matches(hay: string): boolean;
}

/** Words are parted by space; `"two words"` stay together. */
export function needleOf(text: string): Needle {
  const words = [...text.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const [only] = words;
  return {
    empty: words.length === 0,
    words,
    matches:
      words.length === 1 && only !== undefined
        ? (hay) => hay.includes(only)
        : (hay) => words.every((word) => hay.includes(word)),
  };
}

export function haystackOf(row: LogRow): string {
  const { status, action, alias, signer, objects, fee, batch, id, message, connection } = row;
  return `${status} ${action} ${alias} ${signer} ${objects.join(' ')} ${fee} ${batch} ${id} ${message} ${connection}`.toLowerCase();
}

export interface Part {
  readonly text: string;
  readonly hit: boolean;
}

/** The text in parts, those that were looked for marked. */
export function partsOf(text: string, { words }: Pick<Needle, 'words'>): readonly Part[] {
  if (words.length === 0 || text === '') return [{ text, hit: false }];
  const lower = text.toLowerCase();
  // Where lower case is longer than the text, places in it are not places in the text.
  if (lower.length !== text.length) return [{ text, hit: words.some((word) => lower.includes(word)) }];
  const hits = words.flatMap((word) => placesOf(lower, word)).sort((a, b) => a[0] - b[0]);
  const parts: Part[] = [];
  let at = 0;
  for (const [from, to] of hits) {
    if (to <= at) continue;
    const start = Math.max(from, at);
    if (start > at) parts.push({ text: text.slice(at, start), hit: false });
    parts.push({ text: text.slice(start, to), hit: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), hit: false });
  return parts;
}

function placesOf(text: string, word: string): [number, number][] {
  const found: [number, number][] = [];
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + word.length))
    found.push([at, at + word.length]);
  return found;
}
