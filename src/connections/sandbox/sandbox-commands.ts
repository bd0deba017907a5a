/** The commands of the local sandboxes: form of a new one, clock, settlement. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { pluralize } from '../../platform/text/localization.ts';
import { runForm } from '../commands/form.ts';
import { pickSandbox, readChoice, startSandbox, storeChoice } from './local-sandbox.ts';

export { startSandbox, stopSandbox } from './local-sandbox.ts';
export { importIntoSandbox, loadSandboxState, resetSandbox, saveSandboxState } from './sandbox-data.ts';
export { addFault, clearFaults } from './fault-picker.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Stops the clock of a sandbox. Rejects with Error if the sandbox has ended. */
export async function pauseSandbox(services: Services, argument?: unknown): Promise<void> {
  await (await pickSandbox(services, argument, l10n.t('Pause Clock')))?.control('POST', 'clock', { paused: true });
}

/** Lets the clock of a sandbox run again. Rejects with Error if the sandbox has ended. */
export async function resumeSandbox(services: Services, argument?: unknown): Promise<void> {
  await (await pickSandbox(services, argument, l10n.t('Resume Clock')))?.control('POST', 'clock', { paused: false });
}

/** Pauses the clock and advances it by a time that the user picks. Rejects with Error if the sandbox has ended. */
export async function stepSandbox(services: Services, argument?: unknown): Promise<void> {
  const sandbox = await pickSandbox(services, argument, l10n.t('Step Clock'));
  if (sandbox === undefined) return;
  const steps = [
    { label: pluralize(1, l10n.t('{0} second|{0} seconds')), advance: SECOND },
    { label: pluralize(10, l10n.t('{0} second|{0} seconds')), advance: 10 * SECOND },
    { label: pluralize(1, l10n.t('{0} minute|{0} minutes')), advance: MINUTE },
    { label: pluralize(1, l10n.t('{0} hour|{0} hours')), advance: HOUR },
    { label: pluralize(1, l10n.t('{0} day|{0} days')), advance: DAY },
    { label: pluralize(30, l10n.t('{0} day|{0} days')), advance: 30 * DAY },
  ];
  const placeHolder = l10n.t('Select by how much the clock is advanced. It stays paused.');
  const step = await services.ui.pick(steps, { title: l10n.t('{0}: Step Clock', sandbox.profile.name), placeHolder });
  if (step !== undefined) await sandbox.control('POST', 'clock', { paused: true, advance: step.advance });
}

/** Settles all pending action logs and ledger batches at once. Rejects with Error if the sandbox has ended. */
export async function settleSandbox(services: Services, argument?: unknown): Promise<void> {
  await (await pickSandbox(services, argument, l10n.t('Settle Now')))?.control('POST', 'settle', { now: true });
}

const MAX_OBJECTS = 1_000_000;

/**
 * Starts a further sandbox of a size, seed and port: those of the argument, or what the user enters. Rejects with Error if it
 * does not start.
 */
export async function startSandboxWith(services: Services, argument?: unknown): Promise<void> {
  if (argument !== undefined) return startSandbox(services, readChoice(services, argument));
  const stored = readChoice(services);
  const texts = [stored.objects, stored.seed, stored.port ?? 0].map(String);
  const fields = [
    { prompt: l10n.t('Number of objects'), max: MAX_OBJECTS },
    { prompt: l10n.t('Seed: the same one creates the same data'), max: 0xffff_ffff },
    { prompt: l10n.t('Port on this computer; 0 uses a free one'), max: 65_535 },
  ];
  const isComplete = await runForm(
    fields.map(({ prompt, max }, index) => async (position) => {
      const answer = await services.ui.inputStep({
        ...position,
        title: l10n.t('Start Local Sandbox'),
        prompt,
        value: texts[index] ?? '',
        validateInput: (text) =>
          /^\d{1,10}$/.test(text.trim()) && Number(text) <= max
            ? undefined
            : l10n.t('Enter a whole number from {0} to {1}', '0', String(max)),
      });
      if (typeof answer !== 'string') return answer;
      texts[index] = answer.trim();
      return true;
    }),
  );
  if (!isComplete) return;
  const [objects, seed, port] = texts.map(Number);
  const choice = readChoice(services, { objects, seed, port });
  await storeChoice(services, choice);
  await startSandbox(services, choice);
}
