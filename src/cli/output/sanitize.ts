import { toSingleLine, UNSAFE } from '../../platform/text/plain-text.ts';

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

/** Text whose lines are safe to print, with its line ends: see `sanitizeTerminalLine`. */
export function sanitizeLines(text: string): string {
  return text
    .split(/(\r?\n)/)
    .map((part, index) => (index % 2 === 0 ? sanitizeTerminalLine(part) : part))
    .join('');
}

/**
 * JSON text with control, bidirectional and invisible characters as escapes, and nothing that a CI system reads as a
 * command. Its value stays the same, and its own line feeds stay.
 */
export function sanitizeJson(json: string): string {
  return json
    .replace(UNSAFE, (character) => (character === '\n' ? character : escapeUnits(character)))
    .replace(/##(?=\w*\[)/g, '\\u0023#');
}

function escapeUnits(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
