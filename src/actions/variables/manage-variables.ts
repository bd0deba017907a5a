import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import {
  getAllowedEnvironment,
  setEnvironmentAllowed,
  promptSecret,
  getStoredInputs,
  getStoredSecrets,
  storeInput,
  getSecretReference,
} from './stored-variables.ts';
import { formatPair } from '../../platform/text/localization.ts';

interface Row extends vscode.QuickPickItem {
  /** title of the choice what to do with it */
  readonly name: string;
  /** absent if it cannot be replaced */
  readonly replace?: () => Promise<unknown>;
  /** absent if it cannot be removed */
  readonly forget?: () => PromiseLike<unknown>;
}

/** Shows the stored variables, to replace or forget one. Rejects with Error if there is none to show. */
export async function manageVariables(services: Services): Promise<void> {
  const { context, ui, sessions } = services;
  const rows: Row[] = (await getStoredSecrets(context)).map((secret) => ({
    name: formatLine(secret.name),
    label: `$(key) ${formatLine(secret.name)}`,
    description: `${l10n.t('secret')} · ${secret.connection} · ${secret.origin}`,
    replace: () => promptSecret(services, secret),
    forget: () => context.secrets.delete(secret.key),
  }));
  for (const [name, value] of getStoredInputs(context))
    rows.push({
      name: formatLine(name),
      label: `$(symbol-variable) ${formatLine(name)}`,
      description: `${l10n.t('input')} · ${formatLine(value, 60)}`,
      replace: async () => {
        const next = await ui.input({ title: l10n.t('Value of {0}', `\${input:${formatLine(name)}}`), value });
        if (next !== undefined) await storeInput(context, name, next);
      },
      forget: () => storeInput(context, name, undefined),
    });
  for (const name of getAllowedEnvironment(context))
    rows.push({
      name: formatLine(name),
      label: `$(terminal) ${formatLine(name)}`,
      description: l10n.t('environment variable that action files of this workspace can read'),
      forget: () => setEnvironmentAllowed(context, name, false),
    });
  const session = sessions.active;
  if (session !== undefined)
    rows.push({
      name: '',
      label: `$(add) ${l10n.t('New Secret…')}`,
      description: l10n.t('for {0}', session.profile.name),
      replace: async () => {
        const name = await ui.input({
          title: l10n.t('New Secret for {0}', session.profile.name),
          prompt: l10n.t('Enter a name for the secret. Action files use it as {0}.', '${secret:NAME}'),
          validateInput: (text) =>
            /^[^{}\s]{1,300}$/.test(text) ? undefined : l10n.t('Enter a name without spaces and braces.'),
        });
        if (name !== undefined) await promptSecret(services, getSecretReference(session, name));
      },
    });
  if (rows.length === 0) throw new Error(l10n.t('There are no variables, and no connection for a new secret'));
  const row = await ui.pick(rows, {
    title: l10n.t('Action Variables'),
    placeHolder: l10n.t('Select a variable to change'),
  });
  if (row === undefined) return;
  const { replace, forget } = row;
  if (forget === undefined || replace === undefined) {
    if (replace !== undefined) await replace();
    else if (
      await ui.confirm({
        message: l10n.t('Revoke the access to the environment variable {0}?', row.name),
        confirmLabel: l10n.t('Revoke'),
      })
    )
      await forget?.();
    return;
  }
  const choice = await ui.pick(
    [
      { label: l10n.t('Replace…'), run: replace },
      {
        label: l10n.t('Delete'),
        description: l10n.t('you are prompted again when an action file uses it'),
        run: forget,
      },
    ],
    { title: formatPair(row.name, row.description ?? '') },
  );
  await choice?.run();
}
