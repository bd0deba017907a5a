/** Reads `smartObjects.connections` of user and workspace into profiles; a bad entry costs only itself (pure). */
import * as z from 'zod/mini';
import { isObject } from '../platform/json.ts';
import { plainText } from '../platform/plain-text.ts';
import { checkBaseUrl } from './base-url.ts';
import { dateFormats, defaultPresentation, defaultQueryWords, walletCredentials } from '../platform/target.ts';
import { environments, linkKinds, type Environment, type LinkKind, type Organization, type Profile } from './types.ts';

/** The one connection that is never written to settings. */
export const LOCAL_SANDBOX = 'Local Sandbox';

const RESERVED_HEADERS = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect'],
  ...['accept', 'accept-encoding', 'proxy-authorization', 'te', 'trailer'],
]);

const header = z.string().check(
  z.maxLength(100),
  z.regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'is no name of a header'),
  z.refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), 'is a header that belongs to the request itself'),
);
/** characters of an organization's label */
const MAX_LABEL = 100;
const word = z.string().check(z.maxLength(100));
const identifier = z
  .string()
  .check(z.minLength(1), z.maxLength(256), z.regex(/^[^\p{Cc}]*$/u, 'contains a control character'));
const link = z
  .string()
  .check(z.maxLength(2048), z.refine(isLinkTemplate, 'is no http(s) address with {hash} or {id} after its host'));

