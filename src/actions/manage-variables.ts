/** What variables remember, for a person to replace or forget; the value of a secret is never shown. */
import type * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { lineOf } from './record.ts';
import { allowedNames, allowName, askSecret, inputsOf, keptSecrets, rememberInput, secretOf } from './remembered.ts';

interface Row extends vscode.QuickPickItem {
  /** absent: there is nothing to replace */
  readonly replace?: () => Promise<unknown>;
  /** absent: there is nothing to forget */
  readonly forget?: () => PromiseLike<unknown>;
}

export async function manageVariables(services: Services): Promise<void> {
  const { context, ui, sessions } = services;
  const rows: Row[] = (await keptSecrets(context)).map((secret) => ({
    label: `$(key) ${lineOf(secret.name)}`,
    description: `secret · ${secret.connection} · ${secret.origin}`,
    replace: () => askSecret(services, secret),
    forget: () => context.secrets.delete(secret.key),
  }));
  for (const [name, value] of inputsOf(context))
    rows.push({
      label: `$(symbol-variable) ${lineOf(name)}`,
      description: `input · ${lineOf(value, 60)}`,
      replace: async () => {
        const next = await ui.input({ title: `Value of \${input:${lineOf(name)}}`, value });
        if (next !== undefined) await rememberInput(context, name, next);
      },
      forget: () => rememberInput(context, name, undefined),
    });
  for (const name of allowedNames(context))
    rows.push({
      label: `$(terminal) ${lineOf(name)}`,
      description: 'environment variable that action files of this workspace may read',
      forget: () => allowName(context, name, false),
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
        if (name !== undefined) await askSecret(services, secretOf(session, name));
      },
    });
  if (rows.length === 0) throw new Error('Action files have asked for no variable yet, and there is no connection');
  const row = await ui.pick(rows, { title: 'Action Variables', placeHolder: 'What action files use' });
  if (row === undefined) return;
  const { replace, forget } = row;
  if (forget === undefined || replace === undefined) {
    if (replace !== undefined) await replace();
    else if (
      await ui.confirm({ message: `Forget that ${row.label.replace(/^\S+ /, '')} may be read?`, action: 'Forget' })
    )
      await forget?.();
    return;
  }
  const what = await ui.pick(
    [{ label: 'Replace…' }, { label: 'Forget', description: 'it is asked for again when an action file needs it' }],
    { title: `${row.label.replace(/^\S+ /, '')}: ${row.description ?? ''}` },
  );
  if (what?.label === 'Forget') await forget();
  else if (what !== undefined) await replace();
}
