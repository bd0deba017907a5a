import * as l10n from '@vscode/l10n';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { EMAIL } from './check-action-file.ts';
import type { ActionFile } from './action-file.ts';
import { Findings, type Finding } from './findings.ts';

/** Fields of one action that are searched. */
const MAX_FIELDS = 200;

/** Returns a finding for each field of the action that `reason`, the message of a refusal or failure, names. */
export function findRefusedFields(file: ActionFile, reason: string): readonly Finding[] {
  const findings = new Findings();
  for (const { value } of file.entries.slice(0, 3)) {
    if (value?.type !== 'object') continue;
    for (const { children: [key, node] = [] } of (value.children ?? []).slice(0, MAX_FIELDS)) {
      const name = String(key?.value);
      if (node === undefined || !isFieldNamed(name, reason)) continue;
      const isEmail = typeof node.value === 'string' && EMAIL.test(node.value.trim());
      const field = `\`${toPlainText(name, 60)}\``;
      const shown = toPlainText(reason, 300).replace(/\.$/, '');
      findings.add(
        node,
        'refused',
        'warning',
        isEmail
          ? l10n.t(
              'The platform mentions {0}: {1}. This is an email address; an account address or a wallet ID may be required',
              field,
              shown,
            )
          : l10n.t('The platform mentions {0}: {1}', field, shown),
      );
    }
  }
  return findings.list;
}

/**
 * A short name such as `to` is often a plain word: it counts as a field if quoted, in a path, before a colon or before
 * a verb.
 */
function isFieldNamed(name: string, reason: string): boolean {
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
