import { toSingleLine } from '../platform/text/plain-text.ts';

/**
 * One line without control, bidirectional and invisible characters, with spaces kept, that no CI system reads as a
 * command: GitHub parses `::` at the start of a line, GitHub, Azure and TeamCity `##[`, `##vso[` and `##teamcity[`
 * anywhere.
 */
export function sanitizeTerminalLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^ ]+/g, toSingleLine)
    .replace(/^( *):(?=:)/, '$1: ')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** A sentence with exactly one full stop at its end. */
export function formatSentence(text: string): string {
  const line = sanitizeTerminalLine(text).trim();
  return /[?!…]$/.test(line) ? line : `${line.replace(/[\s.]+$/, '')}.`;
}
