/** Reads a source before anything is asked; what is broken is named with its file and place. Pure. */
import { PlacedError } from '../ui/placed-error.ts';
import { isSuite } from './expect.ts';
import { nameOfFile, parseActionFile, type ActionFile } from './file.ts';
import { lineAndColumn } from './plan.ts';
import type { Source } from './runner.ts';

export interface Prepared {
  readonly source: Source;
  readonly file: ActionFile;
}

/** Throws for what blocks sending: a PlacedError where the text is that of a file. */
export function prepare(source: Source): Prepared {
  const path = source.uri?.path ?? '';
  if (isSuite(path) && nameOfFile(path) === source.name)
    throw new Error(`${source.name} is a suite: run it in the Test Explorer, as a task or on the command line`);
  const file = parseActionFile(source.text);
  const problem = file.problems[0];
  if (problem !== undefined) {
    const { uri, name } = source;
    const { line, column } = lineAndColumn(source.text, problem.offset);
    // A step of a suite has its own text: its lines are not the file's.
    const own = uri !== undefined && nameOfFile(uri.path) === name ? uri : undefined;
    const shown = own?.path.split('/').at(-1) ?? name;
    const message = `${shown}, line ${String(line)}: ${problem.message}. Nothing was sent`;
    throw own === undefined ? new Error(message) : new PlacedError(message, { uri: own.toString(), line, column });
  }
  return { source, file };
}
