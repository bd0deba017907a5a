/** The Markdown report of Check Connection. */
import type { PlatformError } from '../../platform/errors.ts';
import { isLoopback } from '../../platform/http/proxy.ts';
import type { OperationResult } from './check-contract.ts';
import { formatOrganization } from '../../model/heading.ts';
import { formatCode, escapeMarkdown, formatTable } from '../reports/markdown.ts';
import type { ProbeResult } from './probe.ts';
import { summarizeProbe } from './format-probe.ts';
import { listSessionDetails } from '../status/format-status.ts';
import type { Session } from '../../model/session.ts';

export interface CheckReportData {
  readonly session: Pick<
    Session,
    'profile' | 'identity' | 'expired' | 'signedOutReason' | 'credentialKinds' | 'organizations' | 'heading'
  > &
    Partial<Pick<Session, 'identityName'>>;
  readonly probe: ProbeResult;
  /** by organization: the caller's role, or why it is unknown */
  readonly roles: readonly (readonly [string, string])[];
  readonly results: readonly OperationResult[];
  readonly version: string;
  readonly now: Date;
}

/** Formats the report as Markdown without credentials. */
export function formatCheckReport({ session, probe, roles, results, version, now }: CheckReportData): string {
  const { profile } = session;
  const outcome = { answers: '✓ answers', refused: '✗ refused', fails: '✗ fails', 'not asked': '– skipped' } as const;
  const drift = results.flatMap(({ operation, drift: entries }) => entries.map((entry) => ({ operation, ...entry })));
  const reached = probe.error?.code !== 'network' && probe.error?.code !== 'timeout';
  return [
    `# Check of ${escapeMarkdown(session.heading)}`,
    formatList([
      [
        'Connection',
        summarizeProbe(probe, session.credentialKinds.size > 0 ? (session.identity ?? {}) : undefined, now.getTime())
          .text,
      ],
      ['Operations', formatOutcomes(results)],
      ['Differences from the contract', formatDriftCount(results)],
    ]),
    `${now.toISOString()}, Smart Object Explorer ${version}. This report contains no credentials.`,
    '## Connection',
    formatList([
      ['Reachable', reached ? 'yes' : `no: ${formatErrorReason(probe.error)}`],
      ['Encryption', formatEncryption(profile.baseUrl, probe.error, reached)],
      ['Latency of the first response', reached ? `${String(probe.milliseconds)} ms` : 'unknown'],
      ['Credential', formatCredential(session, probe)],
      ...listSessionDetails(session, now.getTime()),
      ['Organizations', session.organizations.map(formatOrganization).join(', ') || 'none'],
      ...roles.map(([organization, role]) => [`Role in ${organization}`, role] as const),
      ...(roles.length === 0
        ? [['Role', `unknown: ${results.length === 0 ? 'not checked' : 'no organization is known'}`] as const]
        : []),
    ]),
    '## Operations of the contract',
    results.length === 0
      ? 'Skipped because the platform cannot be reached.'
      : formatTable(
          ['Operation', 'Result', 'Time', 'Differences', 'Detail'],
          results.map((result) => [
            formatCode(result.operation),
            outcome[result.outcome],
            result.milliseconds === undefined ? '' : `${String(result.milliseconds)}\u00a0ms`,
            result.drift.length === 0 ? '' : String(result.drift.length),
            escapeMarkdown(result.detail, 300),
          ]),
        ),
    '## Differences from the contract',
    drift.length === 0
      ? 'None.'
      : formatTable(
          ['Operation', 'Field', 'Difference', 'Times'],
          drift.map(({ operation, path, message, count }) => [
            formatCode(operation),
            path === '' ? 'entire response' : formatCode(path),
            escapeMarkdown(message),
            String(count),
          ]),
        ),
    '',
  ].join('\n\n');
}

/** `15 answer, 1 refused, 3 skipped` */
function formatOutcomes(results: readonly OperationResult[]): string {
  const labels = { answers: 'answer', refused: 'refused', fails: 'failed', 'not asked': 'skipped' } as const;
  const outcomes = ['answers', 'refused', 'fails', 'not asked'] as const;
  const counts = outcomes.flatMap((outcome) => {
    const count = results.filter((result) => result.outcome === outcome).length;
    return count === 0 ? [] : [`${String(count)} ${labels[outcome]}`];
  });
  return counts.join(', ') || 'skipped';
}

function formatDriftCount(results: readonly OperationResult[]): string {
  const differing = results.filter(({ drift }) => drift.length > 0);
  const count = differing.reduce((sum, { drift }) => sum + drift.length, 0);
  const operations = `${String(differing.length)} operation${differing.length === 1 ? '' : 's'}`;
  return count === 0 ? 'none' : `${String(count)} in ${operations}`;
}

function formatList(entries: readonly (readonly [string, string])[]): string {
  return entries
    .map(
      ([label, value]) =>
        `- **${escapeMarkdown(label)}**: ${label === 'Address' ? formatCode(value) : escapeMarkdown(value, 500)}`,
    )
    .join('\n');
}

function formatEncryption(baseUrl: string, error: PlatformError | undefined, reached: boolean): string {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:') return isLoopback(hostname) ? 'none, on this machine only' : 'none: unencrypted HTTP';
  if (reached) return 'TLS, the certificate is accepted';
  return `TLS not reached: ${formatErrorReason(error)}`;
}

function formatCredential({ credentialKinds }: Pick<Session, 'credentialKinds'>, { credential }: ProbeResult): string {
  if (credentialKinds.size === 0) return 'not signed in';
  return { accepted: 'accepted', refused: 'refused', unknown: 'unknown' }[credential];
}

function formatErrorReason(error: PlatformError | undefined): string {
  return error?.message ?? 'for an unknown reason';
}
