/** Fills the placeholders of an address: what the object says is escaped as part of an address, not as text (pure). */
import { fillTemplate, type Filled } from './template/index.ts';
import { readTags } from './tokens.ts';

const BEFORE = '<a href="';

/** `text` is the address itself, without escapes of HTML. */
export function fillAddress(source: string, data: unknown): Filled {
  if (!/^https?:/i.test(source)) {
    // All of it is a placeholder: as an address it would be refused wherever it is not of the web.
    const filled = fillTemplate(source, data);
    return filled.text === source ? filled : { ...filled, text: unescaped(filled.text) };
  }
  const filled = fillTemplate(`${BEFORE}${source.replaceAll('"', '%22')}">`, data);
  const moved = <P extends { readonly line: number; readonly column: number }>(places: readonly P[]): readonly P[] =>
    places.map((place) => (place.line === 1 ? { ...place, column: Math.max(1, place.column - BEFORE.length) } : place));
  return { text: hrefOf(filled.text), unresolved: moved(filled.unresolved), errors: moved(filled.errors) };
}

function unescaped(text: string): string {
  return hrefOf(`${BEFORE}${text.replaceAll('"', '&quot;')}">`);
}

function hrefOf(tag: string): string {
  let href = '';
  readTags(tag, {
    open({ attributes }) {
      href ||= attributes[0]?.value ?? '';
    },
    close: () => undefined,
    text: () => undefined,
  });
  return href;
}
