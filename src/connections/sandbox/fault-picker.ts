/** Faults…: simulates failures of a sandbox, chosen by route, kind and number. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { BACK } from '../../ui/ui.ts';
import { runForm } from '../commands/form.ts';
import { ANY_ROUTE, formatFaultCount, listFaultGroups, listRoutes } from './fault-texts.ts';
import { pickSandbox } from './local-sandbox.ts';
import { listSandboxes } from './running.ts';

const COUNTS = [1, 2, 3, 5, 10, 50, null] as const;

/** Prompts for a fault and adds it to the given or a picked sandbox. Rejects with Error if the sandbox has ended. */
export async function addFault(services: Services, argument?: unknown): Promise<void> {
  const { ui } = services;
  const sandbox = await pickSandbox(services, argument, l10n.t('Faults'));
  if (sandbox === undefined) return;
  const title = l10n.t('{0}: Faults', sandbox.profile.name);
  const routes = listRoutes().map((each) => ({
    label: each.label,
    description: each.route === ANY_ROUTE ? '' : each.route,
    each,
  }));
  const chosen: { route?: (typeof routes)[number]['each']; spec?: object; count?: number | null } = {};
  const isComplete = await runForm([
    async (position) => {
      const placeHolder = l10n.t('Select the requests that fail');
      const answer = await ui.pickStep(routes, { ...position, title, placeHolder, matchOnDescription: true });
      if (answer === undefined || answer === BACK) return answer;
      chosen.route = answer.each;
      return true;
    },
    async (position) => {
      const type = chosen.route?.type ?? 'any';
      const choices = listFaultGroups().flatMap((group) => [
        { label: group.label, kind: vscode.QuickPickItemKind.Separator, spec: {} },
        ...group.choices.filter(({ types }) => types?.includes(type) !== false),
      ]);
      const answer = await ui.pickStep(choices, { ...position, title, placeHolder: l10n.t('Select what happens') });
      if (answer === undefined || answer === BACK) return answer;
      chosen.spec = answer.spec;
      return true;
    },
    async (position) => {
      const choices = COUNTS.map((count) => ({
        label: formatFaultCount(chosen.route?.route ?? ANY_ROUTE, count),
        count,
      }));
      const answer = await ui.pickStep(choices, { ...position, title, placeHolder: l10n.t('Select how often') });
      if (answer === undefined || answer === BACK) return answer;
      chosen.count = answer.count;
      return true;
    },
  ]);
  if (!isComplete) return;
  await sandbox.control('POST', 'faults', { ...chosen.spec, route: chosen.route?.route, count: chosen.count });
}

/** Ends the faults of all sandboxes. Rejects with Error if one has ended. */
export async function clearFaults(): Promise<void> {
  await Promise.all(listSandboxes().map(([, sandbox]) => sandbox.control('DELETE', 'faults')));
}
