/** Escapes plain text for Markdown reports that contain server text. */
import { toPlainText } from '../../platform/text/plain-text.ts';

/**
 * One line, truncated, with every character escaped that Markdown or HTML would interpret. URLs do not become links.
 */
export function escapeMarkdown(text: string, maxLength = 200): string {
  return toPlainText(text, maxLength).replace(/[\\`*_[\]<>#!|~&$=^@]|:(?=\/\/)/g, (character) => `\\${character}`);
}

/** Inline code for the extension's own text and URLs; not for server text. */
export function formatCode(text: string): string {
  return `\`${text.replace(/[`|\p{Cc}]/gu, '').slice(0, 200)}\``;
}

/** A table; cells are Markdown already. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
