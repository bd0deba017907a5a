/** Parses `smartObjects.connections` of user and workspace; an invalid entry affects only itself. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { isObject } from '../../platform/json/json.ts';
import { LINK_KINDS, type LinkKind } from '../../platform/resource.ts';
import { formatList, formatNumber } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { parseBaseUrl } from './base-url.ts';
import { defaultCredentialHeaderNames } from '../../platform/http/credential-headers.ts';
import { dateFormats, defaultQueryFormat, walletCredentials } from '../../platform/target.ts';
import { ENVIRONMENTS, type Environment, type Organization, type Profile } from '../../model/session/session.ts';

/** The in-memory connection of the sandbox, never written to settings. */
export const LOCAL_SANDBOX_NAME = 'Local Sandbox';
const MAX_NAME_LENGTH = 64;

const RESERVED_HEADERS = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect'],
  ...['accept', 'accept-encoding', 'proxy-authorization', 'te', 'trailer'],
]);

const header = z.string().check(
  z.maxLength(100),
  z.regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'header-name'),
  z.refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), 'reserved-header'),
);
/** What is wrong with a value, by the message of the schema's check. `path`: the name of the setting. */
function formatCheckProblem(check: string, path: string): string {
  switch (check) {
    case 'header-name':
      return l10n.t('{0} is not a valid header name', path);
    case 'reserved-header':
      return l10n.t('{0} is a reserved header', path);
    case 'control-character':
      return l10n.t('{0} contains a control character', path);
    case 'link-template':
      return l10n.t('{0} is not an http(s) address with {1} or {2} after its host', path, '{hash}', '{id}');
    case 'header-character':
      return l10n.t('{0} contains a character that is not allowed in headers', path);
    default:
      return l10n.t('{0} has a value that is not allowed', path);
  }
}
/** Maximum length of an organization's label. */
const MAX_LABEL_LENGTH = 100;
const word = z.string().check(z.maxLength(100));
const identifier = z.string().check(z.minLength(1), z.maxLength(256), z.regex(/^[^\p{Cc}]*$/u, 'control-character'));
const link = z.string().check(z.maxLength(2048), z.refine(isLinkTemplate, 'link-template'));

const entrySchema = z.looseObject({
  name: z.string(),
  baseUrl: z.string(),
  environment: z.optional(z.enum(ENVIRONMENTS)),
  organizations: z.optional(z.array(z.union([identifier, z.looseObject({ id: identifier, label: z.optional(word) })]))),
  auth: z.optional(
    z.looseObject({
      tokenHeader: z.optional(header),
      tokenPrefix: z.optional(z.string().check(z.maxLength(64), z.regex(/^[\x20-\x7e]*$/, 'header-character'))),
      apiKeyHeader: z.optional(header),
      refreshPath: z.optional(z.string()),
      wallets: z.optional(z.enum(walletCredentials)),
    }),
  ),
  links: z.optional(z.looseObject(Object.fromEntries(LINK_KINDS.map((kind) => [kind, z.optional(link)])))),
  query: z.optional(
    z.looseObject({
      ascending: z.optional(word),
      descending: z.optional(word),
      flag: z.optional(word),
      dateFormat: z.optional(z.enum(dateFormats)),
    }),
  ),
  pageSize: z.optional(z.int().check(z.gte(1), z.lte(100))),
});
type Entry = z.output<typeof entrySchema>;

const knownKeys = new Set(Object.keys(entrySchema.shape));

export interface Profiles {
  readonly profiles: readonly Profile[];
  /** one sentence each; contains names, no other values of the settings */
  readonly problems: readonly string[];
  /** every name in the user's settings, including skipped entries */
  readonly userNames: ReadonlySet<string>;
}

/** Merges both values of the setting, of any type, into profiles. */
export function readProfiles(user: unknown, workspace: unknown): Profiles {
  const problems: string[] = [];
  const userProfiles = readEntries(user, 'user', problems);
  const workspaceProfiles = readEntries(workspace, 'workspace', problems);
  const merged = userProfiles.map((profile) => {
    const other = workspaceProfiles.find(({ name }) => name === profile.name);
    return other === undefined ? profile : mergeProfiles(profile, other, problems);
  });
  const userNames = new Set(
    Array.isArray(user)
      ? user.flatMap((raw) => (isObject(raw) && typeof raw['name'] === 'string' ? [raw['name']] : []))
      : [],
  );
  const added = workspaceProfiles.filter(({ name }) => !userNames.has(name));
  // Skipped: the credential stored for this name is not for the workspace's entry.
  for (const { name } of workspaceProfiles)
    if (userNames.has(name) && !userProfiles.some((profile) => profile.name === name))
      problems.push(
        l10n.t('{0}: The workspace entry is ignored because the user entry with this name has an error.', name),
      );
  return { profiles: [...merged, ...added], problems, userNames };
}

