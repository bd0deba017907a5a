/** What cannot come true in suites and expectations: files that are not there, patterns that match nothing. Pure: hints. */
import type { Node } from 'jsonc-parser';
import { checkFile, type Finding } from './check.ts';
import { isSuite, parseSuite } from './expect.ts';
import { parseActionFile, propertyOf, spanOf, type Span } from './file.ts';

/** Whether a file is there, by its path relative to the one that is checked. */
export type Exists = (relative: string) => Promise<boolean>;

/** Never throws; broken JSON and unknown names are the schema's to tell. */
export async function checkTests(path: string, text: string, exists: Exists): Promise<readonly Finding[]> {
  const { root, problems } = parseActionFile(text);
  if (root === undefined || problems.some(({ code }) => code !== 'noAction')) return [];
  const findings: Finding[] = [];
  const add = (code: string, { offset, length }: Span, message: string): void => {
    findings.push({ code, severity: 'warning', message, offset, length, fixes: [] });
  };
  const nodes = isSuite(path) ? (propertyOf(root, 'steps')?.children ?? []) : [];
  for (const node of nodes) findings.push(...checkRequest(text, propertyOf(node, 'request')));
  try {
    if (isSuite(path)) {
      for (const [index, { file }] of parseSuite(text).entries()) {
        const node = propertyOf(nodes[index], 'file');
        if (file !== undefined && node !== undefined && !(await exists(file)))
          add('noFile', spanOf(node), `There is no file ${file.slice(0, 200)} beside this suite`);
      }
    } else {
      const name =
        path
          .split('/')
          .at(-1)
          ?.replace(/\.expect\.json$/, '') ?? '';
      if (!(await exists(`${name}.action.json`)) && !(await exists(`${name}.json`)))
        add('noFile', { offset: root.offset, length: 1 }, `Nothing is run with this: there is no ${name}.action.json`);
    }
  } catch (error) {
    // A request that cannot be sent is told where it stands.
    if (!findings.some(({ severity }) => severity === 'error'))
      add('suite', { offset: root.offset, length: 1 }, error instanceof Error ? error.message : 'Not understood');
  }
  patterns(root, add);
  return findings;
}

/** A step's own action is checked as a file of its own; what is found stands at its place in the suite. */
function checkRequest(text: string, request: Node | undefined): readonly Finding[] {
  if (request?.type !== 'object') return [];
  const start = request.offset;
  return checkFile(parseActionFile(text.slice(start, start + request.length))).map((finding) => ({
    ...finding,
    offset: start + finding.offset,
    fixes: finding.fixes.map((fix) => ({
      ...fix,
      edits: fix.edits.map((edit) => ({ ...edit, offset: start + edit.offset })),
    })),
  }));
}

/** Documents that `checkTests` is for. */
export function isTests(path: string): boolean {
  return isSuite(path) || path.endsWith('.expect.json');
}

function patterns(node: Node, add: (code: string, at: Span, message: string) => void): void {
  const value = propertyOf(node, '$match');
  if (value !== undefined && !isPattern(value.value))
    add('pattern', spanOf(value), 'Not a regular expression: this can never match');
  node.children?.forEach((child) => {
    patterns(child, add);
  });
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u').source !== '';
  } catch {
    return false;
  }
}
