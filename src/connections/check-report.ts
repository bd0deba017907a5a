/** The report of Check Connection, as Markdown that can be pasted into a ticket (pure). */
import type { PlatformError } from '../platform/errors.ts';
import { isLoopback } from '../platform/proxy.ts';
import type { OperationResult } from './contract-check.ts';
import { organizationWords } from './heading.ts';
import { code, plain, table } from './markdown.ts';
import type { ProbeResult } from './probe.ts';
import { probeWords } from './probe-words.ts';
import { sessionLines } from './status-words.ts';
import type { Session } from './types.ts';

export interface CheckFindings {
  readonly session: Pick<
    Session,
    'profile' | 'identity' | 'expired' | 'signedOutBecause' | 'holds' | 'organizations' | 'heading'
  >;
  readonly probe: ProbeResult;
  /** organization → the caller's role there, or why it is not known */
  readonly roles: readonly (readonly [string, string])[];
  readonly results: readonly OperationResult[];
  readonly version: string;
  readonly now: Date;
}

export function checkReport({ session, probe, roles, results, version, now }: CheckFindings): string {
  const { profile } = session;
  const outcome = { answers: '✓ answers', refused: '✗ refused', fails: '✗ fails', 'not asked': '– not asked' } as const;
  const drift = results.flatMap(({ operation, drift: entries }) => entries.map((entry) => ({ operation, ...entry })));
  const reached = probe.error?.code !== 'network' && probe.error?.code !== 'timeout';
  return [
    `# Check of ${plain(session.heading)}`,
    `${now.toISOString()}, Smart Object Explorer ${version}. Credentials are left out of this report.`,
    '## Connection',
    list([
      ['Reachable', reached ? 'yes' : `no: ${errorWords(probe.error)}`],
      ['Encryption', encryptionWords(profile.baseUrl, probe.error, reached)],
      ['Latency of the first answer', reached ? `${String(probe.milliseconds)} ms` : 'not known'],
      ['The API', probeWords(probe, session.holds.size > 0).text],
      ['Credential', credentialWords(session, probe)],
      ...sessionLines(session, now.getTime()),
      ['Organizations', session.organizations.map(organizationWords).join(', ') || 'none known'],
      ...roles.map(([organization, role]) => [`Role in ${organization}`, role] as const),
      ...(roles.length === 0
        ? [['Role', `not known: ${results.length === 0 ? 'it was not asked' : 'no organization is known'}`] as const]
        : []),
    ]),
    '## Operations of the contract',
    results.length === 0
      ? 'Not asked, since the platform cannot be reached.'
      : table(
          ['Operation', 'Result', 'Time', 'Drift', 'Detail'],
          results.map((result) => [
            code(result.operation),
            outcome[result.outcome],
            result.milliseconds === undefined ? '' : `${String(result.milliseconds)} ms`,
            result.drift.length === 0 ? '' : String(result.drift.length),
            plain(result.detail, 300),
          ]),
        ),
    '## Drift from the contract',
    drift.length === 0
      ? 'None was met.'
      : table(
          ['Operation', 'Field', 'Difference', 'Times'],
          drift.map(({ operation, path, message, count }) => [
            code(operation),
            path === '' ? 'the whole' : code(path),
            plain(message),
            String(count),
          ]),
        ),
    '',
  ].join('\n\n');
}

function list(entries: readonly (readonly [string, string])[]): string {
  return entries
    .map(([label, value]) => `- **${plain(label)}**: ${label === 'Address' ? code(value) : plain(value, 500)}`)
    .join('\n');
}

function encryptionWords(baseUrl: string, error: PlatformError | undefined, reached: boolean): string {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:') return isLoopback(hostname) ? 'none, on this machine only' : 'none: plain http';
  if (reached) return 'TLS, the certificate is accepted';
  return `TLS not reached: ${errorWords(error)}`;
}

function credentialWords({ holds }: Pick<Session, 'holds'>, { credential }: ProbeResult): string {
  if (holds.size === 0) return 'none is held';
  return { accepted: 'accepted', refused: 'refused', unknown: 'not known' }[credential];
}

function errorWords(error: PlatformError | undefined): string {
  return error?.message ?? 'for an unknown reason';
}
