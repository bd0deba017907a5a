import * as l10n from '@vscode/l10n';
import type { Session } from '../../../model/session/session.ts';
import { formatNumber, pluralize } from '../../../platform/text/localization.ts';
import type { Ui } from '../../../ui/ui.ts';

export type ConfirmSetting = 'always' | 'productionOnly' | 'never';

/** Reasons to confirm a batch. */
export interface ConfirmReasons {
  /**
   * the user started the one file that is run, by a command or in the Test Explorer; false for batches, Run All Tests, and
   * tasks, which workspaces can start in many ways
   */
  readonly isExplicit: boolean;
  readonly trusted: boolean;
  /** what variables send, a sentence each; empty if it was confirmed before */
  readonly disclosures: readonly string[];
  /** known problems, a sentence each */
  readonly warnings: readonly string[];
  /** what else the user must agree to, a sentence each */
  readonly requests?: readonly string[];
}

interface Batch extends ConfirmReasons {
  /** a sentence without the full stop for each execution; begins with the name if there are several */
  readonly effects: readonly string[];
  /** of a single execution: its values, a labelled line each */
  readonly lines?: readonly string[];
  /** numbers of warnings, a sentence each */
  readonly remarks: readonly string[];
  /** what one action does for many rows, a sentence without the full stop; `effects` are its parts then, if known */
  readonly summary?: string | undefined;
}

const MAX_LINES = 12;
/** An input box shows its prompt without line breaks. */
const MAX_INPUT_BOX_LINES = 3;

/** True if the user must confirm before anything is sent. */
export function needsConfirmation(
  { profile, requiresConfirmation: mustConfirm }: Pick<Session, 'profile' | 'requiresConfirmation'>,
  setting: ConfirmSetting,
  { isExplicit, trusted, disclosures, warnings, requests = [] }: ConfirmReasons,
): boolean {
  if (profile.environment === 'production' || mustConfirm || !trusted) return true;
  if (disclosures.length + warnings.length + requests.length > 0) return true;
  return setting === 'always' || (!isExplicit && setting !== 'never');
}

/**
 * Prompts if necessary. Resolves with true if the user agreed or no confirmation is required. Production is confirmed
 * by typing the name of the connection, everything else by a button. Never rejects.
 */
export async function confirmBatch(
  ui: Pick<Ui, 'confirm' | 'confirmByTyping'>,
  session: Pick<Session, 'profile' | 'requiresConfirmation' | 'heading'>,
  setting: ConfirmSetting,
  batch: Batch,
): Promise<boolean> {
  const { profile, heading } = session;
  const { effects, remarks, disclosures, warnings, requests = [], isExplicit } = batch;
  if ((effects.length === 0 && batch.summary === undefined) || !needsConfirmation(session, setting, batch)) return true;
  const production = profile.environment === 'production';
  const isList = effects.length > 1 || batch.summary !== undefined;
  const lines = isList ? effects.map((effect, index) => `${String(index + 1)}. ${effect}.`) : (batch.lines ?? []);
  const [only = ''] = effects;
  const one = isExplicit ? only : l10n.t('Runs 1 action: {0}', only);
  const summary =
    batch.summary ??
    (effects.length === 1
      ? one
      : pluralize(effects.length, l10n.t('Runs {0} action in order|Runs {0} actions in order')));
  const question = {
    message: l10n.t('{0}: {1}. This can’t be undone.', heading, summary),
    detail: [
      ...(production ? truncateLines(warnings, MAX_INPUT_BOX_LINES) : truncateLines(warnings)),
      ...(production && isList
        ? truncateLines(lines, MAX_INPUT_BOX_LINES, (left) => l10n.t('… and {0} more in the output', left))
        : truncateLines(lines)),
      ...(production
        ? truncateLines(remarks, MAX_INPUT_BOX_LINES, (left) => l10n.t('… and {0} more in Problems', left))
        : truncateLines(remarks)),
      ...truncateLines(requests),
      ...disclosures,
      disclosures.length === 0
        ? l10n.t('Will be sent to {0}.', profile.baseUrl)
        : l10n.t('All of this is sent to {0}.', profile.baseUrl),
    ].join(production ? ' ‖ ' : '\n'),
    confirmLabel:
      warnings.length === 0
        ? l10n.t({ message: 'Run', args: [], comment: 'Command: runs an action' })
        : l10n.t('Run Anyway'),
  };
  return production ? ui.confirmByTyping(question, profile.name) : ui.confirm(question);
}

function truncateLines(
  lines: readonly string[],
  max = MAX_LINES,
  formatRest = (left: string): string => l10n.t('… and {0} more', left),
): readonly string[] {
  return lines.length <= max ? lines : [...lines.slice(0, max), formatRest(formatNumber(lines.length - max))];
}
