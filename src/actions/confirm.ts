/** Asks before anything is executed, from every door alike. Pure: the rules, over an injected Ui. */
import type { Session } from '../connections/types.ts';
import type { Ui } from '../ui/ui.ts';

export type ConfirmSetting = 'always' | 'productionOnly' | 'never';

export interface Batch {
  /** one sentence for each execution, without the full stop; where there are several, each begins with its name */
  readonly effects: readonly string[];
  /** what looks wrong, in a line each */
  readonly remarks: readonly string[];
  /** what variables send, in a line each; empty where there are none, or the list is as it was confirmed before */
  readonly discloses: readonly string[];
}

const SHOWN = 12;
/** An input box runs all its lines together. */
const TYPED = 3;

/**
 * True to go on. Production is confirmed by typing the connection's name; a connection that `mustConfirm` and any where
 * the setting or a new list of variables asks for it, by a button.
 */
export async function confirmBatch(
  ui: Pick<Ui, 'confirm' | 'confirmByTyping'>,
  session: Pick<Session, 'profile' | 'mustConfirm' | 'heading'>,
  setting: ConfirmSetting,
  batch: Batch,
): Promise<boolean> {
  const { profile, mustConfirm, heading } = session;
  const { effects, remarks, discloses } = batch;
  if (effects.length === 0) return true;
  const production = profile.environment === 'production';
  if (!production && !mustConfirm && setting !== 'always' && discloses.length === 0) return true;
  const lines = effects.length > 1 ? effects.map((effect, index) => `${String(index + 1)}. ${effect}.`) : [];
  const what = effects.length === 1 ? (effects[0] ?? '') : `Executes ${String(effects.length)} actions in order`;
  const question = {
    message: `${heading}: ${what}. It cannot be taken back.`,
    detail: [
      ...(production ? cut(lines, TYPED, ', in the output') : cut(lines)),
      ...(production ? cut(remarks, TYPED, ' in Problems') : cut(remarks)),
      ...discloses,
      `${discloses.length === 0 ? 'Sent' : 'All of it goes'} to ${profile.baseUrl}.`,
    ].join(production ? ' ‖ ' : '\n'),
    action: 'Execute',
  };
  return production ? ui.confirmByTyping(question, profile.name) : ui.confirm(question);
}

function cut(lines: readonly string[], most = SHOWN, where = ''): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `… and ${String(lines.length - most)} more${where}`];
}
