/** Formats the JSON of a resource as the fields of its page: the facts of its header, and groups. */
import * as l10n from '@vscode/l10n';
import { createTitleLookup } from '../cache/title-lookup.ts';
import type { Services } from '../commands/context.ts';
import { formatFieldLabel } from '../explorer/rows/related-resources.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { formatLocalTime, formatRelativeTime, parseDateTime } from '../model/text/time-format.ts';
import { getOwn, isObject } from '../platform/json/json.ts';
import { MASK } from '../platform/json/secrets.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { formatFieldText } from '../platform/resources/action-log-fields.ts';
import type { Fact } from '../platform/resources/facts.ts';
import { formatNumber } from '../platform/text/localization.ts';
import { toPlainLines, toPlainText } from '../platform/text/plain-text.ts';
import { MAX_URL_LENGTH } from '../webviews/protocol/index.ts';
import type { PageField, PageGroup } from '../webviews/protocol/page.ts';

/** What fields need to know of ids. */
export interface FieldContext {
  /** the label or title of an id */
  readonly getName: (kind: string | undefined, id: string) => string | undefined;
  /** the kind of a known id, if one is known */
  readonly findKind: (id: string) => string | undefined;
  /** masks secrets that became known after the resource was read */
  readonly redact: (text: string) => string;
  readonly now: number;
}

/** Names ids as the user knows them on the connection of a page, and the user's own wallet. */
export function createFieldContext(services: Services, { connection, id: ownId }: ResourceArgument): FieldContext {
  const getTitle = createTitleLookup(services, [connection]);
  const subject = services.sessions.get(connection)?.identity?.subject?.toLowerCase();
  return {
    getName: (kind, id) => {
      const label = services.labels.get(id)?.text;
      if (kind === 'wallets' && id.toLowerCase() === subject)
        return label === undefined ? l10n.t('You') : l10n.t('{0} (you)', label);
      return kind === undefined ? label : getTitle(kind, id);
    },
    findKind: (id) =>
      id === ownId
        ? undefined
        : services.knownIds.index.find(id).find((known) => known.connection === connection)?.kind,
    redact: (text) => services.redact(text),
    now: Date.now(),
  };
}

const MAX_VALUE_LENGTH = 1000;
const MAX_GROUP_FIELDS = 100;
const MAX_ELEMENTS = 20;
const MAX_DEPTH = 6;

type JsonRecord = Readonly<Record<string, unknown>>;

/** Returns the facts of a header: what the resource refers to, its own facts if they are few, and its times. */
export function createHeaderFields(
  definition: ResourceDefinition,
  raw: unknown,
  context: FieldContext,
): readonly PageField[] {
  if (!isObject(raw)) return [];
  // The organization, which is the same for many, comes last.
  const paths = Object.entries(definition.references).toSorted(
    ([, a], [, b]) => Number(a === 'organizations') - Number(b === 'organizations'),
  );
  const references = paths.flatMap(([path]) => {
    const value = raw[path];
    return typeof value === 'string' && value !== '' ? [createField(definition, path, path, value, context)] : [];
  });
  const times = Object.entries(raw).flatMap(([name, value]) =>
    typeof value === 'string' && name.startsWith(TIME_PREFIX)
      ? [createField(definition, name, name, value, context)]
      : [],
  );
  const facts = definition.factGroup === undefined ? (definition.facts?.(raw) ?? []) : [];
  return [...references, ...facts.map((fact) => createFactField(fact, context)), ...times];
}

/** Returns the groups: the registry's facts, the objects of the JSON, and last its other values. */
export function createGroups(
  definition: ResourceDefinition,
  raw: unknown,
  context: FieldContext,
): readonly PageGroup[] {
  if (!isObject(raw)) return [];
  const { factGroup } = definition;
  const facts = (definition.facts?.(raw) ?? []).map((fact) => createFactField(fact, context));
  // What facts are made from is shown by itself if there are none: no permissions are something to know.
  const entries = Object.entries(raw).filter(
    ([name]) => facts.length === 0 || factGroup?.fields.includes(name) !== true,
  );
  const parts = entries.filter(([, value]) => isPart(value));
  const isFact = (name: string): boolean =>
    factGroup === undefined && facts.some(({ label }) => label === toLabel(name));
  const values = entries.filter(([name, value]) => !isPart(value) && !isInHeader(definition, name) && !isFact(name));
  const order = (name: string): number => GROUP_ORDER.indexOf(name) + 1 || GROUP_ORDER.length + 1;
  return [
    ...(factGroup === undefined ? [] : [createGroup(factGroup.label, facts)]),
    ...parts
      .toSorted(([a], [b]) => order(a) - order(b))
      .map(([name, value]) => createGroup(toLabel(name), listFields(definition, name, '', value, context, 0))),
    createGroup(
      l10n.t('Details'),
      values.map(([name, value]) => createField(definition, name, name, value, context)),
    ),
  ].filter(({ fields }) => fields.length > 0);
}

const TIME_PREFIX = 'when_';
/** The first groups. */
const GROUP_ORDER = ['custom', 'metadata', 'location', 'chain'];

function isInHeader(definition: ResourceDefinition, name: string): boolean {
  return name === 'id' || name.startsWith(TIME_PREFIX) || Object.hasOwn(definition.references, name);
}

