/** Text on its way to a terminal or to the log of a CI system. */
import { singleLine } from '../platform/plain-text.ts';

/**
 * One line without control, bidirectional or invisible characters, its blanks kept, in which no CI system finds a command:
 * GitHub reads `::` at the start of a line, GitHub, Azure and TeamCity `##[`, `##vso[` and `##teamcity[` anywhere.
 */
export function terminalLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^ ]+/g, singleLine)
    .replace(/^( *):(?=:)/, '$1: ')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** A sentence with one full stop at its end, whatever a message ended with. */
export function sentence(text: string): string {
  const line = terminalLine(text).trim();
  return /[?!…]$/.test(line) ? line : `${line.replace(/[\s.]+$/, '')}.`;
}