const entrySchema = z.looseObject({
  name: z.string(),
  baseUrl: z.string(),
  environment: z.optional(z.enum(environments)),
  organizations: z.optional(z.array(z.union([identifier, z.looseObject({ id: identifier, label: z.optional(word) })]))),
  auth: z.optional(
    z.looseObject({
      tokenHeader: z.optional(header),
      tokenPrefix: z.optional(
        z.string().check(z.maxLength(64), z.regex(/^[\x20-\x7e]*$/, 'contains a character that no header can carry')),
      ),
      apiKeyHeader: z.optional(header),
      refreshPath: z.optional(z.string()),
      wallets: z.optional(z.enum(walletCredentials)),
    }),
  ),
  links: z.optional(z.looseObject(Object.fromEntries(linkKinds.map((kind) => [kind, z.optional(link)])))),
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
  /** one sentence each, without any value of the settings but names */
  readonly problems: readonly string[];
  /** every name that the user's settings mention, also in an entry that is left out */
  readonly userNames: ReadonlySet<string>;
}

/** `user` and `workspace` are the setting's values as they stand, of any type. */
export function readProfiles(user: unknown, workspace: unknown): Profiles {
  const problems: string[] = [];
  const own = entriesOf(user, 'user', problems);
  const shared = entriesOf(workspace, 'workspace', problems);
  const merged = own.map((profile) => {
    const other = shared.find(({ name }) => name === profile.name);
    return other === undefined ? profile : merge(profile, other, problems);
  });
  const userNames = new Set(
    Array.isArray(user)
      ? user.flatMap((raw) => (isObject(raw) && typeof raw['name'] === 'string' ? [raw['name']] : []))
      : [],
  );
  const added = shared.filter(({ name }) => !userNames.has(name));
  // The credential kept for that name is not for the workspace's idea of it.
  for (const { name } of shared)
    if (userNames.has(name) && !own.some((profile) => profile.name === name))
      problems.push(
        `${name}: the workspace’s entry is left out, because your own user entry of that name has an error.`,
      );
  return { profiles: [...merged, ...added], problems, userNames };
}

/** The problem with a name of a connection; `undefined` when it is fine. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'The name is empty';
  if (name !== name.trim()) return 'The name begins or ends with a space';
  if (name.length > 64) return 'The name is longer than 64 characters';
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'The name contains an invisible character';
  if (name === LOCAL_SANDBOX) return `The name ${LOCAL_SANDBOX} is kept for the sandbox on this machine`;
  return undefined;
}

function entriesOf(value: unknown, source: 'user' | 'workspace', problems: string[]): Profile[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    problems.push(`smartObjects.connections (${source} settings) is not a list.`);
    return [];
  }
  const profiles: Profile[] = [];
  value.forEach((raw: unknown, index) => {
    const where = `Connection ${String(index + 1)} of the ${source} settings`;
    const found = readEntry(raw, source);
    if ('problem' in found) problems.push(`${where} is left out: ${found.problem}.`);
    else if (profiles.some(({ name }) => name === found.profile.name))
      problems.push(`${where} is left out: the name ${found.profile.name} is taken by an earlier one.`);
    else {
      profiles.push(found.profile);
      if (found.unknown.length > 0)
        problems.push(
          `${found.profile.name}: unknown settings are ignored (${found.unknown.join(', ')}). Credentials do not belong in settings: use Sign In….`,
        );
    }
  });
  return profiles;
}

type Found = { readonly profile: Profile; readonly unknown: readonly string[] } | { readonly problem: string };

function readEntry(raw: unknown, source: 'user' | 'workspace'): Found {
  const result = z.safeParse(entrySchema, raw);
  if (!result.success) {
    const issue = result.error.issues[0];
    return { problem: issue === undefined ? 'it cannot be read' : problemText(issue) };
  }
  const entry = result.data;
  const badName = nameProblem(entry.name);
  if (badName !== undefined) return { problem: lowerFirst(badName) };
  const address = checkBaseUrl(entry.baseUrl.trim());
  if (!address.ok) return { problem: `baseUrl: ${lowerFirst(address.reason)}` };
  const profile = profileOf(entry, address.url, source);
  const badAuth = authProblem(profile);
  if (badAuth !== undefined) return { problem: badAuth };
  const unknown = Object.keys(entry)
    .filter((key) => !knownKeys.has(key))
    .map((key) => key.replace(/[^\w.-]/g, '?').slice(0, 40));
  return { profile, unknown };
}

function problemText(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  const words =
    issue.code === 'invalid_type'
      ? `has to be ${issue.expected === 'array' ? 'a list' : `of type ${issue.expected}`}`
      : issue.code === 'invalid_value'
        ? `has to be one of ${issue.values.map(String).join(', ')}`
        : issue.code === 'custom' || issue.code === 'invalid_format'
          ? issue.message
          : 'has a value that is not allowed';
  return path === '' ? `it ${words}` : `${path} ${words}`;
}

function profileOf(entry: Entry, baseUrl: string, source: 'user' | 'workspace'): Profile {
  const { auth, query } = entry;
  const links: Partial<Record<LinkKind, string>> = {};
  for (const kind of linkKinds) {
    const template = entry.links?.[kind];
    if (typeof template === 'string') links[kind] = template;
  }
  return {
    name: entry.name,
    baseUrl,
    ...(entry.environment !== undefined && { environment: entry.environment }),
    organizations: withoutRepeats((entry.organizations ?? []).map(organizationOf)),
    presentation: {
      tokenHeader: auth?.tokenHeader ?? defaultPresentation.tokenHeader,
      tokenPrefix: auth?.tokenPrefix ?? defaultPresentation.tokenPrefix,
      apiKeyHeader: auth?.apiKeyHeader ?? defaultPresentation.apiKeyHeader,
    },
    ...(auth?.refreshPath !== undefined && { refreshPath: auth.refreshPath }),
    ...(auth?.wallets !== undefined && { wallets: auth.wallets }),
    links,
    words: {
      ascending: query?.ascending ?? defaultQueryWords.ascending,
      descending: query?.descending ?? defaultQueryWords.descending,
      flag: query?.flag ?? defaultQueryWords.flag,
      dateFormat: query?.dateFormat ?? defaultQueryWords.dateFormat,
    },
    ...(entry.pageSize !== undefined && { pageSize: entry.pageSize }),
    source,
  };
}

function organizationOf(entry: string | { readonly id: string; readonly label?: string | undefined }): Organization {
  if (typeof entry === 'string') return { id: entry, source: 'settings' };
  const label = plainText(entry.label ?? '', MAX_LABEL);
  return { id: entry.id, ...(label !== '' && { label }), source: 'settings' };
}

/** The first of each id. */
export function withoutRepeats(organizations: readonly Organization[]): readonly Organization[] {
  const known = new Map<string, Organization>();
  for (const organization of organizations) if (!known.has(organization.id)) known.set(organization.id, organization);
  return [...known.values()];
}

function authProblem({ presentation, refreshPath, baseUrl }: Profile): string | undefined {
  if (presentation.tokenHeader.toLowerCase() === presentation.apiKeyHeader.toLowerCase())
    return 'auth names one header for both the token and the API key';
  if (refreshPath === undefined) return undefined;
  if (!refreshPath.startsWith('/')) return 'auth.refreshPath has to begin with /';
  const whole = checkBaseUrl(baseUrl + refreshPath);
  return whole.ok ? undefined : `auth.refreshPath: ${lowerFirst(whole.reason)}`;
}

/** http(s), no userinfo, and placeholders only behind the host: no value can change where it leads. */
function isLinkTemplate(template: string): boolean {
  const filled = (value: string): string => template.replaceAll(/\{(?:hash|id)\}/g, value);
  if (!/^https?:\/\//i.test(template) || !/\{(?:hash|id)\}/.test(template) || !URL.canParse(filled('a'))) return false;
  const [one, other] = [new URL(filled('a')), new URL(filled('b'))];
  return one.origin === other.origin && one.username === '' && one.password === '' && !/[\s\\]/.test(template);
}

/** The user's entry, with what the workspace may add: organizations, query words, page size, a stricter environment. */
function merge(own: Profile, shared: Profile, problems: string[]): Profile {
  const refused = [
    own.baseUrl !== shared.baseUrl && 'baseUrl',
    !sameAuth(shared, { presentation: defaultPresentation }) && !sameAuth(shared, own) && 'auth',
    linkKinds.some((kind) => shared.links[kind] !== undefined && shared.links[kind] !== own.links[kind]) && 'links',
    shared.environment !== undefined && strictness(shared.environment) < strictness(own.environment) && 'environment',
  ].filter((part) => part !== false);
  if (refused.length > 0)
    problems.push(
      `${own.name}: the workspace settings differ in ${refused.join(', ')}; your own user settings are kept.`,
    );
  const environment =
    shared.environment !== undefined && strictness(shared.environment) > strictness(own.environment)
      ? shared.environment
      : own.environment;
  const pageSize = own.pageSize ?? shared.pageSize;
  return {
    ...own,
    ...(environment !== undefined && { environment }),
    ...(pageSize !== undefined && { pageSize }),
    organizations: withoutRepeats([...own.organizations, ...shared.organizations]),
    words: JSON.stringify(own.words) === JSON.stringify(defaultQueryWords) ? shared.words : own.words,
  };
}

type Auth = Pick<Profile, 'presentation' | 'refreshPath' | 'wallets'>;

function sameAuth(one: Auth, other: Auth): boolean {
  const text = ({ presentation: { tokenHeader, tokenPrefix, apiKeyHeader }, refreshPath, wallets }: Auth): string =>
    JSON.stringify([tokenHeader, tokenPrefix, apiKeyHeader, refreshPath, wallets ?? 'none']);
  return text(one) === text(other);
}

/** An environment without a name confirms like production, so only production is stricter. */
function strictness(environment: Environment | undefined): number {
  return environment === undefined ? 2.5 : environments.indexOf(environment);
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