/** Validates the name of a connection; `undefined` when valid. */
export function validateConnectionName(name: string): string | undefined {
  if (name.trim() === '') return l10n.t('The name is empty');
  if (name !== name.trim()) return l10n.t('The name starts or ends with a space');
  if (name.length > MAX_NAME_LENGTH)
    return l10n.t('The name is longer than {0} characters', formatNumber(MAX_NAME_LENGTH));
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return l10n.t('The name contains an invisible character');
  if (name === LOCAL_SANDBOX_NAME) return l10n.t('The name {0} is reserved for the local sandbox', LOCAL_SANDBOX_NAME);
  return undefined;
}

/** The problem of an entry of the settings that has the name of an in-memory connection. */
export function formatShadowedProblem({ name }: Pick<Profile, 'name'>): string {
  return l10n.t('{0}: The entry is ignored while a connection of the local sandbox has this name.', name);
}

function readEntries(value: unknown, source: 'user' | 'workspace', problems: string[]): Profile[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    problems.push(
      source === 'user'
        ? l10n.t('smartObjects.connections is not a list in the user settings.')
        : l10n.t('smartObjects.connections is not a list in the workspace settings.'),
    );
    return [];
  }
  const profiles: Profile[] = [];
  value.forEach((raw: unknown, index) => {
    const found = readProfile(raw, source);
    if ('problem' in found) problems.push(formatIgnoredEntry(index, source, found.problem));
    else if (profiles.some(({ name }) => name === found.profile.name)) {
      const problem = l10n.t('The name {0} is already used', found.profile.name);
      problems.push(formatIgnoredEntry(index, source, problem));
    } else {
      profiles.push(found.profile);
      if (found.unknown.length > 0)
        problems.push(
          l10n.t(
            '{0}: Unknown settings are ignored ({1}). Use Sign In… to enter credentials; do not store them in settings.',
            found.profile.name,
            formatList(found.unknown, 'unit'),
          ),
        );
    }
  });
  return profiles;
}

/** `problem`: a sentence without its full stop. */
function formatIgnoredEntry(index: number, source: 'user' | 'workspace', problem: string): string {
  const position = formatNumber(index + 1);
  return source === 'user'
    ? l10n.t('Connection {0} of the user settings is ignored: {1}.', position, problem)
    : l10n.t('Connection {0} of the workspace settings is ignored: {1}.', position, problem);
}

/** A profile with the names of its unknown fields, or why the entry is none, as a sentence without its full stop. */
type ProfileResult = { readonly profile: Profile; readonly unknown: readonly string[] } | { readonly problem: string };

/** Parses one entry of the setting. */
export function readProfile(raw: unknown, source: 'user' | 'workspace'): ProfileResult {
  const result = z.safeParse(entrySchema, raw);
  if (!result.success) {
    const issue = result.error.issues[0];
    return { problem: issue === undefined ? l10n.t('The entry can’t be read') : formatIssue(issue) };
  }
  const entry = result.data;
  const badName = validateConnectionName(entry.name);
  if (badName !== undefined) return { problem: badName };
  const address = parseBaseUrl(entry.baseUrl.trim());
  if (!address.ok) return { problem: `baseUrl: ${address.reason}` };
  const profile = createProfile(entry, address.url, source);
  const badAuth = validateAuth(profile);
  if (badAuth !== undefined) return { problem: badAuth };
  const unknown = Object.keys(entry)
    .filter((key) => !knownKeys.has(key))
    .map((key) => key.replace(/[^\w.-]/g, '?').slice(0, 40));
  return { profile, unknown };
}

function formatIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  if (path === '') return l10n.t('The entry is not an object');
  if (issue.code === 'invalid_type')
    return issue.expected === 'array'
      ? l10n.t('{0} must be a list', path)
      : l10n.t('{0} must be of type {1}', path, issue.expected);
  if (issue.code === 'invalid_value')
    return l10n.t('{0} must be one of {1}', path, formatList(issue.values.map(String), 'unit'));
  return formatCheckProblem(issue.message, path);
}

