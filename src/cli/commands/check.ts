/** `check`: how the platform responds, as the report of Check Connection. */
import type { OperationResult } from '../../connections/check/check-contract.ts';
import { formatCheckReport, type CheckReportData } from '../../connections/check/check-report.ts';
import { checkSession } from '../../connections/check/check-session.ts';
import { summarizeProbe } from '../../connections/check/format-probe.ts';
import { deduplicateOrganizations } from '../../connections/profiles/read-profiles.ts';
import { listSessionDetails } from '../../connections/status/format-status.ts';
import { formatHeading } from '../../model/text/heading.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import type { Connection } from '../connection/open-connection.ts';
import { createToolSession } from '../connection/tool-session.ts';
import type { ReportFormat } from '../output/format-options.ts';
import type { Style } from '../output/output.ts';
import { sanitizeJson, sanitizeTerminalLine } from '../output/sanitize.ts';
import { formatTabSeparated, TableFormatter, type Column } from '../output/table.ts';
import { withConnection } from '../with-connection.ts';

export interface CheckValues extends ConnectionValues {
  readonly format: ReportFormat;
}

const outcomeStyles: Readonly<Record<OperationResult['outcome'], Style>> = {
  answers: 'green',
  refused: 'yellow',
  fails: 'red',
  skipped: 'dim',
};

const columns: readonly Column<OperationResult>[] = [
  { label: 'Operation', getValue: ({ operation }) => operation },
  { label: 'Result', getValue: ({ outcome }) => outcome, getStyle: ({ outcome }) => outcomeStyles[outcome] },
  {
    label: 'Time',
    getValue: ({ milliseconds }) => (milliseconds === undefined ? undefined : String(milliseconds)),
    getText: ({ milliseconds }) => (milliseconds === undefined ? undefined : `${String(milliseconds)} ms`),
    isNumber: true,
  },
  { label: 'Drift', getValue: ({ drift }) => (drift.length === 0 ? undefined : String(drift.length)) },
  { label: 'Detail', getValue: ({ detail }) => detail, shrinks: true },
];

/**
 * Prints the report. Resolves with whether the platform responds, accepts the credential, and no operation fails. Rejects
 * as `withConnection` does.
 */
export async function check(context: CommandContext, values: CheckValues): Promise<boolean> {
  const { output, signal, version = '' } = context;
  return withConnection(context, values, 'Check connection', async (connection) => {
    const session = createSession(connection, signal);
    const { credential, transport, secrets } = connection;
    const found = await checkSession(session, {
      credential: session.credentialKinds.size === 0 ? undefined : credential,
      transport,
      secrets: () => secrets,
      signal,
      report: () => undefined,
    });
    const summary = summarizeProbe(
      found.probe,
      session.credentialKinds.size > 0 ? (session.identity ?? {}) : undefined,
      Date.now(),
    );
    const data = { session, ...found, version, now: new Date() };
    if (values.format === 'markdown') await output.writeContent(formatCheckReport(data));
    else if (values.format === 'json') await output.write(sanitizeJson(formatJsonReport(data, summary.text)));
    else if (!output.isTerminal) await output.write(formatTabSeparated(columns, found.results));
    else {
      const lines = [
        ...listSessionDetails(session, Date.now()),
        ['Platform', summary.text] as const,
        ...found.roles.map(([organization, role]) => [`Role in ${organization}`, role] as const),
      ].map(
        ([label, value]) => `${output.style('bold', sanitizeTerminalLine(label))}: ${sanitizeTerminalLine(value)}\n`,
      );
      const drift = found.results.flatMap(({ operation, drift: entries }) =>
        entries.map(({ path, message }) => `${operation} ${path}: ${message}`),
      );
      await output.write(`${lines.join('')}\n${new TableFormatter(columns, output).format(found.results)}`);
      if (drift.length > 0)
        await output.write(
          `\n${output.style('bold', 'Differences from the contract')}\n${drift.map((line) => `  ${sanitizeTerminalLine(line)}\n`).join('')}`,
        );
    }
    if (!summary.ok) output.note(summary.text);
    return summary.ok && found.results.every(({ outcome }) => outcome !== 'fails');
  });
}

/** The parts of a session that the check uses; the organizations grow with what the lists contain. */
function createSession(connection: Connection, ended: AbortSignal) {
  const base = createToolSession(connection, ended);
  const session = {
    ...base,
    expired: (base.identity?.expires ?? Infinity) <= Date.now(),
    heading: formatHeading(base.profile),
    addDiscoveredOrganizations(ids: Iterable<string>) {
      const discovered = [...ids].map((id) => ({ id, source: 'discovered' as const }));
      session.organizations = deduplicateOrganizations([...session.organizations, ...discovered]);
    },
  };
  return session;
}

function formatJsonReport({ session, probe, roles, results, version, now }: CheckReportData, summary: string): string {
  const { platform, credential, milliseconds } = probe;
  const { name, baseUrl, environment } = session.profile;
  const report = {
    time: now.toISOString(),
    version,
    connection: { name, baseUrl, environment },
    probe: { platform, credential, milliseconds, summary },
    organizations: session.organizations.map(({ id, label }) => ({ id, label })),
    roles: roles.map(([organization, role]) => ({ organization, role })),
    operations: results.map(({ operation, outcome, detail, milliseconds, drift }) => ({
      operation,
      outcome,
      detail,
      milliseconds,
      drift: drift.map(({ path, problem, message, count }) => ({ path, problem, message, count })),
    })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
