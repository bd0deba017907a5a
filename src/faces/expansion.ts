/** How many elements an SVG unfolds into through `<use>`: some hundred bytes can stand for billions (pure). */
import { readTags } from './tokens.ts';

/** More than this keeps a window busy for seconds. */
export const MOST_UNFOLDED = 200_000;

interface Part {
  own: number;
  readonly uses: string[];
}

/** Capped at `MOST_UNFOLDED + 1`. Loops count once: browsers do not follow them. */
export function unfolded(html: string): number {
  if (!/<use\b/i.test(html)) return 0;
  const parts = new Map<string, Part>();
  const whole: Part = { own: 0, uses: [] };
  const open: { readonly name: string; readonly part: Part | undefined }[] = [];
  readTags(html, {
    open({ name, attributes }) {
      const id = attributes.find((attribute) => attribute.name === 'id')?.value;
      let part: Part | undefined;
      if (id !== undefined && !parts.has(id)) parts.set(id, (part = { own: 0, uses: [] }));
      // Depth is bounded: an unclosed tag costs precision, never time.
      if (open.length < 64) open.push({ name, part });
      const holders = [whole, ...open.flatMap((entry) => entry.part ?? [])];
      const target = attributes
        .find((attribute) => attribute.name === 'href' || attribute.name === 'xlink:href')
        ?.value.trim();
      for (const holder of holders) {
        holder.own++;
        if (name === 'use' && target?.startsWith('#') === true && holder.uses.length < 10_000)
          holder.uses.push(target.slice(1));
      }
    },
    close(name) {
      const at = open.findLastIndex((entry) => entry.name === name);
      if (at >= 0) open.length = at;
    },
    text: () => undefined,
  });
  const sizes = new Map<Part, number>();
  const sizeOf = (part: Part, depth: number): number => {
    const known = sizes.get(part);
    if (known !== undefined) return known;
    sizes.set(part, 0);
    let size = part.own;
    for (const name of part.uses) {
      const used = parts.get(name);
      if (used !== undefined && depth < 500) size += sizeOf(used, depth + 1);
      if (size > MOST_UNFOLDED) break;
    }
    size = Math.min(size, MOST_UNFOLDED + 1);
    sizes.set(part, size);
    return size;
  };
  return sizeOf(whole, 0);
}
