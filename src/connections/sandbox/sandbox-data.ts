/** Save State…, Load State… and Import From… of a sandbox. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { readTextFile } from '../../model/files/read-workspace-file.ts';
import { formatNumber, pluralize } from '../../platform/text/localization.ts';
import { formatState, parseState } from '../../sandbox/state.ts';
import { pickSaveTarget, saveFile } from '../../ui/save-file.ts';
import { createSessionItems } from '../session/pick-session.ts';
import { pickSandbox, restartSandbox } from './local-sandbox.ts';
import { readResources } from './read-resources.ts';
import { MAX_EXECUTIONS, type RunningSandbox } from './sandbox-worker.ts';

const MAX_STATE_BYTES = 64 * 1024 * 1024;
const EXTENSION = 'sandbox.json';

/** Writes the state of a sandbox to a file that the user picks. Rejects with Error if it cannot be written. */
export async function saveSandboxState(services: Services, argument?: unknown): Promise<void> {
  const title = l10n.t('Save State');
  const sandbox = await pickSandbox(services, argument, title);
  if (sandbox === undefined) return;
  const name = `${sandbox.profile.name.toLowerCase().replaceAll(' ', '-')}.${EXTENSION}`;
  const target = await pickSaveTarget(services.ui, { name, title });
  if (target === undefined) return;
  const { state, profile } = sandbox;
  await saveFile(target, services.redact(formatState(state)));
  if (state.executions.length < MAX_EXECUTIONS)
    void services.ui.info(l10n.t('The state of {0} was saved.', profile.name));
  else
    void services.ui.warn(
      l10n.t(
        'The state of {0} was saved with its first {1} executions. Later ones are not in it.',
        profile.name,
        formatNumber(MAX_EXECUTIONS),
      ),
    );
}

/** Starts a sandbox anew from a saved state. Rejects with Error if the file is none, or the sandbox does not start. */
export async function loadSandboxState(services: Services, argument?: unknown, file?: vscode.Uri): Promise<void> {
  const title = l10n.t('Load State');
  const sandbox = await pickSandbox(services, argument, title);
  if (sandbox === undefined) return;
  const filters = { [l10n.t('State of a sandbox')]: ['json'] };
  const [source] = file === undefined ? ((await vscode.window.showOpenDialog({ title, filters })) ?? []) : [file];
  if (source === undefined) return;
  const label = source.path.split('/').at(-1) ?? '';
  const state = parseState(await readTextFile(source.fsPath, MAX_STATE_BYTES, label));
  if (state === undefined) throw new Error(l10n.t('{0} is not the state of a sandbox', label));
  if (!(await confirmLoss(services, sandbox, l10n.t('Load')))) return;
  const { port } = sandbox.state;
  await restartSandbox(services, sandbox.profile.name, { ...state, port });
}

/** Starts a sandbox anew from its seed, after a confirmation. Rejects with Error if it does not start. */
export async function resetSandbox(services: Services, argument?: unknown): Promise<void> {
  const sandbox = await pickSandbox(services, argument, l10n.t('Reset to Seed'));
  if (sandbox === undefined || !(await confirmLoss(services, sandbox, l10n.t('Reset')))) return;
  const { seed, objects, port } = sandbox.state;
  await restartSandbox(services, sandbox.profile.name, { seed, objects, port });
}

function confirmLoss({ ui }: Services, { profile }: RunningSandbox, confirmLabel: string): Promise<boolean> {
  return ui.confirm({
    message: l10n.t('{0}: replace all data?', profile.name),
    detail: l10n.t('What was executed since the start will be lost.'),
    confirmLabel,
  });
}

/**
 * Copies templates, faces, assets and objects of another connection into a sandbox; ids stay. Rejects with PlatformError if
 * they cannot be read, and with Error if the sandbox has ended.
 */
export async function importIntoSandbox(services: Services, argument?: unknown): Promise<void> {
  const { ui, sessions } = services;
  const sandbox = await pickSandbox(services, argument, l10n.t('Import'));
  if (sandbox === undefined) return;
  const { name, baseUrl } = sandbox.profile;
  const others = sessions.all.filter(({ profile }) => profile.baseUrl !== baseUrl);
  if (others.length === 0) {
    void ui.info(l10n.t('Add a connection to import from first.'));
    return;
  }
  const chosen = await ui.pick(createSessionItems(others, undefined), {
    title: l10n.t('{0}: Import', name),
    placeHolder: l10n.t('Select the connection whose templates, faces and newest objects are copied'),
  });
  if (chosen === undefined) return;
  const { session } = chosen;
  const resources = await ui.progress(l10n.t('Importing from {0}', session.heading), async (stop, report) =>
    readResources(session.client, AbortSignal.any([stop, session.ended]), ({ templates, objects }) =>
      report(
        [
          pluralize(objects, l10n.t('{0} object|{0} objects')),
          pluralize(templates, l10n.t('{0} template|{0} templates')),
        ].join(' · '),
      ),
    ),
  );
  await sandbox.import(resources);
  await vscode.commands.executeCommand('smartObjects.refresh', {
    type: 'connection',
    key: encodeURIComponent(name),
    connection: name,
  });
  void ui.info(
    l10n.t(
      'Imported into {0}: {1}, {2} and {3}.',
      name,
      pluralize(resources.objects.length, l10n.t('{0} object|{0} objects')),
      pluralize(resources.templates.length, l10n.t('{0} template|{0} templates')),
      pluralize(resources.faces.length, l10n.t('{0} face|{0} faces')),
    ),
  );
}
