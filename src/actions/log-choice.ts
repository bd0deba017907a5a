/** The item of a quick pick for an action log that may be that of a request. */
import * as l10n from '@vscode/l10n';
import { formatTimestamp, parseDateTime } from '../model/text/time-format.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { escapeIcons } from '../ui/escape-icons.ts';

/** `facts`: fields of the log as the server sent them; those that are no text are left out. */
export function createLogChoice(id: string, facts: readonly unknown[]) {
  const texts = facts.flatMap((fact) => (typeof fact === 'string' ? [formatFact(fact)] : []));
  const label = escapeIcons(l10n.t('Its action log is {0}', toPlainText(id)));
  return { label, description: escapeIcons(texts.join(' · ')), id };
}

function formatFact(fact: string): string {
  const time = parseDateTime(fact);
  return time === undefined ? toPlainText(fact, 80) : formatTimestamp(time);
}
