import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { requireSession } from '../../model/session/require-session.ts';
import { formatIdentity } from '../../model/text/heading.ts';
import { getLineAndColumn } from '../file/action-file.ts';
import { ACTION_FILES } from '../file/file-names.ts';
import type { Finding } from '../file/findings.ts';
import { requestSignIn } from '../run/confirm/confirm-runs.ts';
import { getSources } from '../run/sources.ts';
import type { LanguageFeatures } from './language-features.ts';
import { pluralize } from '../../platform/text/localization.ts';

/**
 * Checks a file against the platform, by default of the active connection, and reports the worst finding. Resolves with all; none if the user cancelled.
 * Rejects with Error if the workspace has no action file.
 */
export async function checkAction(
  services: Services,
  language: LanguageFeatures,
  argument: unknown,
  connection?: unknown,
): Promise<readonly Finding[]> {
  const { sessions, ui } = services;
  const [source] = await getSources(ui, argument, undefined, ACTION_FILES);
  if (source?.uri === undefined) return [];
  const document = await vscode.workspace.openTextDocument(source.uri);
  const chosen =
    typeof connection === 'string'
      ? requireSession(sessions, connection)
      : await sessions.getOrPickActive(l10n.t('Select a Connection to Check {0}', source.name));
  const session = chosen && (await requestSignIn(services, chosen, l10n.t('Sign in to continue the check.')));
  if (session === undefined) return [];
  const where = formatIdentity(session.profile.name, session.identityName);
  const findings = await ui.progress(l10n.t('Checking {0} on {1}', source.name, where), (signal) =>
    language.preflight(document, session, signal),
  );
  const notChecked = findings.find(({ code }) => code === 'notChecked');
  const worst =
    findings.find(({ severity }) => severity === 'error') ?? findings.find(({ severity }) => severity === 'warning');
  const count = findings.length;
  if (worst === undefined && notChecked !== undefined) {
    void ui.warn(l10n.t('{0} on {1}: {2}', source.name, where, notChecked.message));
  } else if (worst === undefined) {
    const message = l10n.t(
      '{1}: No errors or warnings found on {2}. {0} note in Problems.|{1}: No errors or warnings found on {2}. {0} notes in Problems.',
    );
    void ui.info(
      count === 0
        ? l10n.t('{0}: No problems found on {1}.', source.name, where)
        : pluralize(count, message, source.name, where),
    );
  } else {
    const { line } = getLineAndColumn(source.text, worst.offset);
    const fileName = source.uri.path.split('/').at(-1) ?? source.name;
    const text = l10n.t('{0}, line {1}: {2}', fileName, line, withFullStop(worst.message));
    const more = l10n.t('{0} more in Problems.|{0} more in Problems.');
    void ui.warn(count > 1 ? `${text} ${pluralize(count - 1, more)}` : text);
  }
  return findings;
}

/** Ends a message with a full stop, unless it is a question. */
function withFullStop(message: string): string {
  return /[.?]$/.test(message) ? message : `${message}.`;
}
