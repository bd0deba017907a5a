import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { getTitleOrId } from '../../cache/title-lookup.ts';
import type { Step } from './chain.ts';
import { readKnownStates } from './known-states.ts';
import { createStateUri } from './state-uri.ts';

/** Compares the snapshots of an object before and after an action, or a time. Rejects with Error if one is missing. */
export async function openStateDiff(
  services: Services,
  connection: string,
  object: string,
  { prev, next }: Pick<Step, 'prev' | 'next'>,
  what: string,
): Promise<void> {
  const states = await readKnownStates(services, connection, object);
  if (states(prev) === undefined) throw new Error(l10n.t('there is no snapshot of the state before the action'));
  if (states(next) === undefined) throw new Error(l10n.t('there is no snapshot of the state after the action'));
  await vscode.commands.executeCommand(
    'vscode.diff',
    createStateUri(connection, object, prev),
    createStateUri(connection, object, next),
    l10n.t('{0} (before ↔ after {1})', getTitleOrId(services, { connection, kind: 'objects', id: object }, 40), what),
    { preview: true },
  );
}
