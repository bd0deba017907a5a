/** Edits that insert and remove members of a JSON object and keep its comments. */
import { createScanner, type Node } from 'jsonc-parser';
import type { Span } from './action-file.ts';

export interface Edit extends Span {
  readonly text: string;
}

// Values of jsonc-parser's const enum `SyntaxKind`: comments, line breaks and spaces.
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const SPACE = 15;

/** Scans what follows a member, up to the next one or the end of the object. */
function scanAfterMember(text: string, offset: number): { readonly comma: number | undefined; readonly line: number } {
  const scanner = createScanner(text);
  scanner.setPosition(offset);
  let comma: number | undefined;
  // End of its line, after the comments on it.
  let line = offset;
  for (
    let token: number = scanner.scan();
    token === COMMA || (token >= LINE_COMMENT && token <= SPACE);
    token = scanner.scan()
  ) {
    const [start, end] = [scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()];
    if (token === COMMA) comma ??= start;
    const isComment = token === LINE_COMMENT || token === BLOCK_COMMENT;
    if ((isComment || token === COMMA) && !text.slice(line, end).includes('\n')) line = end;
  }
  return { comma, line };
}

/** Inserts `membersText` as the last members of an object. */
export function insertMembers(text: string, object: Node, membersText: string): readonly Edit[] {
  const last = object.children?.at(-1);
  if (last === undefined) {
    const space = object.length === 2 ? ' ' : '';
    return [{ offset: object.offset + 1, length: 0, text: ` ${membersText}${space}` }];
  }
  const end = last.offset + last.length;
  const { comma, line } = scanAfterMember(text, end);
  // On a new line if the other members are.
  const indent = indentAt(text, last.offset);
  const insertion = indent === undefined ? ` ${membersText}` : `\n${indent}${membersText}`;
  if (comma !== undefined) return [{ offset: Math.max(line, comma + 1), length: 0, text: insertion }];
  if (indent === undefined || line === end) return [{ offset: end, length: 0, text: `,${insertion}` }];
  return [
    { offset: end, length: 0, text: ',' },
    { offset: line, length: 0, text: insertion },
  ];
}

/** Removes members of an object, with the commas that become superfluous. */
export function removeMembers(text: string, object: Node, members: readonly Node[]): readonly Edit[] {
  const children = object.children ?? [];
  const removed = new Set(members);
  const edits = members.flatMap((member): readonly Edit[] => {
    const end = member.offset + member.length;
    const { comma } = scanAfterMember(text, end);
    if (comma === undefined) return [createRemoval(text, member.offset, end)];
    if (text.slice(end, comma).trim() === '') return [createRemoval(text, member.offset, comma + 1)];
    return [
      { offset: member.offset, length: member.length, text: '' },
      { offset: comma, length: 1, text: '' },
    ];
  });
  const lastRemaining = children.findLast((child) => !removed.has(child));
  if (lastRemaining === undefined || lastRemaining === children.at(-1)) return edits;
  const last = children.at(-1);
  // The last member had no trailing comma: remove that of the member that is now last.
  if (last === undefined || scanAfterMember(text, last.offset + last.length).comma !== undefined) return edits;
  const { comma } = scanAfterMember(text, lastRemaining.offset + lastRemaining.length);
  return comma === undefined ? edits : [...edits, { offset: comma, length: 1, text: '' }];
}

/** The indentation before an offset; `undefined` if other text precedes it on its line. */
function indentAt(text: string, offset: number): string | undefined {
  let start = offset;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  return text[start - 1] === '\n' ? text.slice(start, offset) : undefined;
}

/** The indentation of the line of an offset. */
export function getLineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset) + 1, offset))?.[0] ?? '';
}

/** Removes a line that becomes empty. */
function createRemoval(text: string, start: number, end: number): Edit {
  const indent = indentAt(text, start);
  TRAILING_SPACE.lastIndex = end;
  const trailing = TRAILING_SPACE.exec(text)?.[0] ?? '';
  if (indent !== undefined && trailing.endsWith('\n')) {
    const from = start - indent.length;
    return { offset: from, length: end + trailing.length - from, text: '' };
  }
  const space = trailing.endsWith('\n') ? 0 : trailing.length;
  return { offset: start, length: end + space - start, text: '' };
}

const TRAILING_SPACE = /[ \t]*(?:\r?\n)?/y;

/** The text with edits that do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toReversed()
    .sort((a, b) => b.offset - a.offset)
    .reduce((out, edit) => out.slice(0, edit.offset) + edit.text + out.slice(edit.offset + edit.length), text);
}
