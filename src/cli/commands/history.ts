/** `history OBJECT`: the chain of an object's states. */
import { readHistory, stepRecord } from '../../logs/history/read-history.ts';
import { formatTimestamp } from '../../model/text/time-format.ts';
import type { ObjectHistory } from '../../webviews/protocol/logs.ts';
import { CommandError, type CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import type { Style } from '../output/output.ts';
import type { RecordValues } from '../output/format-options.ts';
import { RecordWriter } from '../output/record-writer.ts';
import { sanitizeJson } from '../output/sanitize.ts';
import type { Column } from '../output/table.ts';
import { withConnection } from '../with-connection.ts';
import { toneStyles } from './list.ts';

export type HistoryValues = ConnectionValues & RecordValues;

const MAX_LOGS = 100_000;

type Step = ObjectHistory['steps'][number];

const markStyles: Readonly<Record<NonNullable<Step['mark']>, Style>> = {
  break: 'red',
  fork: 'red',
  missing: 'red',
  failed: 'red',
  unsettled: 'yellow',
};

const columns: readonly Column<Step>[] = [
  {
    label: 'Time',
    getValue: ({ time }) => (time === undefined ? undefined : new Date(time).toISOString()),
    getText: ({ time }) => (time === undefined ? undefined : formatTimestamp(time)),
  },
  { label: 'Status', getValue: ({ status }) => status },
  { label: 'Action', getValue: ({ action }) => action },
  { label: 'Before', getValue: ({ prev, created }) => (created === true ? 'created' : prev), shrinks: true },
  { label: 'After', getValue: ({ next }) => next, shrinks: true },
  { label: 'Log', getValue: ({ id }) => id },
  {
    label: 'Mark',
    getValue: ({ mark }) => mark,
    getStyle: ({ mark }) => (mark === undefined ? undefined : markStyles[mark]),
  },
  { label: 'Note', getValue: ({ note }) => note, shrinks: true },
];

/**
 * Prints the steps of an object's history, oldest first, and the verdict. Resolves with false if the object could not be read.
 * Rejects as `withConnection` does.
 */
export async function history(context: CommandContext, object: string, values: HistoryValues): Promise<boolean> {
  const { output, signal } = context;
  return withConnection(context, values, 'Read history', async (connection) => {
    const writer = new RecordWriter({
      output,
      values,
      columns,
      labels: connection.labels,
      ...stepRecord,
    });
    const { history } = await readHistory(connection, object, () => undefined, signal, { logs: MAX_LOGS });
    const { verdict, tone, problem, steps } = history;
    if (problem !== undefined && steps.length === 0) throw new CommandError(problem);
    if (values.format === 'json' && values.fields === undefined) {
      const result = { object, verdict, tone, problem, steps: steps.map(stepRecord.toJson) };
      await output.write(sanitizeJson(`${JSON.stringify(result, undefined, 2)}\n`));
    } else {
      await writer.write(steps);
      await writer.end();
      if (problem !== undefined) output.note(problem);
      if (output.isTerminal && values.format === 'table')
        await output.write(`${output.style(toneStyles[tone] ?? 'dim', verdict)}\n`);
      else output.note(verdict);
    }
    return problem === undefined;
  });
}
