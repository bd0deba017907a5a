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
export function formatLines({ differences, equal, unread }: Comparison): readonly string[] {
  return [
    ...differences.flatMap(({ kind, name, change, details }) => [
      `${SIGNS[change]} ${kind} ${line(name)}`,
      ...details.map((detail) => `    ${line(detail)}`),
    ]),
    ...[...unread].map(([kind, reason]) => `! ${kind} not compared: ${line(reason)}`),
    `${String(differences.length)} different, ${String(equal)} equal`,
  ];
}

/** The report as Markdown; server text stands in code blocks, which it cannot end. */
export function formatMarkdown(comparison: Comparison, { from, to }: Sides): string {
  const lines = formatLines(comparison).map((text) => text.replaceAll('\`\`\`', "'''"));
  return `# ${line(from)} → ${line(to)}\n\n\`\`\`diff\n${lines.join('\n')}\n\`\`\`\n`;
}

/** The report as JSON. */
export function formatJsonReport({ differences, equal, unread }: Comparison, sides: Sides): string {
  const entries = differences.map(({ kind, name, change, from, to, details }) => ({
    ...{ kind, name, change, fromId: from?.id, toId: to?.id, details },
  }));
  return `${JSON.stringify({ ...sides, differences: entries, equal, notCompared: Object.fromEntries(unread) }, undefined, 2)}\n`;
}
