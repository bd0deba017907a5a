import * as l10n from '@vscode/l10n';
import { LocatedError } from '../../model/command-errors.ts';
import { getLineAndColumn, parseActionFile, type ActionFile, type Problem } from '../file/action-file.ts';
import type { ActionSource } from '../file/action-source.ts';
import { getActionName, isSuitePath } from '../file/file-names.ts';
import { findVariables } from '../file/variables.ts';

/** A source whose text can be sent, with that text parsed. */
export interface PreparedRun<Source extends ActionSource = ActionSource> {
  readonly source: Source;
  readonly file: ActionFile;
}

/** The prepare stage: parses a source. Returns the problem of a text that cannot be sent. */
export function parseSource<Source extends ActionSource>(source: Source): PreparedRun<Source> | Problem {
  const file = parseActionFile(source.text);
  return file.problems[0] ?? { source, file };
}

/** The prepare stage of the editor. Throws for a text that cannot be sent: LocatedError if the text is that of a file. */
export function prepare(source: ActionSource): PreparedRun {
  const path = source.uri?.path ?? '';
  if (isSuitePath(path) && getActionName(path) === source.name)
    throw new Error(
      l10n.t('{0} is a suite. Run it in the Test Explorer, as a task or on the command line', source.name),
    );
  const prepared = parseSource(source);
  if ('file' in prepared) return prepared;
  throw createError(source, prepared.offset, prepared.message);
}

/** As `prepare`, for a single run: throws for a text with columns of data, too. */
export function prepareSingle(source: ActionSource): PreparedRun {
  const prepared = prepare(source);
  const place = findVariables(prepared.file).find(({ variable }) => variable.kind === 'row');
  if (place === undefined) return prepared;
  const message = l10n.t('{0} is a column of a data file. Use Run with Data… to run the file', place.variable.text);
  throw createError(source, place.node.offset, message);
}

function createError({ uri, name, text }: ActionSource, offset: number, reason: string): Error {
  const { line, column } = getLineAndColumn(text, offset);
  // A step of a suite has its own text: its lines are not those of the file.
  const fileUri = uri !== undefined && getActionName(uri.path) === name ? uri : undefined;
  const fileName = fileUri?.path.split('/').at(-1) ?? name;
  const message = l10n.t('{0}, line {1}: {2}. Nothing was sent', fileName, line, reason);
  return fileUri === undefined
    ? new Error(message)
    : new LocatedError(message, { uri: fileUri.toString(), line, column });
}
