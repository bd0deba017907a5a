/** The report of a comparison as JSON and Markdown, in English: for CI, and for people who read it there. */
import { toPlainText } from '../platform/text/plain-text.ts';
import type { Comparison, Change } from './compare.ts';

/** Names of the two environments. */
export interface Sides {
  readonly from: string;
  readonly to: string;
}

const SIGNS: Readonly<Record<Change, string>> = { added: '+', removed: '-', changed: '~' };
const line = (text: string): string => toPlainText(text, 300);

/** `+ templates Ticket`, with a line for each difference of a changed one. Its texts are sanitized. */
export function formatLines({ differences, equal, unread, partial }: Comparison): readonly string[] {
  return [
    ...differences.flatMap(({ kind, name, change, details }) => [
      `${SIGNS[change]} ${kind} ${line(name)}`,
      ...details.map((detail) => `    ${line(detail)}`),
    ]),
    ...[...unread].map(([kind, reason]) => `! ${kind} not compared: ${line(reason)}`),
    ...(partial > 0 ? [`! ${String(partial)} templates of which only the public fields could be compared`] : []),
    `${String(differences.length)} different, ${String(equal)} equal`,
  ];
}

/** The report as Markdown; server text stands in code blocks, which it cannot end. */
export function formatMarkdown(comparison: Comparison, { from, to }: Sides): string {
  const lines = formatLines(comparison).map((text) => text.replaceAll('\`\`\`', "'''"));
  return `# ${line(from)} → ${line(to)}\n\n\`\`\`diff\n${lines.join('\n')}\n\`\`\`\n`;
}

/** The report as JSON. */
export function formatJsonReport({ differences, equal, unread, partial }: Comparison, sides: Sides): string {
  const entries = differences.map(({ kind, name, change, from, to, details }) => ({
    kind,
    name,
    change,
    fromId: from?.id,
    toId: to?.id,
    details,
  }));
  const report = { ...sides, differences: entries, equal, partlyCompared: partial };
  return `${JSON.stringify({ ...report, notCompared: Object.fromEntries(unread) }, undefined, 2)}\n`;
}

/** A resource as JSON; a text of several lines is a list of its lines, so that a diff shows which of them differ. */
export function formatDocument(value: unknown): string {
  const splitLines = (_name: string, part: unknown): unknown =>
    typeof part === 'string' && part.includes('\n') ? part.split('\n') : part;
  return `${JSON.stringify(value, splitLines, 2)}\n`;
}
