import type { Session } from '../../../model/session.ts';
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
  const role = identityName === undefined ? 'Your role' : `The role of ${identityName}`;
  const denied = isDenied ? [`${role} lacked the permission ${resource}: ${verb} when it was last read.`] : [];
  const credentials = files.flatMap(({ name, file }) =>
    checkActionFile(file, secrets)
      .filter(({ code }) => code === 'credential')
      .map(({ offset, message }) => `${name}, line ${String(getLineAndColumn(file.text, offset).line)}: ${message}.`),
  );
  return [...denied, ...credentials];
}
