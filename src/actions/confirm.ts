/** Asks before anything is executed, from every door alike. Pure: the rules, over an injected Ui. */
import type { Session } from '../connections/types.ts';
import type { Ui } from '../ui/ui.ts';

export type ConfirmSetting = 'always' | 'productionOnly' | 'never';

/** What decides whether a batch is asked about. */
export interface Reasons {
  /** the user named the one file that is run; otherwise a batch, Run All Tests, or a task that may start by itself */
  readonly aimed: boolean;
  readonly trusted: boolean;
  /** what variables send, in a line each; empty where there are none, or the list is as it was confirmed before */
  readonly discloses: readonly string[];
  /** what is known to stand against sending, a sentence each */
  readonly objections: readonly string[];
}

export interface Batch extends Reasons {
  /** one sentence for each execution, without the full stop; where there are several, each begins with its name */
  readonly effects: readonly string[];
  /** what looks wrong, in a line each */
  readonly remarks: readonly string[];
}

const SHOWN = 12;
/** An input box runs all its lines together. */
const TYPED = 3;

/** Whether the user is asked before anything is sent. */
export function mustAsk(
  { profile, mustConfirm }: Pick<Session, 'profile' | 'mustConfirm'>,
  setting: ConfirmSetting,
  { aimed, trusted, discloses, objections }: Reasons,
): boolean {
  if (profile.environment === 'production' || mustConfirm || !trusted) return true;
  if (discloses.length > 0 || objections.length > 0) return true;
  return setting === 'always' || (!aimed && setting !== 'never');
}

/**
 * True to go on. Production is confirmed by typing the connection's name; everything else that must be asked about by a
 * button.
 */
export async function confirmBatch(
  ui: Pick<Ui, 'confirm' | 'confirmByTyping'>,
  session: Pick<Session, 'profile' | 'mustConfirm' | 'heading'>,
  setting: ConfirmSetting,
  batch: Batch,
): Promise<boolean> {
  const { profile, heading } = session;
  const { effects, remarks, discloses, objections, aimed } = batch;
  if (effects.length === 0 || !mustAsk(session, setting, batch)) return true;
  const production = profile.environment === 'production';
  const lines = effects.length > 1 ? effects.map((effect, index) => `${String(index + 1)}. ${effect}.`) : [];
  const [only = ''] = effects;
  const one = aimed ? only : `Executes 1 action: ${only}`;
  const what = effects.length === 1 ? one : `Executes ${String(effects.length)} actions in order`;
  const question = {
    message: `${heading}: ${what}. It cannot be taken back.`,
    detail: [
      ...(production ? cut(objections, TYPED) : cut(objections)),
      ...(production ? cut(lines, TYPED, ', in the output') : cut(lines)),
      ...(production ? cut(remarks, TYPED, ' in Problems') : cut(remarks)),
      ...discloses,
      `${discloses.length === 0 ? 'Sent' : 'All of it goes'} to ${profile.baseUrl}.`,
    ].join(production ? ' ‖ ' : '\n'),
    action: objections.length === 0 ? 'Execute' : 'Execute Anyway',
  };
  return production ? ui.confirmByTyping(question, profile.name) : ui.confirm(question);
}

function cut(lines: readonly string[], most = SHOWN, where = ''): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `… and ${String(lines.length - most)} more${where}`];
}
