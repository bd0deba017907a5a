/** What a tool is that language models can call, and how it is run. */
import * as z from 'zod/mini';
import type { Session } from '../model/session/session.ts';
import { PlatformError } from '../platform/errors.ts';
import { toSingleLine } from '../platform/text/plain-text.ts';
import { formatUntrustedData } from './untrusted-data.ts';

/** The part of a session that tools use. */
export type ToolSession = Pick<
  Session,
  | 'client'
  | 'profile'
  | 'signedOutReason'
  | 'organizations'
  | 'objectStates'
  | 'credentialKinds'
  | 'identity'
  | 'issuedResources'
  | 'ended'
  | 'hasPermission'
  | 'loadPermissions'
> &
  Partial<Pick<Session, 'identityName'>>;

/** The connections that tools read from. */
export interface ToolContext {
  readonly sessions: () => readonly ToolSession[];
  /** the connection of calls that do not name one */
  readonly active: () => ToolSession | undefined;
  /** values that an action file must not contain */
  readonly secrets: () => readonly string[];
  /** program and arguments of the signer, if one is configured; only a run calls it */
  readonly getSigner: () => readonly string[] | undefined;
}

export interface Tool<Input extends z.core.$ZodType = z.core.$ZodType> {
  /** unique, `smartObjects_…`, as the manifest names it */
  readonly name: string;
  readonly input: Input;
  /** Rejects with PlatformError, or with ToolInputError for a call that cannot be carried out. */
  run(input: z.output<Input>, context: ToolContext, signal: AbortSignal): Promise<string>;
}

/** A call that names something unknown. The message lists the known names. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
}

export const text = z.string().check(z.minLength(1), z.maxLength(500));
export const connection = z.optional(describe(text, 'Name of the connection. Default: the active one.'));
export const offset = z.optional(
  describe(z.int().check(z.minimum(0)), 'Where a result was cut: the number that it names, to go on there.'),
);
/** The text of an action file. */
export const actionText = z.string().check(z.minLength(1), z.maxLength(200_000));

/** The description becomes part of the JSON schema that a model reads. */
export function describe<S extends z.ZodMiniType>(schema: S, description: string): S {
  return schema.check(z.describe(description));
}

/** Keeps the type of the input for `run`. */
export function defineTool<Input extends z.core.$ZodType>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

/**
 * The session that a call names, or the active one. Throws ToolInputError if there is none, and for a connection of the
 * workspace that the user did not sign in to: what a model asks for would reach a server that the workspace chose.
 */
export function getSession({ sessions, active }: ToolContext, name: string | undefined): ToolSession {
  const session = name === undefined ? active() : sessions().find(({ profile }) => profile.name === name);
  if (session?.profile.source === 'workspace' && session.credentialKinds.size === 0)
    throw new ToolInputError(
      `The workspace defines ${JSON.stringify(toSingleLine(session.profile.name))}. Nothing is requested from it until the user signs in.`,
    );
  if (session !== undefined) return session;
  const names = sessions().map(({ profile }) => JSON.stringify(profile.name));
  if (names.length === 0)
    throw new ToolInputError('There is no connection. The user can add one with Add Connection….');
  throw new ToolInputError(
    `${name === undefined ? 'No connection is active' : 'There is no such connection'}. Connections: ${names.join(', ')}.`,
  );
}

/** What a tool returns to a model. */
interface ToolResult {
  readonly text: string;
  /** the call could not be carried out; the text says why, so that a model can correct itself */
  readonly isError: boolean;
}

/** What is wrong with an input, with the allowed values: the messages of zod are not part of the bundle. */
export function formatIssues({ issues }: z.core.$ZodError, input: z.core.$ZodType): string {
  const names = input instanceof z.ZodMiniObject ? Object.keys(input.shape) : [];
  return issues.map((issue) => `${issue.path.join('.') || 'input'}: ${formatIssue(issue, names)}`).join('; ');
}

function formatIssue(issue: z.core.$ZodIssue, names: readonly string[]): string {
  switch (issue.code) {
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'unrecognized_keys':
      return `has no property ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}; properties: ${names.join(', ')}`;
    case 'invalid_type':
      return `is required, as ${issue.expected}`;
    case 'too_small':
      return `must be at least ${String(issue.minimum)}${issue.origin === 'string' ? ' characters long' : ''}`;
    case 'too_big':
      return `must be at most ${String(issue.maximum)}${issue.origin === 'string' ? ' characters long' : ''}`;
    default:
      return issue.message;
  }
}

/** Checks the input and runs a tool. Rejects when `signal` is aborted. */
export async function runTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const parsed = z.safeParse(tool.input, input);
  if (!parsed.success) {
    return { text: `Invalid input: ${formatIssues(parsed.error, tool.input)}`, isError: true };
  }
  try {
    return { text: await tool.run(parsed.data, context, signal), isError: false };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ToolInputError) return { text: error.message, isError: true };
    if (!(error instanceof PlatformError)) throw error;
    const { message, detail } = error;
    const data = { error: message, nextStep: detail.nextStep, server: detail.serverMessage };
    return { text: formatUntrustedData('error', data), isError: true };
  }
}
