/** Regular expressions from files, run in time linear to the text: nothing in a file can make one run for minutes. */
import type { Node } from 'jsonc-parser';
import { RE2JS } from 're2js';
import { propertyOf, spanOf, type Problem } from './file.ts';

/** Characters of a pattern, and of the text that it is looked for in. */
const MAX_PATTERN = 1000;
const MAX_TEXT = 10_000;

/** Why a text is no pattern, as a sentence without the full stop; `undefined` where it is one. */
export function patternError(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return typeof compiled === 'string' ? compiled : undefined;
}

/** True where the pattern is found anywhere in the first 10,000 characters. False for what is no pattern. */
export function matchesPattern(pattern: string, text: string): boolean {
  const compiled = compile(pattern);
  return typeof compiled !== 'string' && compiled.matcher(text.slice(0, MAX_TEXT)).find();
}

/** The `$match` patterns below a node that cannot be run; at most 100. */
export function patternProblems(root: Node | undefined): readonly Problem[] {
  const problems: Problem[] = [];
  const walk = (node: Node): void => {
    if (problems.length >= 100) return;
    const value = propertyOf(node, '$match');
    const error = typeof value?.value === 'string' ? patternError(value.value) : undefined;
    if (value !== undefined && error !== undefined) problems.push({ code: 'shape', message: error, ...spanOf(value) });
    node.children?.forEach(walk);
  };
  if (root !== undefined) walk(root);
  return problems;
}

function compile(pattern: string): RE2JS | string {
  if (pattern.length > MAX_PATTERN) return `A pattern has at most ${String(MAX_PATTERN)} characters`;
  if (/\(\?<?[=!]|\\[1-9]|\\k</.test(pattern.replaceAll('\\\\', '')))
    return 'Lookahead, lookbehind and references to groups are not supported in patterns';
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return 'Not a regular expression: this can never match';
  }
}
