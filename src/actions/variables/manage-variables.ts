import type * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { formatLine } from '../../model/run-record.ts';
import {
  getAllowedEnvironment,
  setEnvironmentAllowed,
  promptSecret,
  getStoredInputs,
  getStoredSecrets,
  storeInput,
  getSecretReference,
} from './stored-variables.ts';

interface Row extends vscode.QuickPickItem {
  /** absent if it cannot be replaced */
  readonly replace?: () => Promise<unknown>;
  /** absent if it cannot be removed */
  readonly forget?: () => PromiseLike<unknown>;
}

/** Shows the stored variables, to replace or forget one. Rejects with Error if there is none to show. */
export async function manageVariables(services: Services): Promise<void> {
  const { context, ui, sessions } = services;
  const rows: Row[] = (await getStoredSecrets(context)).map((secret) => ({
    label: `$(key) ${formatLine(secret.name)}`,
    description: `secret · ${secret.connection} · ${secret.origin}`,
    replace: () => promptSecret(services, secret),
    forget: () => context.secrets.delete(secret.key),
  }));
  for (const [name, value] of getStoredInputs(context))
    rows.push({
      label: `$(symbol-variable) ${formatLine(name)}`,
      description: `input · ${formatLine(value, 60)}`,
      replace: async () => {
        const next = await ui.input({ title: `Value of \${input:${formatLine(name)}}`, value });
        if (next !== undefined) await storeInput(context, name, next);
      },
      forget: () => storeInput(context, name, undefined),
    });
  for (const name of getAllowedEnvironment(context))
    rows.push({
      label: `$(terminal) ${formatLine(name)}`,
      description: 'environment variable that action files of this workspace may read',
      forget: () => setEnvironmentAllowed(context, name, false),
    });
  const session = sessions.active;
  if (session !== undefined)
    rows.push({
      label: '$(add) New Secret…',
      description: `for ${session.profile.name}`,
      replace: async () => {
        const name = await ui.input({
          title: `New secret for ${session.profile.name}`,
          prompt: 'The NAME of ${secret:NAME} in action files.',
          validateInput: (text) => (/^[^{}\s]{1,300}$/.test(text) ? undefined : 'A name without spaces and braces'),
        });
        if (name !== undefined) await promptSecret(services, getSecretReference(session, name));
      },
    });
  if (rows.length === 0) throw new Error('Action files have asked for no variable yet, and there is no connection');
  const row = await ui.pick(rows, { title: 'Action Variables', placeHolder: 'What action files use' });
  if (row === undefined) return;
  const { replace, forget } = row;
  if (forget === undefined || replace === undefined) {
    if (replace !== undefined) await replace();
    else if (
      await ui.confirm({
        message: `Forget that ${row.label.replace(/^\S+ /, '')} may be read?`,
        confirmLabel: 'Forget',
      })
    )
      await forget?.();
    return;
  }
  const choice = await ui.pick(
    [{ label: 'Replace…' }, { label: 'Forget', description: 'it is asked for again when an action file needs it' }],
    { title: `${row.label.replace(/^\S+ /, '')}: ${row.description ?? ''}` },
  );
  if (choice?.label === 'Forget') await forget();
  else if (choice !== undefined) await replace();
}
