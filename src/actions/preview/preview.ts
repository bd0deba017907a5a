/** A preview of a request: what would be sent, and what is known about its effect. Sends reads only. */
import * as l10n from '@vscode/l10n';
import type { CurlSession } from '../../connections/session/session-curl.ts';
import { formatEnvironment, formatIdentity, formatSignedOut } from '../../model/text/heading.ts';
import { hasWorkspaceLabel } from '../../model/text/labels.ts';
import { formatLine, parseStoredJson, truncateText } from '../../model/runs/run-record.ts';
import type { Session } from '../../model/session/session.ts';
import { UntrustedWorkspaceError } from '../../model/command-errors.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatJson } from '../../platform/json/format-json.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { formatActionCurl } from '../copy/action-curl.ts';
import { isSigned, parseActionFile, type ActionFile } from '../file/action-file.ts';
import { formatEffect, formatEffectLines } from '../file/action-kinds.ts';
import { checkActionFile } from '../file/check-action-file.ts';
import type { Finding, Severity } from '../file/findings.ts';
import { preflight } from '../file/preflight.ts';
import type { LiveData } from '../language/live-data.ts';
import { compose, type ComposeOptions } from '../run/compose.ts';
import type { PreparedRun } from '../run/prepare.ts';
import { redactText } from '../run/redact-variables.ts';
import { predictEffect, type Prediction } from './predict-effect.ts';
import { createPreviewVariables } from './preview-variables.ts';

/** The connection that a request is previewed for. */
export type PreviewSession = CurlSession &
  Pick<Session, 'profile' | 'client' | 'signedOutReason'> &
  Partial<Pick<Session, 'identityName'>>;

interface PreviewOptions extends Pick<ComposeOptions, 'getSigner'> {
  /** must not prompt; secrets are masked as soon as they are read */
  readonly variables: ComposeOptions['variables'];
  /** values to mask, such as the credential */
  readonly secrets: readonly string[];
  /** absent: nothing is read */
  readonly target?: {
    readonly session: PreviewSession;
    readonly live: Pick<LiveData, 'preflight' | 'getName' | 'knownLabels' | 'readRecentLogs'>;
  };
}

/** What would be sent, with secrets masked, and its predicted effect. Every text is plain and can be shown. */
export interface Preview {
  /** of the action file */
  readonly name: string;
  /** a sentence without the full stop */
  readonly effect: string;
  /** the values of the action, a labelled line each */
  readonly lines: readonly string[];
  readonly connection?: { readonly name: string; readonly environment: string; readonly baseUrl: string };
  /** how the request is signed: a sentence without the full stop */
  readonly signature: string;
  /** the request body as pretty JSON */
  readonly body: string;
  /** variables without a value, and what was not read: sentences without the full stop */
  readonly notes: readonly string[];
  /** absent if nothing was read */
  readonly prediction?: Prediction;
  readonly problems: readonly { readonly severity: Severity; readonly message: string }[];
  /** the request as a cURL command, secrets masked */
  readonly curl?: string;
}

/**
 * Composes a request without sending or signing it, and reads what it touches. Rejects with Error for a request that
 * cannot be composed, and when `signal` is aborted.
 */
