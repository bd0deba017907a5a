/** What is known to stand against sending, before anything is sent. No vscode. */
import type { Session } from '../connections/types.ts';
import { executeAction } from '../platform/resources/actions.ts';
import { checkFile } from './check.ts';
import type { ActionFile } from './file.ts';
import { lineAndColumn } from './plan.ts';

export interface NamedFile {
  readonly name: string;
  readonly file: ActionFile;
}

/** Sentences: a permission that the role lacks as far as it is known, and credentials that stand in the files. */
export function objectionsTo(
  files: readonly NamedFile[],
  session: Pick<Session, 'can'>,
  secrets: readonly string[],
): readonly string[] {
  const { resource, verb } = executeAction.permission ?? {};
  const isDenied = resource !== undefined && verb !== undefined && session.can(resource, verb) === false;
  const denied = isDenied ? [`Your role lacked the permission ${resource}: ${verb} when it was last read.`] : [];
  const credentials = files.flatMap(({ name, file }) =>
    checkFile(file, secrets)
      .filter(({ code }) => code === 'credential')
      .map(({ offset, message }) => `${name}, line ${String(lineAndColumn(file.text, offset).line)}: ${message}.`),
  );
  return [...denied, ...credentials];
}
