import { toPlainText } from '../platform/text/plain-text.ts';

/** Cuts text and breaks up bare addresses, which Markdown would link even in escaped text. */
export function escapeLinks(text: string, maxLength: number): string {
  return toPlainText(text, maxLength)
    .replaceAll('<', '<\u2060')
    .replaceAll('://', ':\u2060//')
    .replace(/www\./gi, (match) => `${match.slice(0, 3)}\u2060.`)
    .replaceAll('@', '\u2060@');
}
