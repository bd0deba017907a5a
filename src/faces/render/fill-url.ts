import { fillTemplate, type FillResult } from '../template/fill-template.ts';
import { readTags } from '../policy/html-tags.ts';

const TAG_PREFIX = '<a href="';

/** Fills the placeholders of a URL. `text` is the URL without HTML escapes. */
export function fillUrl(source: string, data: unknown): FillResult {
  if (!/^https?:/i.test(source)) {
    // The placeholder is the whole URL: the template would reject other schemes than those of the web.
    const filled = fillTemplate(source, data);
    return filled.text === source ? filled : { ...filled, text: unescapeHtml(filled.text) };
  }
  const filled = fillTemplate(`${TAG_PREFIX}${source.replaceAll('"', '%22')}">`, data);
  const shiftColumns = <P extends { readonly line: number; readonly column: number }>(
    positions: readonly P[],
  ): readonly P[] =>
    positions.map((position) =>
      position.line === 1 ? { ...position, column: Math.max(1, position.column - TAG_PREFIX.length) } : position,
    );
  return {
    text: parseHref(filled.text),
    unresolved: shiftColumns(filled.unresolved),
    errors: shiftColumns(filled.errors),
  };
}

function unescapeHtml(text: string): string {
  return parseHref(`${TAG_PREFIX}${text.replaceAll('"', '&quot;')}">`);
}

function parseHref(tag: string): string {
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
