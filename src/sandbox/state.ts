/** The state of a sandbox as data: what it was started with, and what changed it since. */
import * as z from 'zod/mini';
import { parseJson } from '../platform/json/parse-json.ts';
import { importedSchema } from './data/imported.ts';
import type { RecordedExecution, SandboxOptions } from './options.ts';

export const stateSchema = z.object({
  seed: z.int(),
  objects: z.int(),
  port: z.optional(z.int()),
  /** start of the clock, in milliseconds since 1970 */
  start: z.number(),
  firstLog: z.int(),
  /** of a paused clock, in milliseconds since 1970 */
  pausedAt: z.optional(z.number()),
  /** of actions, in order: JSON with every digit, without secrets */
  executions: z.array(z.string()),
  /** resources of another platform: JSON */
  imported: z.optional(z.string()),
});

/** What a later sandbox needs to be as another one was. */
export type SandboxState = z.output<typeof stateSchema>;

/** The options of a sandbox, also of one that continues from a state. Throws ZodError for a state that was edited wrongly. */
export function createOptions(from: SandboxOptions | SandboxState): SandboxOptions {
  if (!('executions' in from)) return from;
  const { executions, firstLog, pausedAt, imported, ...rest } = from;
  // Recorded by `onExecute`; `parseAction` checks the actions again.
  const recorded = executions.map((text) => parseJson(text) as RecordedExecution);
  return {
    ...rest,
    replay: { firstLog, executions: recorded, pausedAt },
    ...(imported !== undefined && { imported: z.parse(importedSchema, parseJson(imported)) }),
  };
}

const VERSION = 1;
const fileSchema = z.object({
  sandboxState: z.literal(VERSION),
  executions: z.array(z.unknown()),
  imported: z.optional(z.unknown()),
});

/** The text of a state's file, without its port. */
export function formatState({ executions, imported, port: _port, ...rest }: SandboxState): string {
  const file = {
    sandboxState: VERSION,
    ...rest,
    executions: executions.map((text) => parseJson(text)),
    ...(imported !== undefined && { imported: parseJson(imported) }),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Parses the text of a state's file; `undefined` if it is not one. */
export function parseState(text: string): SandboxState | undefined {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    return undefined;
  }
  const { data: file } = z.safeParse(fileSchema, json);
  if (file === undefined || typeof json !== 'object') return undefined;
  const { data } = z.safeParse(stateSchema, {
    ...json,
    executions: file.executions.map((execution) => JSON.stringify(execution)),
    imported: file.imported === undefined ? undefined : JSON.stringify(file.imported),
  });
  return data;
}
