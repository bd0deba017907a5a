/** Finds the fields of an action that a refusal names, so that the reason stands at their place. */
import { plainText } from '../platform/plain-text.ts';
import { EMAIL, Findings, type Finding } from './check.ts';
import type { ActionFile } from './file.ts';

/** Fields of one action that are looked for. */
const MAX_FIELDS = 200;

/** One finding for each field of the action that the reason of a refusal or a failure names. */
export function checkAnswer(file: ActionFile, reason: string): readonly Finding[] {
  const findings = new Findings();
  for (const { value } of file.entries.slice(0, 3)) {
    if (value?.type !== 'object') continue;
    for (const { children: [key, node] = [] } of (value.children ?? []).slice(0, MAX_FIELDS)) {
      const name = String(key?.value);
      if (node === undefined || !isNamed(name, reason)) continue;
      const isEmail = typeof node.value === 'string' && EMAIL.test(node.value.trim());
      const help = isEmail ? '. This is an e-mail address; an account address or a wallet ID may be due' : '';
      findings.add(
        node,
        'refused',
        'warning',
        `The platform named \`${plainText(name, 60)}\`: ${plainText(reason, 300).replace(/\.$/, '')}${help}`,
      );
    }
  }
  return findings.list;
}

/** A short name is often a word too, `to` above all: quoted, as a path, before a colon or before a verb it is a field. */
function isNamed(name: string, reason: string): boolean {
  if (!/^[\w-]{1,60}$/.test(name)) return false;
  if (new RegExp(`["'\`“‘.]${name}["'\`”’]|[\\w\\]]\\.${name}\\b|(?:^|[:;,(]\\s*)${name}\\s*:`).test(reason))
    return true;
  if (
    new RegExp(
      `(?:^|[:;,(]\\s*|\\b(?:field|parameter|property|param)\\s+)${name}\\s+(?:is|must|should|has|cannot|can't|does)\\b`,
      'i',
    ).test(reason)
  )
    return true;
  return name.includes('_') && new RegExp(`\\b${name}\\b`).test(reason);
}
