/** Edits that put members into an object and take them out, and leave every comment where it is. Pure. */
import { createScanner, type Node } from 'jsonc-parser';
import type { Span } from './file.ts';

export interface Edit extends Span {
  readonly text: string;
}

// Of jsonc-parser's `SyntaxKind`, which is a const enum: comments, then line breaks and spaces.
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const SPACE = 15;

/** What follows a member before the next one, or the end of its object. */
function after(text: string, offset: number): { readonly comma: number | undefined; readonly line: number } {
  const scanner = createScanner(text);
  scanner.setPosition(offset);
  let comma: number | undefined;
  // Where its own line ends: behind the comments on it.
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

/** `inside` becomes the object's last members. */
export function insertMembers(text: string, object: Node, inside: string): readonly Edit[] {
  const last = object.children?.at(-1);
  if (last === undefined) {
    const space = object.length === 2 ? ' ' : '';
    return [{ offset: object.offset + 1, length: 0, text: ` ${inside}${space}` }];
  }
  const end = last.offset + last.length;
  const { comma, line } = after(text, end);
  // On a line of its own where the others are.
  const indent = indentAt(text, last.offset);
  const put = indent === undefined ? ` ${inside}` : `\n${indent}${inside}`;
  if (comma !== undefined) return [{ offset: Math.max(line, comma + 1), length: 0, text: put }];
  if (indent === undefined || line === end) return [{ offset: end, length: 0, text: `,${put}` }];
  return [
    { offset: end, length: 0, text: ',' },
    { offset: line, length: 0, text: put },
  ];
}

/** The members are those of `object`; what stays keeps its commas right. */
export function removeMembers(text: string, object: Node, members: readonly Node[]): readonly Edit[] {
  const children = object.children ?? [];
  const removed = new Set(members);
  const edits = members.flatMap((member): readonly Edit[] => {
    const end = member.offset + member.length;
    const { comma } = after(text, end);
    if (comma === undefined) return [cut(text, member.offset, end)];
    if (text.slice(end, comma).trim() === '') return [cut(text, member.offset, comma + 1)];
    return [
      { offset: member.offset, length: member.length, text: '' },
      { offset: comma, length: 1, text: '' },
    ];
  });
  const kept = children.findLast((child) => !removed.has(child));
  if (kept === undefined || kept === children.at(-1)) return edits;
  const last = children.at(-1);
  // The last one went without a comma behind it: the one before it is too many now.
  if (last === undefined || after(text, last.offset + last.length).comma !== undefined) return edits;
  const { comma } = after(text, kept.offset + kept.length);
  return comma === undefined ? edits : [...edits, { offset: comma, length: 1, text: '' }];
}

/** The spaces and tabs before a place, where nothing else stands before it on its line. */
function indentAt(text: string, offset: number): string | undefined {
  let start = offset;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  return text[start - 1] === '\n' ? text.slice(start, offset) : undefined;
}

/** A line on which nothing else stands goes with it. */
function cut(text: string, start: number, end: number): Edit {
  const before = indentAt(text, start);
  BEHIND.lastIndex = end;
  const behind = BEHIND.exec(text)?.[0] ?? '';
  if (before !== undefined && behind.endsWith('\n')) {
    const from = start - before.length;
    return { offset: from, length: end + behind.length - from, text: '' };
  }
  const space = behind.endsWith('\n') ? 0 : behind.length;
  return { offset: start, length: end + space - start, text: '' };
}

const BEHIND = /[ \t]*(?:\r?\n)?/y;
