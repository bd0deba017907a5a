import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { checkActionFile } from '../file/check-action-file.ts';
import { createActionFile, parseActionFile, getProperty, getSpan } from '../file/action-file.ts';
import { findSuiteProblems } from './validate-test-file.ts';
import { isSuitePath, MAX_FILES } from '../file/file-names.ts';
import { Findings, type Finding } from '../file/findings.ts';
import { suggest } from '../file/suggest.ts';

/** Whether a file exists, by its path relative to the checked one. */
type FileExists = (relative: string) => Promise<boolean>;

/** The identities that a file can name, those of the active connection. */
export interface KnownIdentities {
  readonly connection: string;
  readonly names: readonly string[];
}

interface CheckOptions {
  readonly secrets?: readonly string[];
  /** absent: names of identities are not checked */
  readonly identities?: KnownIdentities | undefined;
}

/**
 * Checks a suite or expectation for missing files, unknown identities and invalid patterns. The JSON schema reports syntax, unknown keys
 * and types. Never rejects.
 */
export async function checkTestFile(
  path: string,
  text: string,
  exists: FileExists,
  { secrets = [], identities }: CheckOptions = {},
): Promise<readonly Finding[]> {
  const file = parseActionFile(text);
  const { root } = file;
  const tooLarge = file.problems.find(({ code }) => code === 'tooLarge');
  const findings = new Findings();
  if (tooLarge !== undefined) findings.add(tooLarge, tooLarge.code, 'error', tooLarge.message);
  if (root === undefined || file.problems.some(({ code }) => code !== 'noAction')) return findings.list;
  const steps = isSuitePath(path) ? (getProperty(root, 'steps')?.children ?? []) : [];
  for (const holder of [root, ...steps]) checkIdentity(getProperty(holder, 'as'), identities, findings);
  if (isSuitePath(path)) {
    for (const problem of findSuiteProblems(file.text, root))
      if (problem.code === 'sameName') findings.add(problem, problem.code, 'error', problem.message);
    for (const step of steps) {
      const request = getProperty(step, 'request');
      if (request?.type !== 'object' || findings.isFull) continue;
      for (const { code, severity, message, fixes, ...at } of checkActionFile(
        createActionFile(file.text, request),
        secrets,
      ))
        findings.add(at, code, severity, message, fixes);
    }
    for (const step of steps.slice(0, MAX_FILES)) {
      const node = getProperty(step, 'file');
      if (typeof node?.value !== 'string' || node.value === '' || findings.isFull) continue;
      if (!(await exists(node.value)))
        findings.add(
          getSpan(node),
          'noFile',
          'warning',
          l10n.t('File {0} was not found', toPlainText(node.value, 200)),
        );
    }
  } else {
    const name =
      path
        .split('/')
        .at(-1)
        ?.replace(/\.expect\.json$/, '') ?? '';
    if (!(await exists(`${name}.action.json`)) && !(await exists(`${name}.json`)))
      findings.add(
        { offset: root.offset, length: 1 },
        'noFile',
        'warning',
        l10n.t('File {0} was not found, so this expectation is not used', `${toPlainText(name, 200)}.action.json`),
      );
  }
  if (text.includes('$match')) {
    const { findPatternProblems: patternProblems } = await import('./pattern.ts');
    for (const problem of patternProblems(root)) findings.add(problem, 'pattern', 'warning', problem.message);
  }
  return findings.list;
}

function checkIdentity(node: Node | undefined, identities: KnownIdentities | undefined, findings: Findings): void {
  if (typeof node?.value !== 'string' || node.value === '' || identities === undefined) return;
  const { connection, names } = identities;
  if (names.includes(node.value)) return;
  const suggestion = suggest(node.value, names);
  const [where, identity] = [toPlainText(connection, 64), toPlainText(node.value, 64)];
  const message =
    suggestion === undefined
      ? l10n.t('{0} has no identity {1}. Use Sign In with Another Identity… to add it', where, identity)
      : l10n.t('{0} has no identity {1}. Did you mean {2}?', where, identity, suggestion);
  findings.add(getSpan(node), 'noIdentity', 'warning', message);
}