function createProfile(entry: Entry, baseUrl: string, source: 'user' | 'workspace'): Profile {
  const { auth, query } = entry;
  const links: Partial<Record<LinkKind, string>> = {};
  for (const kind of LINK_KINDS) {
    const template = entry.links?.[kind];
    if (typeof template === 'string') links[kind] = template;
  }
  return {
    name: entry.name,
    baseUrl,
    ...(entry.environment !== undefined && { environment: entry.environment }),
    organizations: deduplicateOrganizations((entry.organizations ?? []).map(readOrganization)),
    credentialHeaderNames: {
      tokenHeader: auth?.tokenHeader ?? defaultCredentialHeaderNames.tokenHeader,
      tokenPrefix: auth?.tokenPrefix ?? defaultCredentialHeaderNames.tokenPrefix,
      apiKeyHeader: auth?.apiKeyHeader ?? defaultCredentialHeaderNames.apiKeyHeader,
    },
    ...(auth?.refreshPath !== undefined && { refreshPath: auth.refreshPath }),
    ...(auth?.wallets !== undefined && { wallets: auth.wallets }),
    links,
    queryFormat: {
      ascending: query?.ascending ?? defaultQueryFormat.ascending,
      descending: query?.descending ?? defaultQueryFormat.descending,
      flag: query?.flag ?? defaultQueryFormat.flag,
      dateFormat: query?.dateFormat ?? defaultQueryFormat.dateFormat,
    },
    ...(entry.pageSize !== undefined && { pageSize: entry.pageSize }),
    source,
  };
}

function readOrganization(entry: string | { readonly id: string; readonly label?: string | undefined }): Organization {
  if (typeof entry === 'string') return { id: entry, source: 'settings' };
  const label = toPlainText(entry.label ?? '', MAX_LABEL_LENGTH);
  return { id: entry.id, ...(label !== '' && { label }), source: 'settings' };
}

/** Keeps the first of each id. */
export function deduplicateOrganizations(organizations: readonly Organization[]): readonly Organization[] {
  const known = new Map<string, Organization>();
  for (const organization of organizations) if (!known.has(organization.id)) known.set(organization.id, organization);
  return [...known.values()];
}

function validateAuth({ credentialHeaderNames, refreshPath, baseUrl }: Profile): string | undefined {
  if (credentialHeaderNames.tokenHeader.toLowerCase() === credentialHeaderNames.apiKeyHeader.toLowerCase())
    return l10n.t('auth uses the same header for the token and the API key');
  if (refreshPath === undefined) return undefined;
  if (!refreshPath.startsWith('/')) return l10n.t('auth.refreshPath must start with /');
  const refreshUrl = parseBaseUrl(baseUrl + refreshPath);
  return refreshUrl.ok ? undefined : `auth.refreshPath: ${refreshUrl.reason}`;
}

/** http(s), no userinfo, and placeholders only after the host: no value can change the destination. */
function isLinkTemplate(template: string): boolean {
  const filled = (value: string): string => template.replaceAll(/\{(?:hash|id)\}/g, value);
  if (!/^https?:\/\//i.test(template) || !/\{(?:hash|id)\}/.test(template) || !URL.canParse(filled('a'))) return false;
  const [one, other] = [new URL(filled('a')), new URL(filled('b'))];
  return one.origin === other.origin && one.username === '' && one.password === '' && !/[\s\\]/.test(template);
}

/** The user's entry with what a workspace may add: organizations, query words, page size, a stricter environment. */
function mergeProfiles(own: Profile, shared: Profile, problems: string[]): Profile {
  const refused = [
    own.baseUrl !== shared.baseUrl && 'baseUrl',
    !sameAuth(shared, { credentialHeaderNames: defaultCredentialHeaderNames }) && !sameAuth(shared, own) && 'auth',
    LINK_KINDS.some((kind) => shared.links[kind] !== undefined && shared.links[kind] !== own.links[kind]) && 'links',
    shared.environment !== undefined &&
      getStrictness(shared.environment) < getStrictness(own.environment) &&
      'environment',
  ].filter((part) => part !== false);
  if (refused.length > 0)
    problems.push(
      l10n.t(
        '{0}: The workspace settings differ in {1}; the user settings are used.',
        own.name,
        formatList(refused, 'unit'),
      ),
    );
  const environment =
    shared.environment !== undefined && getStrictness(shared.environment) > getStrictness(own.environment)
      ? shared.environment
      : own.environment;
  const pageSize = own.pageSize ?? shared.pageSize;
  return {
    ...own,
    ...(environment !== undefined && { environment }),
    ...(pageSize !== undefined && { pageSize }),
    organizations: deduplicateOrganizations([...own.organizations, ...shared.organizations]),
    queryFormat:
      JSON.stringify(own.queryFormat) === JSON.stringify(defaultQueryFormat) ? shared.queryFormat : own.queryFormat,
  };
}

type Auth = Pick<Profile, 'credentialHeaderNames' | 'refreshPath' | 'wallets'>;

function sameAuth(one: Auth, other: Auth): boolean {
  const text = ({
    credentialHeaderNames: { tokenHeader, tokenPrefix, apiKeyHeader },
    refreshPath,
    wallets,
  }: Auth): string => JSON.stringify([tokenHeader, tokenPrefix, apiKeyHeader, refreshPath, wallets ?? 'none']);
  return text(one) === text(other);
}

/** An unnamed environment confirms like production, so only production is stricter. */
function getStrictness(environment: Environment | undefined): number {
  return environment === undefined ? 2.5 : ENVIRONMENTS.indexOf(environment);
}
