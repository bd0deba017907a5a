/** The tool that compares two resources, a resource on two connections, or at two times. */
import * as z from 'zod/mini';
import { diffValues } from '../logs/history/diff-values.ts';
import { parseJson } from '../platform/json/parse-json.ts';
import type { Kind } from '../platform/registry.ts';
import { resolveDate } from './read-items.ts';
import {
  connection,
  defineTool,
  describe,
  getSession,
  kind,
  offset,
  readResource,
  text,
  ToolInputError,
  type ToolContext,
  type ToolSession,
} from './tool.ts';

const MAX_DIFFERENCES = 1000;

/** `read`: when it was read, ISO 8601 */
const side = z.looseObject({ connection: z.string(), id: z.string(), read: z.string() });
type Side = z.output<typeof side>;

export const compare = defineTool({
  name: 'smartObjects_compare',
  input: z.strictObject({
    connection,
    kind,
    id: describe(text, 'ID of the resource; a role is ORGANIZATION/ID.', 'obj_117de336dd9acbf8c65f61d1'),
    otherId: z.optional(describe(text, 'ID of the other resource. Default: the same ID.', 'obj_53d67015e05c671e78233')),
    otherConnection: z.optional(
      describe(text, 'Connection of the other resource. Default: the same connection.', 'Staging'),
    ),
    from: z.optional(
      describe(text, 'In place of its state now: that last read before this date, or span such as -24h.', '-24h'),
    ),
    until: z.optional(describe(text, 'The same for the other resource. Default: its state now.', '2026-03-08')),
    offset,
  }),
  output: z.looseObject({ equal: z.boolean(), one: side, other: side, differences: z.array(z.string()) }),
  async run(input, context, signal) {
    const { id, otherId = id, otherConnection = input.connection, from, until } = input;
    if (otherId === id && otherConnection === input.connection && from === until)
      throw new ToolInputError('Both sides are the same: give otherId, otherConnection, from or until.');
    const session = getSession(context, input.connection);
    const others = getSession(context, otherConnection);
    // The state of now is then in the list of those that were read, too.
    const one = await readSide(context, session, [input.kind, id, resolveDate('from', from)], signal);
    const other = await readSide(context, others, [input.kind, otherId, resolveDate('until', until)], signal);
    const differences = diffValues(one.value, other.value, MAX_DIFFERENCES);
    return {
      source: session === others ? session.profile.name : `${session.profile.name}, ${others.profile.name}`,
      data: { equal: differences.length === 0, one: one.side, other: other.side, differences },
    };
  },
});

/** A resource as it is now, or as it was last read before `time`. Rejects with ToolInputError if it was not read. */
async function readSide(
  { snapshots }: ToolContext,
  session: ToolSession,
  [kind, id, time]: readonly [Kind, string, string | undefined],
  signal: AbortSignal,
): Promise<{ readonly side: Side; readonly value: unknown }> {
  const { name } = session.profile;
  const create = (readAt: number, value: unknown): { side: Side; value: unknown } => ({
    side: { connection: name, id, read: new Date(readAt).toISOString() },
    value,
  });
  if (time === undefined) return create(Date.now(), await readResource(session, kind, id, signal));
  const known = await snapshots({ connection: name, kind, id });
  const found = known.find(({ readAt }) => readAt <= Date.parse(time));
  if (found !== undefined) return create(found.readAt, parseJson(found.text));
  throw new ToolInputError(
    'The platform does not keep earlier states, and none was read before this time. Times at which it was read:',
    known.map(({ readAt }) => new Date(readAt).toISOString()),
  );
}
