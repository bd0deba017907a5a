/** Which actions a file stands for, in order, and what is expected of each. Pure: files are read by whoever calls. */
import { demandPatterns, expectationPath, isSuite, parseExpectation, parseSuite, type Expectation } from './expect.ts';
import { lineAndColumn, nameOfFile } from './file.ts';
import { TestFileError } from './test-file-error.ts';

export { lineAndColumn };

/** One action with what is expected of it. */
export interface Case {
  /** what `${run:…}` calls it, and people */
  readonly name: string;
  /** path of the action's own file, else of the suite: what `${file:…}` is relative to */
  readonly path: string;
  readonly text: string;
  /** where `text` begins in `blame.text`, for an action that stands in a suite */
  readonly start?: number;
  readonly expect: Expectation;
  /** path and place to point at when it goes otherwise */
  readonly blame: { readonly path: string; readonly offset: number; readonly text: string };
}

/** The text of a file; `undefined` where there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** Resolves a suite's relative path; throws where it leaves what may be read. */
export type ResolvePath = (from: string, relative: string) => string | Promise<string>;

/** Throws TestFileError, or an error that names the file, for a suite or an expectation that makes no sense. */
export async function casesOf(path: string, read: ReadText, resolve: ResolvePath): Promise<readonly Case[]> {
  const text = await read(path);
  if (text === undefined) throw new Error(`${path}: there is no such file`);
  if (!isSuite(path)) return [await single(path, text, read)];
  const steps = await readAt(path, text, parseSuite);
  const cases: Case[] = [];
  for (const { name, file, request, expect, offset } of steps) {
    const blame = { path, offset, text };
    if (request !== undefined) {
      cases.push({ name, path, text: request.text, start: request.offset, expect, blame });
      continue;
    }
    const at = await resolveStep(path, text, file ?? '', offset, resolve);
    const action = await read(at);
    if (action === undefined)
      throw new TestFileError([{ message: `There is no file ${file ?? ''}`, ...lineAndColumn(text, offset) }], path);
    const neighbour = Object.keys(expect).length > 0 ? undefined : await read(expectationPath(at));
    const expected = neighbour === undefined ? expect : await readAt(expectationPath(at), neighbour, parseExpectation);
    cases.push({ name, path: at, text: action, expect: expected, blame });
  }
  return cases;
}

async function resolveStep(
  path: string,
  text: string,
  file: string,
  offset: number,
  resolve: ResolvePath,
): Promise<string> {
  try {
    return await resolve(path, file);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The file cannot be read';
    throw new TestFileError([{ message, ...lineAndColumn(text, offset) }], path);
  }
}

async function single(path: string, text: string, read: ReadText): Promise<Case> {
  const neighbour = expectationPath(path);
  const expected = neighbour === path ? undefined : await read(neighbour);
  return {
    name: nameOfFile(path),
    path,
    text,
    expect: expected === undefined ? {} : await readAt(neighbour, expected, parseExpectation),
    blame: { path, offset: 0, text },
  };
}

async function readAt<T>(path: string, text: string, parse: (text: string) => T): Promise<T> {
  try {
    const value = parse(text);
    await demandPatterns(text);
    return value;
  } catch (error) {
    throw error instanceof TestFileError ? new TestFileError(error.problems, path) : error;
  }
}

/** Place of a character of a case's text in the file that holds it. */
export function placeIn(
  { path, text, start, blame }: Case,
  offset: number,
): { readonly path: string; readonly line: number; readonly column: number } {
  if (start === undefined) return { path, ...lineAndColumn(text, offset) };
  return { path: blame.path, ...lineAndColumn(blame.text, start + offset) };
}
