/** Regular expressions of files, run in linear time, so that no file can block the editor. */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { RE2JS } from 're2js';
import { getProperty, getSpan, type Problem } from '../file/action-file.ts';
import { formatNumber } from '../../platform/text/localization.ts';

/** Maximum characters of a pattern, and of the text that it is searched in. */
const MAX_PATTERN = 1000;
const MAX_TEXT = 10_000;

/** Why a pattern is invalid, as a sentence without the full stop; `undefined` if it is valid. */
export function getPatternError(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return typeof compiled === 'string' ? compiled : undefined;
}

/** True if the pattern matches in the first 10,000 characters. False for an invalid pattern. */
export function matchesPattern(pattern: string, text: string): boolean {
  const compiled = compile(pattern);
  return typeof compiled !== 'string' && compiled.matcher(text.slice(0, MAX_TEXT)).find();
}

/** The invalid `$match` patterns below a node, at most 100. */
export function findPatternProblems(root: Node | undefined): readonly Problem[] {
  const problems: Problem[] = [];
  const walk = (node: Node): void => {
    if (problems.length >= 100) return;
    const value = getProperty(node, '$match');
    const error = typeof value?.value === 'string' ? getPatternError(value.value) : undefined;
    if (value !== undefined && error !== undefined) problems.push({ code: 'shape', message: error, ...getSpan(value) });
    node.children?.forEach(walk);
  };
  if (root !== undefined) walk(root);
  return problems;
}

function compile(pattern: string): RE2JS | string {
  if (pattern.length > MAX_PATTERN) return l10n.t('A pattern can have up to {0} characters', formatNumber(MAX_PATTERN));
  if (/\(\?<?[=!]|\\[1-9]|\\k</.test(pattern.replaceAll('\\\\', '')))
    return l10n.t('Lookahead, lookbehind and backreferences are not supported in patterns');
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return l10n.t('This is not a valid regular expression and never matches');
  }
}
