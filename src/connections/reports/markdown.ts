/** Escapes plain text for Markdown reports that contain server text. */
import { toPlainText } from '../../platform/text/plain-text.ts';

/**
 * One line, truncated, with every character escaped that Markdown or HTML would interpret. URLs do not become links.
 */
export function escapeMarkdown(text: string, maxLength = 200): string {
  return toPlainText(text, maxLength)
    .replace(/[\\`*_[\]<>#!|~&$=^@]|\/(?=\/)|(?<=\/)\//g, (character) => `\\${character}`)
    .replace(/^(\d*)([-+.)])/, String.raw`$1\$2`);
}

/** Inline code; what would end it is left out. */
export function formatCode(text: string): string {
  const code = toPlainText(text, 200).replace(/[`|]/g, '');
  return code === '' ? '' : `\`${code}\``;
}

/** A table; cells are Markdown already. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
