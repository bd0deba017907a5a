/** `context`: the named connections of the user. */
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { parseEntry, readConnectionProfile } from '../connection/read-connection.ts';
import { getContextsFile, readContexts, writeContexts } from '../connection/contexts.ts';
import { readKeyring, storeKeyring } from '../connection/keyring.ts';
import { readInputCredential } from '../connection/open-connection.ts';
import { getCredentialVariables } from '../connection/credential-variables.ts';
import { defineRecord } from '../../model/export/define-record.ts';
import type { RecordValues } from '../output/format-options.ts';
import { RecordWriter } from '../output/record-writer.ts';
import type { Column } from '../output/table.ts';
import { UsageError } from '../usage-error.ts';

type Row = ReturnType<typeof readContexts>['connections'][number] & { readonly current: boolean };

/** The variable that the API key of a context is read from. */
const getVariable = ({ name }: Row): string => getCredentialVariables(name).apiKey;

const record = defineRecord<Row>({
  name: ({ name }) => name,
  current: ({ current }) => current,
  baseUrl: ({ baseUrl }) => baseUrl,
  environment: ({ environment }) => environment,
  variable: getVariable,
});

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const columns: readonly Column<Row>[] = [
  { label: 'Current', getValue: ({ current }) => (current ? '*' : undefined) },
  { label: 'Name', getValue: ({ name }) => name },
  { label: 'Base URL', getValue: ({ baseUrl }) => baseUrl, shrinks: true },
  { label: 'Environment', getValue: ({ environment }) => toText(environment) },
  { label: 'API Key', getValue: getVariable },
];

/** Prints the contexts. Rejects with UsageError. */
export async function listContexts({ output, environment }: CommandContext, values: RecordValues): Promise<void> {
  const { current, connections } = readContexts(environment);
  const writer = new RecordWriter({ output, values, columns, ...record });
  await writer.write(connections.map((entry) => ({ ...entry, current: entry.name === current })));
  await writer.end();
  if (connections.length === 0) output.note('There are no contexts: add one with “smart-objects context add NAME”');
}

/** Adds or replaces a context; the first one becomes the current one. Rejects with UsageError. */
export async function addContext(context: CommandContext, name: string, values: ConnectionValues): Promise<void> {
  const { environment, cwd, output, stdin } = context;
  const named = { ...values, ...(values.connection === undefined && { name }) };
  const profile = await readConnectionProfile(named, environment, cwd);
  const entry = {
    name,
    baseUrl: profile.baseUrl,
    ...(profile.environment !== undefined && { environment: profile.environment }),
    organizations: profile.organizations.map(({ id, label }) => ({ id, label })),
    auth: profile.credentialHeaderNames,
    ...(Object.keys(profile.links).length > 0 && { links: profile.links }),
    query: profile.queryFormat,
    ...(profile.pageSize !== undefined && { pageSize: profile.pageSize }),
  };
  // Commands would refuse it, once it is the current one all of them.
  parseEntry(entry, 'The context');
  const { current = name, connections } = readContexts(environment);
  const { apiKey } = getCredentialVariables(name);
  const others = connections.filter((one) => one.name !== name);
  const same = others.find((one) => getCredentialVariables(one.name).apiKey === apiKey);
  if (same !== undefined) throw new UsageError(`${name} and ${same.name} would have the same variable ${apiKey}`);
  const credential = await readInputCredential(values, stdin);
  const isGiven = Object.keys(credential).length > 0;
  if (isGiven && !(await storeKeyring(entry, credential, environment)))
    throw new UsageError(`There is no keyring that can be used: set ${apiKey} instead`);
  await writeContexts(environment, { current, connections: [...others, entry] });
  // The keyring has the credential of the context by its name and origin.
  const replaced = connections.find((one) => one.name === name);
  if (replaced !== undefined && new URL(replaced.baseUrl).origin !== new URL(entry.baseUrl).origin)
    await storeKeyring(replaced, undefined, environment);
  const isStored = isGiven || Object.keys(await readKeyring(entry, environment)).length > 0;
  const place = isStored ? 'in the keyring' : `read from ${apiKey}`;
  output.note(`Added ${name} to ${getContextsFile(environment)}. Its credential is ${place}`);
}

/** Makes a context the current one, or removes it. Rejects with UsageError if it is not known. */
export async function changeContext(
  { environment }: CommandContext,
  name: string,
  change: 'use' | 'remove',
): Promise<void> {
  const { current, connections } = readContexts(environment);
  const others = connections.filter((one) => one.name !== name);
  const removed = connections.find((one) => one.name === name);
  if (removed === undefined) throw new UsageError(`There is no context ${name}`);
  if (change === 'remove') await storeKeyring(removed, undefined, environment);
  if (change === 'use') await writeContexts(environment, { current: name, connections });
  else
    await writeContexts(environment, {
      ...(current !== undefined && current !== name && { current }),
      connections: others,
    });
}
