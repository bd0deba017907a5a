import * as l10n from '@vscode/l10n';
import { validatePatterns, parseExpectation, parseSuite, type Expectation } from './expectation.ts';
import { getLineAndColumn } from '../file/action-file.ts';
import { TestFileError } from './test-file-error.ts';
import { getActionName, getExpectationPath, isScenarioPath, isSuitePath } from '../file/file-names.ts';

/** One action with its expectation. */
export interface TestCase {
  /** name in results and in `${run:NAME…}` */
  readonly name: string;
  /** path of the action file, or of the suite of an inline action; `${file:…}` is relative to it */
  readonly path: string;
  readonly text: string;
  /** offset of `text` in `location.text`, for an inline action */
  readonly start?: number;
  /** name of the identity that runs it; absent: the one that the user chose */
  readonly as?: string;
  readonly expect: Expectation;
  /** place to show when the case fails */
  readonly location: { readonly path: string; readonly offset: number; readonly text: string };
}

/** Reads a file; `undefined` if it does not exist. */
type ReadText = (path: string) => Promise<string | undefined>;

/** Resolves a relative path of a suite; throws outside the permitted folder. */
type ResolvePath = (from: string, relative: string) => string | Promise<string>;

/**
 * The test cases of an action file or a suite, in order. Rejects with TestFileError for an invalid suite or
 * expectation.
 */
export async function readTestCases(path: string, read: ReadText, resolve: ResolvePath): Promise<readonly TestCase[]> {
  const text = await read(path);
  if (text === undefined) throw new Error(l10n.t('File {0} was not found', path));
  if (!isSuitePath(path)) return [await readSingleCase(path, text, read)];
  const steps = await parseFile(path, text, (suite) => parseSuite(suite, isScenarioPath(path)));
  const cases: TestCase[] = [];
  for (const { name, as, file, request, expect, offset, expectOffset } of steps) {
    const location = { path, offset: expectOffset, text };
    if (request !== undefined) {
      cases.push({ name, path, text: request.text, start: request.offset, ...pickIdentity(as), expect, location });
      continue;
    }
    const stepPath = await resolveStep(path, text, file ?? '', offset, resolve);
    const action = await read(stepPath);
    if (action === undefined)
      throw new TestFileError(
        [{ message: l10n.t('File {0} was not found', file ?? ''), ...getLineAndColumn(text, offset) }],
        path,
      );
    const expectationText = Object.keys(expect).length > 0 ? undefined : await read(getExpectationPath(stepPath));
    const expected =
      expectationText === undefined
        ? expect
        : await parseFile(getExpectationPath(stepPath), expectationText, parseExpectation);
    cases.push({ name, path: stepPath, text: action, ...pickIdentity(as ?? expected.as), expect: expected, location });
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
    const message = error instanceof Error ? error.message : l10n.t('The file could not be read');
    throw new TestFileError([{ message, ...getLineAndColumn(text, offset) }], path);
  }
}

async function readSingleCase(path: string, text: string, read: ReadText): Promise<TestCase> {
  const expectationFile = getExpectationPath(path);
  const expected = expectationFile === path ? undefined : await read(expectationFile);
  const expect = expected === undefined ? {} : await parseFile(expectationFile, expected, parseExpectation);
  return {
    name: getActionName(path),
    path,
    text,
    ...pickIdentity(expect.as),
    expect,
    location: { path, offset: 0, text },
  };
}

function pickIdentity(as: unknown): Pick<TestCase, 'as'> {
  return typeof as === 'string' ? { as } : {};
}

async function parseFile<T>(path: string, text: string, parse: (text: string) => T): Promise<T> {
  try {
    const value = parse(text);
    await validatePatterns(text);
    return value;
  } catch (error) {
    throw error instanceof TestFileError ? new TestFileError(error.problems, path) : error;
  }
}

/** Place of an offset in the text of a case, in its file, both from 1. */
export function getSourceLocation(
  { path, text, start, location }: TestCase,
  offset: number,
): { readonly path: string; readonly line: number; readonly column: number } {
  if (start === undefined) return { path, ...getLineAndColumn(text, offset) };
  return { path: location.path, ...getLineAndColumn(location.text, start + offset) };
}

/** Place to show when a test case fails, both from 1. */
export function getTestLocation({ location: { path, text, offset } }: TestCase): {
  readonly path: string;
  readonly line: number;
  readonly column: number;
} {
  return { path, ...getLineAndColumn(text, offset) };
}