export async function createPreview(
  { source, file }: PreparedRun,
  { variables, getSigner, secrets, target }: PreviewOptions,
  signal: AbortSignal,
): Promise<Preview> {
  const { request, notes } = await composePreview(file, { variables, secrets }, signal);
  const { text } = request;
  const { session, live } = target ?? {};
  const reason =
    session === undefined
      ? l10n.t('No connection: the effect of the action can’t be predicted')
      : session.signedOutReason === undefined
        ? undefined
        : l10n.t('{0}: the effect of the action can’t be predicted', formatSignedOut(session).replace(/\.$/, ''));
  const isRead = session !== undefined && live !== undefined && reason === undefined;
  const [findings, prediction] = isRead
    ? await Promise.all([
        preflight(request, live.preflight, signal, secrets),
        predictEffect(request, { live: live.preflight, readLogs: () => live.readRecentLogs() }, signal),
      ])
    : [checkActionFile(request, secrets)];
  return {
    name: formatLine(source.name),
    effect: formatEffect(
      request,
      (id) => live?.getName(id),
      (id) => live !== undefined && hasWorkspaceLabel(live.knownLabels, id),
    ),
    lines: formatEffectLines(request, (id) => live?.getName(id), live?.knownLabels),
    ...(session !== undefined && { connection: formatConnection(session) }),
    signature: formatSignature(request, getSigner),
    body: truncateText(text),
    notes: [...notes, ...(reason === undefined ? [] : [reason])],
    ...(prediction !== undefined && { prediction: addNames(prediction, (id) => live?.getName(id)) }),
    problems: listProblems(findings, text),
    ...(session !== undefined && { curl: truncateText(formatActionCurl(session, text)) }),
  };
}

/** Names objects as they are named everywhere, and their owners. */
function addNames(prediction: Prediction, getName: (id: string) => string | undefined): Prediction {
  const objects = prediction.objects.map((object) => ({
    ...object,
    name: getName(object.id) ?? object.name,
    ...(object.owner !== undefined && { ownerName: getName(object.owner) }),
  }));
  return { ...prediction, objects };
}

/**
 * Composes a request without signing it: its secrets are masked, and variables without a value stay as they are written,
 * each with a note. Rejects with Error for a request that cannot be composed.
 */
export async function composePreview(
  file: ActionFile,
  { variables, secrets }: Pick<PreviewOptions, 'variables' | 'secrets'>,
  signal: AbortSignal,
): Promise<{ readonly request: ActionFile; readonly notes: readonly string[] }> {
  const notes: string[] = [];
  const onMissing = (error: unknown): void => {
    notes.push(formatNote(error));
  };
  const composeOptions = { variables: createPreviewVariables(variables, onMissing), getSigner: () => undefined };
  const { body } = await compose(file, composeOptions, signal);
  const text = redactText(formatJson(body, { values: secrets }), secrets);
  return { request: parseActionFile(text, 'request'), notes: [...new Set(notes)] };
}

/** A preview for programs: the request as JSON instead of its text. */
export function toJsonPreview({ body, lines: _lines, ...preview }: Preview): object {
  return { ...preview, request: parseStoredJson(body, body) };
}

/** The sentence of an error: a preview never sends, so that it needs no remark on sending. */
function formatNote(error: unknown): string {
  const reason = error instanceof UntrustedWorkspaceError ? error.reason : getErrorMessage(error);
  return formatLine(reason.replace(/\.$/, ''), 300);
}

function formatConnection({ profile, identityName }: PreviewSession): NonNullable<Preview['connection']> {
  const name = formatLine(formatIdentity(profile.name, identityName));
  return { name, environment: formatEnvironment(profile), baseUrl: profile.baseUrl };
}

function formatSignature(request: ActionFile, getSigner: ComposeOptions['getSigner']): string {
  if (isSigned(request)) return l10n.t('the signature in the file, unchanged');
  try {
    const [program] = getSigner() ?? [];
    if (program === undefined) return l10n.t('none');
    return l10n.t(
      'created by the signer {0} when the action is run; not part of this preview',
      formatLine(program, 100),
    );
  } catch (error) {
    return formatNote(error);
  }
}

/** Without what the prediction shows already, and without masked values, which look like placeholders. */
function listProblems(findings: readonly Finding[], text: string): Preview['problems'] {
  const isMasked = ({ offset, length }: Finding): boolean => text.slice(offset, offset + length).includes(MASK);
  return findings
    .filter((finding) => finding.code !== 'access' && !(finding.code === 'placeholder' && isMasked(finding)))
    .map(({ severity, message }) => ({ severity, message: formatLine(message, 500) }));
}
