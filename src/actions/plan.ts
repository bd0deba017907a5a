/** Which actions a file stands for, in order, and what is expected of each. Pure: files are read by whoever calls. */
import { expectationPath, isSuite, parseExpectation, parseSuite, type Expectation } from './expect.ts';
import { nameOfFile } from './file.ts';

/** One action with what is expected of it. */
export interface Case {
  /** what `${run:…}` calls it, and people */
  readonly name: string;
  /** path of the action's own file, else of the suite: what `${file:…}` is relative to */
  readonly path: string;
  readonly text: string;
  readonly expect: Expectation;
  /** path and place to point at when it goes otherwise */
  readonly blame: { readonly path: string; readonly offset: number; readonly text: string };
}

/** The text of a file; `undefined` where there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** Resolves a suite's relative path; throws where it leaves what may be read. */
export type ResolvePath = (from: string, relative: string) => string;

/** Throws, naming file and reason, for a suite or an expectation that makes no sense. */
export async function casesOf(path: string, read: ReadText, resolve: ResolvePath): Promise<readonly Case[]> {
  const text = await read(path);
  if (text === undefined) throw new Error(`${path}: there is no such file`);
  if (!isSuite(path)) return [await single(path, text, read)];
  const steps = inWords(path, () => parseSuite(text));
  const cases: Case[] = [];
  for (const { name, file, text: own, expect, offset } of steps) {
    const blame = { path, offset, text };
    if (own !== undefined) {
      cases.push({ name, path, text: own, expect, blame });
      continue;
    }
    const at = resolve(path, file ?? '');
    const action = await read(at);
    if (action === undefined) throw new Error(`${path}: ${name}: there is no file ${file ?? ''}`);
    const neighbour = Object.keys(expect).length > 0 ? undefined : await read(expectationPath(at));
    const expected = neighbour === undefined ? expect : inWords(expectationPath(at), () => parseExpectation(neighbour));
    cases.push({ name, path: at, text: action, expect: expected, blame });
  }
  return cases;
}

async function single(path: string, text: string, read: ReadText): Promise<Case> {
  const neighbour = expectationPath(path);
  const expected = neighbour === path ? undefined : await read(neighbour);
  return {
    name: nameOfFile(path),
    path,
    text,
    expect: expected === undefined ? {} : inWords(neighbour, () => parseExpectation(expected)),
    blame: { path, offset: 0, text },
  };
}

function inWords<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : 'not understood'}`, { cause: error });
  }
}

/** From 1. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
