/** Plain text as Markdown that shows exactly that, for reports that hold a server's words (pure). */
import { plainText } from '../platform/plain-text.ts';

/**
 * One line, cut, with every sign escaped that Markdown or HTML could read as its own inside a line. An address is text
 * too: it does not become a link.
 */
export function plain(text: string, most = 200): string {
  return plainText(text, most).replace(/[\\`*_[\]<>#!|~&$=^@]|:(?=\/\/)/g, (sign) => `\\${sign}`);
}

/** Our own words and addresses, as code; no server's text. */
export function code(text: string): string {
  return `\`${text.replace(/[`|\p{Cc}]/gu, '').slice(0, 200)}\``;
}

/** A table; cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
