import * as l10n from '@vscode/l10n';

/** Rows of one batch. */
export const MAX_ROWS = 1_000_000;

/** Formats ascending row numbers as ranges: `3,7-9`. */
export function formatRowNumbers(rows: Iterable<number>): string {
  const ranges: { readonly from: number; to: number }[] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last?.to === row - 1) last.to = row;
    else ranges.push({ from: row, to: row });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${String(from)}-${String(to)}`)).join(',');
}

/** The numbers of ascending ranges, each from 1 to `max`. Throws Error for any other text. */
export function* parseRowNumbers(text: string, max: number): Generator<number> {
  let before = 0;
  for (const range of text.split(',')) {
    const [, from = '', to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (first <= before || last < first || last > max) throw new Error(l10n.t('{0} is not a range of rows', range));
    before = last;
    for (let row = first; row <= last; row++) yield row;
  }
}
