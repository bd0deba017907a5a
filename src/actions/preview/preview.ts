/** A preview of a request: what would be sent, and what is known about its effect. Sends reads only. */
import type { CurlSession } from '../../connections/session/session-curl.ts';
import { formatEnvironment, formatIdentity, formatSignedOut } from '../../model/heading.ts';
import { formatLine, truncateText } from '../../model/run-record.ts';
import type { Session } from '../../model/session.ts';
import { getErrorMessage } from '../../model/error-message.ts';
import { formatJson } from '../../platform/json/format-json.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { formatActionCurl } from '../copy/action-curl.ts';
import { isSigned, parseActionFile, type ActionFile } from '../file/action-file.ts';
import { formatEffect } from '../file/action-kinds.ts';
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
  readonly target?: { readonly session: PreviewSession; readonly live: Pick<LiveData, 'preflight' | 'getName'> };
}

/** What would be sent, with secrets masked, and its predicted effect. Every text is plain and can be shown. */
export interface Preview {
  /** of the action file */
  readonly name: string;
  /** a sentence without the full stop */
  readonly effect: string;
  readonly connection?: { readonly name: string; readonly environment: string; readonly baseUrl: string };
  /** how the request is signed: a sentence without the full stop */
  readonly signature: string;
  /** the request body as pretty JSON */
  readonly body: string;
  /** variables without a value, and what was not read: sentences without the full stop */
  readonly notes: readonly string[];
  /** absent where nothing was read */
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
  const notes: string[] = [];
  const composed = await compose(
    file,
    {
      variables: createPreviewVariables(variables, (reason) => notes.push(formatNote(reason))),
      getSigner: () => undefined,
      secrets,
    },
    signal,
  );
  const hidden = composed.secrets.filter((secret) => secret !== MASK);
  const text = redactText(formatJson(composed.body, { values: hidden }), hidden);
  const request = parseActionFile(text, 'request');
  const { session, live } = target ?? {};
  const reason =
    session === undefined
      ? 'There is no connection, so its effect is not predicted'
      : session.signedOutReason === undefined
        ? undefined
        : `${formatSignedOut(session).replace(/\.$/, '')}, so its effect is not predicted`;
  const isRead = session !== undefined && live !== undefined && reason === undefined;
  const [findings, prediction] = isRead
    ? await Promise.all([
        preflight(request, live.preflight, signal, hidden),
        predictEffect(request, { client: session.client, live: live.preflight }, signal),
      ])
    : [checkActionFile(request, hidden)];
  return {
    name: formatLine(source.name),
    effect: formatEffect(request, (id) => live?.getName(id)),
    ...(session !== undefined && { connection: formatConnection(session) }),
    signature: formatSignature(request, getSigner),
    body: truncateText(text),
    notes: [...notes, ...(reason === undefined ? [] : [reason])],
    ...(prediction !== undefined && { prediction }),
    problems: listProblems(findings),
    ...(session !== undefined && { curl: truncateText(formatActionCurl(session, text)) }),
  };
}

/** The sentence of an error, which may end in a remark on sending. */
function formatNote(reason: string): string {
  return formatLine(reason.replace(/\.$/, '').replace(/; nothing was sent$/i, ''), 300);
}

function formatConnection({ profile, identityName }: PreviewSession): NonNullable<Preview['connection']> {
  const name = formatLine(formatIdentity(profile.name, identityName));
  return { name, environment: formatEnvironment(profile), baseUrl: profile.baseUrl };
}

function formatSignature(request: ActionFile, getSigner: ComposeOptions['getSigner']): string {
  if (isSigned(request)) return 'that of the file, as it is written';
  try {
    const [program] = getSigner() ?? [];
    if (program === undefined) return 'none';
    return `made by the signer ${formatLine(program, 100)} when the action is run; not part of this preview`;
  } catch (error) {
    return formatNote(getErrorMessage(error));
  }
}

/** What the prediction shows already is left out. */
function listProblems(findings: readonly Finding[]): Preview['problems'] {
  return findings
    .filter(({ code }) => code !== 'access')
    .map(({ severity, message }) => ({ severity, message: formatLine(message, 500) }));
}
