/** The Markdown report of Check Connection. */
import * as l10n from '@vscode/l10n';
import type { PlatformError } from '../../platform/errors.ts';
import { formatList, formatNumber, formatUnit, pluralize } from '../../platform/text/localization.ts';
import { isLoopback } from '../../platform/http/proxy.ts';
import type { OperationResult } from './check-contract.ts';
import { formatOrganization } from '../../model/text/heading.ts';
import { formatCode, escapeMarkdown, formatTable } from '../reports/markdown.ts';
import type { ProbeResult } from './probe.ts';
import { summarizeProbe } from './format-probe.ts';
import { listSessionDetails } from '../status/format-status.ts';
import type { Session } from '../../model/session/session.ts';

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
  const formatEntries = (entries: readonly Entry[]): string => formatBullets(entries, profile.baseUrl);
  const drift = results.flatMap(({ operation, drift: entries }) => entries.map((entry) => ({ operation, ...entry })));
  const reached = probe.error?.code !== 'network' && probe.error?.code !== 'timeout';
  return [
    `# ${l10n.t('Check of {0}', escapeMarkdown(session.heading))}`,
    formatEntries([
      [
        l10n.t('Connection'),
        summarizeProbe(probe, session.credentialKinds.size > 0 ? (session.identity ?? {}) : undefined, now.getTime())
          .text,
      ],
      [l10n.t('Operations'), formatOutcomes(results)],
      [l10n.t('Differences from the contract'), formatDriftCount(results)],
    ]),
    l10n.t('{0}, Smart Object Explorer {1}. This report contains no credentials.', now.toISOString(), version),
    `## ${l10n.t('Connection')}`,
    formatEntries([
      [l10n.t('Reachable'), reached ? l10n.t('yes') : l10n.t('no: {0}', formatErrorReason(probe.error))],
      [l10n.t('Encryption'), formatEncryption(profile.baseUrl, probe.error, reached)],
      [l10n.t('Latency of the first response'), reached ? formatMilliseconds(probe.milliseconds) : l10n.t('unknown')],
      [l10n.t('Credential'), formatCredential(session, probe)],
      ...listSessionDetails(session, now.getTime()),
      [l10n.t('Organizations'), formatList(session.organizations.map(formatOrganization), 'unit') || l10n.t('none')],
      ...roles.map(([organization, role]) => [l10n.t('Role in {0}', organization), role] as const),
      ...(roles.length === 0
        ? [
            [
              l10n.t('Role'),
              results.length === 0 ? l10n.t('not checked') : l10n.t('not known: no organization'),
            ] as const,
          ]
        : []),
    ]),
    `## ${l10n.t('Operations of the contract')}`,
    results.length === 0
      ? l10n.t('Skipped because the platform can’t be reached.')
      : formatTable(
          [
            l10n.t('Operation'),
            l10n.t('Result'),
            l10n.t({ message: 'Time', args: [], comment: 'Column: how long a request took' }),
            l10n.t('Differences'),
            l10n.t('Detail'),
          ],
          results.map((result) => [
            formatCode(result.operation),
            formatOutcome(result.outcome),
            result.milliseconds === undefined ? '' : formatMilliseconds(result.milliseconds),
            result.drift.length === 0 ? '' : formatNumber(result.drift.length),
            escapeMarkdown(result.detail, 300),
          ]),
        ),
    `## ${l10n.t('Differences from the contract')}`,
    drift.length === 0
      ? l10n.t('None.')
      : formatTable(
          [l10n.t('Operation'), l10n.t('Field'), l10n.t('Difference'), l10n.t('Count')],
          drift.map(({ operation, path, message, count }) => [
            formatCode(operation),
            path === '' ? l10n.t('entire response') : formatCode(path),
            escapeMarkdown(message),
            formatNumber(count),
          ]),
        ),
    '',
  ].join('\n\n');
}

function formatOutcome(outcome: OperationResult['outcome']): string {
  const labels = {
    answers: l10n.t('✓ responded'),
    refused: l10n.t('✗ refused'),
    fails: l10n.t('✗ failed'),
    skipped: l10n.t('– skipped'),
  };
  return labels[outcome];
}

/** `15 responded, 1 refused, 3 skipped` */
function formatOutcomes(results: readonly OperationResult[]): string {
  const messages = {
    answers: l10n.t('{0} responded|{0} responded'),
    refused: l10n.t('{0} refused|{0} refused'),
    fails: l10n.t('{0} failed|{0} failed'),
    skipped: l10n.t('{0} skipped|{0} skipped'),
  };
  const outcomes = ['answers', 'refused', 'fails', 'skipped'] as const;
  const counts = outcomes.flatMap((outcome) => {
    const count = results.filter((result) => result.outcome === outcome).length;
    return count === 0 ? [] : [pluralize(count, messages[outcome])];
  });
  return formatList(counts, 'unit') || l10n.t('skipped');
}

function formatDriftCount(results: readonly OperationResult[]): string {
  const differing = results.filter(({ drift }) => drift.length > 0);
  const count = differing.reduce((sum, { drift }) => sum + drift.length, 0);
  return count === 0
    ? l10n.t('none')
    : pluralize(differing.length, l10n.t('{1} in {0} operation|{1} in {0} operations'), formatNumber(count));
}

type Entry = readonly [label: string, value: string];

function formatBullets(entries: readonly Entry[], code: string): string {
  return entries
    .map(
      ([label, value]) =>
        `- **${escapeMarkdown(label)}**: ${value === code ? formatCode(value) : escapeMarkdown(value, 500)}`,
    )
    .join('\n');
}

/** `5 ms` that is never broken over two lines of a table. */
function formatMilliseconds(milliseconds: number): string {
  return formatUnit(milliseconds, 'millisecond').replaceAll(' ', '\u00a0');
}

function formatEncryption(baseUrl: string, error: PlatformError | undefined, reached: boolean): string {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:')
    return isLoopback(hostname) ? l10n.t('none, on this computer only') : l10n.t('none: unencrypted HTTP');
  if (reached) return l10n.t('TLS, certificate accepted');
  return l10n.t('TLS handshake failed: {0}', formatErrorReason(error));
}

function formatCredential({ credentialKinds }: Pick<Session, 'credentialKinds'>, { credential }: ProbeResult): string {
  if (credentialKinds.size === 0) return l10n.t('not signed in');
  return {
    accepted: l10n.t({ message: 'accepted', args: [], comment: 'State of a credential' }),
    refused: l10n.t({ message: 'refused', args: [], comment: 'State of a credential' }),
    unknown: l10n.t({ message: 'unknown', args: [], comment: 'State of a credential' }),
  }[credential];
}

function formatErrorReason(error: PlatformError | undefined): string {
  return error?.message ?? l10n.t('unknown error');
}
