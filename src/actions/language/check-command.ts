import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { formatIdentity } from '../../model/heading.ts';
import { getLineAndColumn } from '../file/action-file.ts';
import { ACTION_FILES } from '../file/file-names.ts';
import type { Finding } from '../file/findings.ts';
import { requestSignIn } from '../run/confirm/confirm-runs.ts';
import { getSources } from '../run/sources.ts';
import type { LanguageFeatures } from './language-features.ts';

/**
 * Checks a file against the platform and reports the worst finding. Resolves with all; none if the user cancelled.
 * Rejects with Error if the workspace has no action file.
 */
export async function checkAction(
  services: Services,
  language: LanguageFeatures,
  argument: unknown,
): Promise<readonly Finding[]> {
  const { sessions, ui } = services;
  const [source] = await getSources(ui, argument, undefined, ACTION_FILES);
  if (source?.uri === undefined) return [];
  const document = await vscode.workspace.openTextDocument(source.uri);
  const chosen = await sessions.getOrPickActive(`Check ${source.name} against`);
  const session = chosen && (await requestSignIn(services, chosen, 'the check goes on'));
  if (session === undefined) return [];
  const where = formatIdentity(session.profile.name, session.identityName);
  const findings = await ui.progress(`Check ${source.name} on ${where}`, (signal) =>
    language.preflight(document, session, signal),
  );
  const notChecked = findings.find(({ code }) => code === 'notChecked');
  const worst =
    findings.find(({ severity }) => severity === 'error') ?? findings.find(({ severity }) => severity === 'warning');
  const count = findings.length;
  if (worst === undefined && notChecked !== undefined) {
    void ui.warn(`${source.name} on ${where}: ${notChecked.message}`);
  } else if (worst === undefined) {
    const hints = count === 0 ? '' : ` ${String(count)} ${count === 1 ? 'remark' : 'remarks'} in Problems.`;
    void ui.info(`${source.name}: nothing stands against it on ${where} as far as can be seen.${hints}`);
  } else {
    const { line } = getLineAndColumn(source.text, worst.offset);
    const more = count > 1 ? ` ${String(count - 1)} more in Problems.` : '';
    const fileName = source.uri.path.split('/').at(-1) ?? source.name;
    void ui.warn(`${fileName}, line ${String(line)}: ${worst.message}.${more}`);
  }
  return findings;
}