function isPart(value: unknown): value is JsonRecord | readonly unknown[] {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

function createGroup(title: string, fields: readonly PageField[]): PageGroup {
  const shown = fields.slice(0, MAX_GROUP_FIELDS);
  const rest = fields.length - shown.length;
  return {
    title,
    fields: [...shown],
    ...(rest > 0 && { note: l10n.t('{0} more in the JSON', formatNumber(rest)) }),
  };
}

/** Lists the values below `value`. `path`: as in the registry, with `[]`; `label`: of the parts between the group and the value. */
function listFields(
  definition: ResourceDefinition,
  path: string,
  label: string,
  value: unknown,
  context: FieldContext,
  depth: number,
): readonly PageField[] {
  if (!isPart(value) || depth >= MAX_DEPTH) return [createField(definition, path, label, value, context)];
  const join = (name: string): string => (label === '' ? name : `${label} › ${name}`);
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([name, part]) =>
      listFields(definition, `${path}.${name}`, join(toLabel(name)), part, context, depth + 1),
    );
  const elements: readonly unknown[] = value;
  const fields = elements
    .slice(0, MAX_ELEMENTS)
    .flatMap((element, index) =>
      listFields(definition, `${path}[]`, join(formatNumber(index + 1)), element, context, depth + 1),
    );
  const rest = elements.length - MAX_ELEMENTS;
  return rest <= 0
    ? fields
    : [...fields, { label: join('…'), value: l10n.t('{0} more in the JSON', formatNumber(rest)) }];
}

/** `name`: of one field; it is no path if it has dots. */
function toLabel(name: string): string {
  return toPlainText(name.includes('.') ? name : formatFieldLabel(name.replace(/^when_/, '')), 60);
}

function createField(
  definition: ResourceDefinition,
  path: string,
  label: string,
  value: unknown,
  context: FieldContext,
): PageField {
  const base = { label: label === path ? toLabel(path) : toPlainText(label, 200) };
  if (typeof value !== 'string') return { ...base, value: formatFieldText(path, formatJsonValue(value)) };
  if (value === '') return { ...base, value: l10n.t('Empty') };
  if (value === MASK) return { ...base, value: MASK, detail: l10n.t('hidden secret') };
  const text = context.redact(value);
  const time = parseDateTime(text);
  if (time !== undefined)
    return { ...base, value: formatRelativeTime(time, context.now), detail: formatLocalTime(time) };
  if (/^https?:\/\//i.test(text) && URL.canParse(text) && text.length <= MAX_URL_LENGTH)
    return { ...base, value: toPlainText(text, 300), url: text, copy: text };
  return { ...base, ...createTextParts(definition, path, text, context) };
}

function createTextParts(
  definition: ResourceDefinition,
  path: string,
  text: string,
  { getName, findKind }: FieldContext,
): Omit<PageField, 'label'> {
  const isLong = text.length > MAX_SHORT_LENGTH;
  if (isLong && /^\s*(?:<[a-z!?]|\{\{)/i.test(text)) return createSource(text);
  const kind =
    getOwn(definition.references, path) ?? (getOwn(definition.links, path) === 'account' ? 'wallets' : findKind(text));
  const value = toPlainText(text, MAX_VALUE_LENGTH);
  if (kind === undefined || text.length > MAX_ID_LENGTH)
    return {
      value: formatFieldText(path, value),
      ...(isLong && text.length <= MAX_COPY_LENGTH && { copy: text }),
      ...(isHash(text) && { code: true }),
    };
  const name = getName(kind, text);
  return {
    value: name === undefined ? value : toPlainText(name, 120),
    ...(name === undefined ? { code: true } : { detail: value }),
    copy: text,
    link: { kind, id: text },
  };
}

const MAX_ID_LENGTH = 256;
/** A longer text has a button that copies it. */
const MAX_SHORT_LENGTH = 40;
const MAX_COPY_LENGTH = 20_000;

/** HTML, SVG or a template of them. */
function createSource(text: string): Omit<PageField, 'label'> {
  const isWhole = text.length <= MAX_COPY_LENGTH;
  const lines = toPlainLines(text.slice(0, MAX_COPY_LENGTH));
  return { value: isWhole ? lines : `${lines}…`, source: true, ...(isWhole && { copy: text }) };
}

function isHash(text: string): boolean {
  return /^(?:0x)?[\da-f]{16,}$/i.test(text);
}

function formatJsonValue(value: unknown): string {
  if (value === null || value === undefined) return l10n.t('None');
  if (typeof value === 'boolean') return value ? l10n.t('Yes') : l10n.t('No');
  if (!isPart(value) && (Array.isArray(value) || isObject(value))) return l10n.t('Empty');
  return toPlainText(JSON.stringify(value), MAX_VALUE_LENGTH);
}

function createFactField({ label, value, url }: Fact, { redact }: FieldContext): PageField {
  return {
    label: toPlainText(label, 120),
    value: toPlainText(redact(value), MAX_VALUE_LENGTH),
    ...(url !== undefined && url.length <= MAX_URL_LENGTH && { url: redact(url), copy: redact(url) }),
  };
}
