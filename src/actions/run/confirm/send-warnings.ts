import * as l10n from '@vscode/l10n';
import type { Session } from '../../../model/session/session.ts';
import { executeAction } from '../../../platform/resources/actions.ts';
import { checkActionFile } from '../../file/check-action-file.ts';
import { type ActionFile, getLineAndColumn } from '../../file/action-file.ts';

interface NamedFile {
  readonly name: string;
  readonly file: ActionFile;
}

/** Returns warnings, a sentence each: a permission that the role is known to lack, and credentials in the files. */
export function getSendWarnings(
  files: readonly NamedFile[],
  session: Pick<Session, 'hasPermission'> & Partial<Pick<Session, 'identityName'>>,
  secrets: readonly string[],
): readonly string[] {
  const { resource, verb } = executeAction.permission ?? {};
  const isDenied = resource !== undefined && verb !== undefined && session.hasPermission(resource, verb) === false;
  const { identityName } = session;
  const permission = `${resource ?? ''}: ${verb ?? ''}`;
  const warning =
    identityName === undefined
      ? l10n.t('Your role lacked the permission {0} when it was last read.', permission)
      : l10n.t('The role of {0} lacked the permission {1} when it was last read.', identityName, permission);
  const credentials = files.flatMap(({ name, file }) =>
    checkActionFile(file, secrets)
      .filter(({ code }) => code === 'credential')
      .map(({ offset, message }) =>
        l10n.t('{0}, line {1}: {2}.', name, getLineAndColumn(file.text, offset).line, message),
      ),
  );
  return [...(isDenied ? [warning] : []), ...credentials];
}
