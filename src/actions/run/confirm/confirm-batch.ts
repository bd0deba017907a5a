import type { Session } from '../../../model/session.ts';
import type { Ui } from '../../../ui/ui.ts';

export type ConfirmSetting = 'always' | 'productionOnly' | 'never';

/** Reasons to confirm a batch. */
export interface ConfirmReasons {
  /**
   * the user named the one file that is run; false for batches, Run All Tests, and tasks that may start automatically
   */
  readonly isExplicit: boolean;
  readonly trusted: boolean;
  /** what variables send, a sentence each; empty if it was confirmed before */
  readonly disclosures: readonly string[];
  /** known problems, a sentence each */
  readonly warnings: readonly string[];
}

interface Batch extends ConfirmReasons {
  /** a sentence without the full stop for each execution; begins with the name if there are several */
  readonly effects: readonly string[];
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
  { isExplicit, trusted, disclosures, warnings }: ConfirmReasons,
): boolean {
  if (profile.environment === 'production' || mustConfirm || !trusted) return true;
  if (disclosures.length > 0 || warnings.length > 0) return true;
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
  const { effects, remarks, disclosures, warnings, isExplicit } = batch;
  if ((effects.length === 0 && batch.summary === undefined) || !needsConfirmation(session, setting, batch)) return true;
  const production = profile.environment === 'production';
  const isList = effects.length > 1 || batch.summary !== undefined;
  const lines = isList ? effects.map((effect, index) => `${String(index + 1)}. ${effect}.`) : [];
  const [only = ''] = effects;
  const one = isExplicit ? only : `Runs 1 action: ${only}`;
  const summary = batch.summary ?? (effects.length === 1 ? one : `Runs ${String(effects.length)} actions in order`);
  const question = {
    message: `${heading}: ${summary}. It cannot be taken back.`,
    detail: [
      ...(production ? truncateLines(warnings, MAX_INPUT_BOX_LINES) : truncateLines(warnings)),
      ...(production ? truncateLines(lines, MAX_INPUT_BOX_LINES, ', in the output') : truncateLines(lines)),
      ...(production ? truncateLines(remarks, MAX_INPUT_BOX_LINES, ' in Problems') : truncateLines(remarks)),
      ...disclosures,
      `${disclosures.length === 0 ? 'Sent' : 'All of it goes'} to ${profile.baseUrl}.`,
    ].join(production ? ' ‖ ' : '\n'),
    confirmLabel: warnings.length === 0 ? 'Run' : 'Run Anyway',
  };
  return production ? ui.confirmByTyping(question, profile.name) : ui.confirm(question);
}

function truncateLines(lines: readonly string[], max = MAX_LINES, suffix = ''): readonly string[] {
  return lines.length <= max ? lines : [...lines.slice(0, max), `… and ${String(lines.length - max)} more${suffix}`];
}
