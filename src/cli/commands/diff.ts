/** `diff --from A --to B`: what differs between two environments. */
import fs from 'node:fs';
import path from 'node:path';
import { compareInventories, parseMapping, type Change, type Mapping } from '../../environments/compare.ts';
import { COMPARED_KINDS, readFolderInventory, readInventory, type Inventory } from '../../environments/inventory.ts';
import { formatJsonReport, formatLines, formatMarkdown } from '../../environments/report.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { getCredentialVariables } from '../connection/credential-variables.ts';
import { readConnectionProfile } from '../connection/read-connection.ts';
import type { ReportFormat } from '../output/format-options.ts';
import { sanitizeJson, sanitizeLines } from '../output/sanitize.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';

export interface DiffValues {
  readonly from: string;
  readonly to: string;
  readonly fromOrigin?: string;
  readonly toOrigin?: string;
  readonly mapping?: string;
  readonly kind?: readonly string[];
  readonly failOn?: Change | 'any';
  readonly format: ReportFormat;
  readonly allowPlainHttp?: true;
  readonly timeout: string;
}

interface Side {
  readonly name: string;
  readonly inventory: Inventory;
}

/**
 * Prints the differences of all kinds, or of those of `kind`. Resolves with false for a difference of `failOn`, or if something
 * was then not compared; without it, if a list could not be read. Rejects as `withConnection` does.
 */
export async function diff(context: CommandContext, values: DiffValues): Promise<boolean> {
  const { from: one, to: other, kind: names = COMPARED_KINDS, failOn, format } = values;
  const kinds = COMPARED_KINDS.filter((kind) => names.includes(kind));
  if (kinds.length < new Set(names).size) throw new UsageError(`--kind must be some of ${COMPARED_KINDS.join(', ')}`);
  const mapping = readMapping(values.mapping, context.cwd);
  const folders = { from: await readFolder(context, one, 'from'), to: await readFolder(context, other, 'to') };
  const pulledFrom = (folders.from ?? folders.to)?.inventory.pulledFrom;
  const open = async (side: string, role: 'from' | 'to'): Promise<() => Side | Promise<Side>> => {
    const folder = folders[role];
    return folder === undefined ? openSide(context, side, role, { ...values, pulledFrom }) : () => folder;
  };
  const [readFrom, readTo] = [await open(one, 'from'), await open(other, 'to')];
  const [from, to] = [await readFrom(), await readTo()];
  const comparison = compareInventories(from.inventory, to.inventory, mapping, kinds);
  const { differences, unread, partial } = comparison;
  const sides = { from: from.name, to: to.name };
  const texts: Readonly<Record<ReportFormat, () => string>> = {
    table: () => `${formatLines(comparison).join('\n')}\n`,
    markdown: () => formatMarkdown(comparison, sides),
    json: () => formatJsonReport(comparison, sides),
  };
  await context.output.write((format === 'json' ? sanitizeJson : sanitizeLines)(texts[format]()));
  if (failOn === undefined) {
    const failed = [from, to].flatMap(({ inventory }) =>
      inventory.pulledFrom === undefined ? [...inventory.unread.keys()] : [],
    );
    return !failed.some((kind) => kinds.includes(kind));
  }
  const isComplete = unread.size === 0 && partial === 0;
  const compared = kinds.filter((kind) => !unread.has(kind)).join(' ');
  const advice = unread.size === 0 || compared === '' ? '' : `: specify --kind ${compared} to compare only the rest`;
  if (!isComplete) context.output.note(`The exit code is 1, since not everything was compared${advice}`);
  return isComplete && !differences.some(({ change }) => failOn === 'any' || change === failOn);
}

/** Reads a side if it is a folder of pulled files. Rejects with UsageError for a folder that is not valid. */
async function readFolder({ cwd }: CommandContext, side: string, role: 'from' | 'to'): Promise<Side | undefined> {
  const folder = path.resolve(cwd, side);
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const inventory = await readFolderInventory(folder).catch((error: unknown) => {
    throw new UsageError(`--${role}: ${getErrorMessage(error)}`);
  });
  return { name: side, inventory };
}

/** Checks a side that is a connection file or a context of the user, and returns how to read it. Rejects with UsageError. */
async function openSide(
  context: CommandContext,
  side: string,
  role: 'from' | 'to',
  { allowPlainHttp, timeout, pulledFrom, ...options }: DiffValues & { readonly pulledFrom: string | undefined },
): Promise<() => Promise<Side>> {
  const origin = options[`${role}Origin`];
  const isFile = fs.existsSync(path.resolve(context.cwd, side));
  const values: ConnectionValues = {
    ...(isFile ? { connection: side } : { context: side }),
    timeout,
    ...(origin !== undefined && { origin }),
    ...(allowPlainHttp && { allowPlainHttp }),
  };
  const profile = await readConnectionProfile(
    values,
    isFile ? withoutCredentials(context.environment) : context.environment,
    context.cwd,
  );
  const variables = Object.values(getCredentialVariables(profile.name));
  const own = variables.find((name) => (context.environment[name] ?? '') !== '');
  // A file can come from a repository, and choose its name.
  if (isFile && own !== undefined && origin === undefined)
    throw new UsageError(
      `--${role}: ${side} would send ${own} to ${new URL(profile.baseUrl).origin}: specify --${role}-origin with that origin if it is intended`,
    );
  const environment = isFile ? withoutCredentials(context.environment, variables) : context.environment;
  return () =>
    withConnection(
      { ...context, environment, credentialName: profile.name },
      values,
      `Compare ${profile.name}`,
      async ({ client }) => {
        const { name, organizations } = profile;
        const { signal } = context;
        return { name, inventory: await readInventory(client, { name, organizations, pulledFrom, signal }) };
      },
    );
}

type ProcessEnvironment = CommandContext['environment'];

/** The environment without credentials, but for those of `names`. */
function withoutCredentials(environment: ProcessEnvironment, names: readonly string[] = []): ProcessEnvironment {
  const isCredential = (name: string): boolean => /^SMART_OBJECTS_(?:API_KEY|ACCESS_TOKEN|SECRET_)/.test(name);
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !isCredential(name) || names.includes(name)),
  );
}

/** `{ "id in the first": "id in the second" }`. Throws UsageError. */
function readMapping(file: string | undefined, cwd: string): Mapping {
  if (file === undefined) return {};
  const resolved = path.resolve(cwd, file);
  if (!fs.existsSync(resolved)) throw new UsageError(`--mapping: file ${file} was not found`);
  const data = parseMapping(fs.readFileSync(resolved, 'utf8'));
  if (data === undefined) throw new UsageError(`--mapping: ${file} is not a JSON object of IDs`);
  return data;
}
