/** Checks an action against live data: ids, actions of the template, access, supply, time and role. */
import * as l10n from '@vscode/l10n';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { PlatformError } from '../../platform/errors.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { checkActionFile } from './check-action-file.ts';
import {
  getNumberText,
  getProperty,
  getSpan,
  getString,
  type ActionEntry,
  type ActionFile,
  type Span,
} from './action-file.ts';
import { findTypeConflicts, formatTypeConflict } from './field-types.ts';
import { suggest } from './suggest.ts';
import type { Finding, Severity } from './findings.ts';
import { getIdFields } from './action-kinds.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatList } from '../../platform/text/localization.ts';

/** Live data. `read` resolves with `undefined` for what does not exist, and rejects with PlatformError. */
export interface LiveLookup {
  read(kind: 'objects' | 'templates' | 'faces', id: string, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** what the role of the caller grants; `undefined` if it is not known */
  can(resource: string, verb: 'create', organization: string | undefined): boolean | undefined;
  /** known ids and addresses of the caller */
  readonly ownIds: ReadonlySet<string>;
  now(): number;
  /** name of the connection, for messages */
  readonly connection: string;
}

type AddFinding = (
  at: Span,
  code: string,
  severity: Exclude<Severity, 'error'>,
  message: string,
  fixes?: Finding['fixes'],
) => void;

/**
 * Returns the static findings and those against live data. `secrets`: values that the file should not contain. Never
 * rejects: reports what could not be checked as a finding.
 */
export async function preflight(
  file: ActionFile,
  live: LiveLookup,
  signal: AbortSignal,
  secrets: readonly string[] = [],
): Promise<readonly Finding[]> {
  const findings = [...checkActionFile(file, secrets)];
  if (file.problems.length > 0) return findings;
  const add: AddFinding = (at, code, severity, message, fixes = []) => {
    findings.push({ code, severity, message, offset: at.offset, length: Math.max(at.length, 1), fixes });
  };
  for (const entry of file.entries.slice(0, 3)) {
    try {
      findings.push(...(await checkEntry(file, entry, live, signal, add)));
    } catch (error) {
      if (signal.aborted) throw error;
      const why = getErrorMessage(error);
      add(getSpan(entry.key), 'notChecked', 'information', l10n.t('Could not be checked against live data: {0}', why));
    }
  }
  return findings;
}

async function checkEntry(
  file: ActionFile,
  entry: ActionEntry,
  live: LiveLookup,
  signal: AbortSignal,
  add: AddFinding,
): Promise<readonly Finding[]> {
  const found = new Map<string, JsonObject>();
  for (const field of getIdFields(file)) {
    if (field.kind !== entry.kind || field.ids === 'wallets') continue;
    const item = await live.read(field.ids, field.id, signal);
    if (item !== undefined) found.set(field.field, item);
    else add(getSpan(field.node), 'unknownId', 'warning', await explainUnknownId(field.ids, field.id, live, signal));
  }
  const object = found.get('id');
  const ownTemplate = readText(object?.['template_id']);
  const template =
    entry.kind === 'mint' || ownTemplate === undefined
      ? found.get('template_id')
      : await live.read('templates', ownTemplate, signal);
  const organization = readText(object?.['org_id']) ?? readText(template?.['org_id']);
  if (live.can('ebus.actions', 'create', organization) === false)
    add(
      getSpan(entry.key),
      'permission',
      'warning',
      l10n.t('Your role lacks the permission {0}', 'ebus.actions: create'),
    );
  const conflicts = checkTypes(entry, [object, template?.['object']]);
  if (template === undefined) return conflicts;
  checkTemplate(entry, template, live, add);
  if (entry.kind === 'mint') {
    const at = getProperty(entry.value, 'template_id') ?? entry.key;
    checkFactory(file, entry, template, live, getSpan(at), add);
  }
  return conflicts;
}

/** Compares the data with that of the object, and of the objects of its template. Other kinds have data of their own. */
function checkTypes({ kind, value }: ActionEntry, sources: readonly unknown[]): readonly Finding[] {
  if (kind !== 'mint' && kind !== 'update') return [];
  return findTypeConflicts(getProperty(value, 'data'), ['data'], sources).map(({ node, conflict }) => ({
    code: 'fieldType',
    severity: 'warning',
    ...getSpan(node),
    fixes: [],
    conflict,
    message: formatTypeConflict(conflict.path.slice(1).join('.'), conflict),
  }));
}

type ReadableKind = 'objects' | 'templates' | 'faces';

/** Messages for an id of another kind, by the kind that is expected and by that of the id. */
const wrongKinds: Readonly<Record<ReadableKind, Readonly<Partial<Record<ReadableKind, string>>>>> = {
  objects: {
    templates: l10n.t('This is the ID of a template. The ID of an object is required'),
    faces: l10n.t('This is the ID of a face. The ID of an object is required'),
  },
  templates: {
    objects: l10n.t('This is the ID of an object. The ID of a template is required'),
    faces: l10n.t('This is the ID of a face. The ID of a template is required'),
  },
  faces: {
    objects: l10n.t('This is the ID of an object. The ID of a face is required'),
    templates: l10n.t('This is the ID of a template. The ID of a face is required'),
  },
};

function formatNotVisible(kind: ReadableKind, connection: string): string {
  if (kind === 'objects') return l10n.t('No object with this ID is visible to you on {0}', connection);
  if (kind === 'templates') return l10n.t('No template with this ID is visible to you on {0}', connection);
  return l10n.t('No face with this ID is visible to you on {0}', connection);
}

async function explainUnknownId(
  kind: ReadableKind,
  id: string,
  live: LiveLookup,
  signal: AbortSignal,
): Promise<string> {
  for (const other of ['objects', 'templates', 'faces'] as const) {
    const message = wrongKinds[kind][other];
    if (message === undefined) continue;
    try {
      if ((await live.read(other, id, signal)) !== undefined) return message;
    } catch (error) {
      // A missing permission elsewhere proves nothing about this id.
      if (signal.aborted || !(error instanceof PlatformError)) throw error;
    }
  }
  return formatNotVisible(kind, truncate(live.connection));
}

function checkTemplate(entry: ActionEntry, template: JsonObject, live: LiveLookup, add: AddFinding): void {
  const list: unknown = template['actions'];
  if (!Array.isArray(list)) return;
  const actions = list.filter(isObject);
  const name = truncate(readText(template['name']) ?? l10n.t('unnamed'));
  const listed = actions.find((action) => action['name'] === entry.kind);
  if (listed === undefined) {
    const names = actions.map((action) => readText(action['name']) ?? '?');
    const suggestion = suggest(entry.kind, names);
    add(
      getSpan(entry.key),
      'notListed',
      'warning',
      names.length === 0
        ? l10n.t('Template “{0}” has no actions', name)
        : l10n.t(
            'Template “{0}” has no action {1}. Its actions: {2}',
            name,
            truncate(entry.kind),
            truncate(formatList(names, 'unit'), 200),
          ),
      suggestion === undefined
        ? []
        : [
            {
              title: l10n.t('Change to {0}', `\`${suggestion}\``),
              edits: () => [{ ...getSpan(entry.key), text: JSON.stringify(suggestion) }],
            },
          ],
    );
    return;
  }
  const access = isObject(listed['access']) ? listed['access'] : {};
  const type = readText(access['type']);
  if (type === 'private')
    add(getSpan(entry.key), 'access', 'information', l10n.t('{0} is private to the issuer of “{1}”', entry.kind, name));
  else if (type === 'token') {
    const tokens = isObject(access['tokens']) ? Object.entries(access['tokens']) : [];
    const needed = formatList(
      tokens.map(([token, amount]) => `${formatAmount(amount)} ${token}`),
      'unit',
    );
    add(
      getSpan(entry.key),
      'access',
      'information',
      needed === ''
        ? l10n.t('{0} requires tokens; which ones is unknown', entry.kind)
        : l10n.t('{0} requires tokens: {1}', entry.kind, truncate(needed, 200)),
    );
  } else if (type === 'whitelist') {
    const factory = isObject(template['factory']) ? template['factory'] : {};
    const whitelist: unknown = factory['whitelist'];
    if (!Array.isArray(whitelist)) {
      add(
        getSpan(entry.key),
        'access',
        'information',
        l10n.t('{0} is restricted to a whitelist that can’t be read', entry.kind),
      );
      return;
    }
    const to = getString(entry.value, 'to');
    const holders = entry.kind === 'mint' && to !== undefined && to !== '' ? [to] : [...live.ownIds];
    if (holders.some((one) => whitelist.includes(one))) return;
    const known = holders.length > 0;
    const at = entry.kind === 'mint' ? (getProperty(entry.value, 'to') ?? entry.key) : entry.key;
    add(
      getSpan(at),
      'whitelist',
      known ? 'warning' : 'information',
      !known
        ? l10n.t('{0} is restricted to wallets on the whitelist of “{1}”. Your wallet is unknown', entry.kind, name)
        : to === undefined
          ? l10n.t('Your wallet does not appear to be on the whitelist of “{0}”', name)
          : l10n.t('The receiver does not appear to be on the whitelist of “{0}”', name),
    );
  }
}

function checkFactory(
  file: ActionFile,
  entry: ActionEntry,
  template: JsonObject,
  live: LiveLookup,
  at: Span,
  add: AddFinding,
): void {
  const factory = template['factory'];
  if (!isObject(factory)) return;
  const name = truncate(readText(template['name']) ?? l10n.t('unnamed'));
  const max = parseInteger(factory['max_supply']);
  const minted = parseInteger(factory['minted_count']) ?? 0n;
  const requested = parseInteger(getNumberText(file, entry.value, 'num') ?? 1) ?? 1n;
  if (max !== undefined && max > 0n && minted + requested > max) {
    const left = max > minted ? max - minted : 0n;
    const number = getProperty(entry.value, 'num');
    const fixes =
      left > 0n && number !== undefined
        ? [{ title: l10n.t('Change to {0}', String(left)), edits: () => [{ ...getSpan(number), text: String(left) }] }]
        : [];
    add(
      number === undefined ? at : getSpan(number),
      'supply',
      'warning',
      left === 0n
        ? l10n.t('“{0}” is sold out: {1} of {2} minted', name, String(minted), String(max))
        : l10n.t('Remaining supply of “{0}”: {1} ({2} of {3} minted)', name, String(left), String(minted), String(max)),
      fixes,
    );
  }
  const start = Date.parse(readText(factory['start_time']) ?? '');
  const end = Date.parse(readText(factory['end_time']) ?? '');
  const formatTime = (time: number): string => new Date(time).toISOString();
  if (Number.isFinite(start) && live.now() < start)
    add(at, 'window', 'warning', l10n.t('Minting “{0}” starts at {1}', name, formatTime(start)));
  if (Number.isFinite(end) && live.now() > end)
    add(at, 'window', 'warning', l10n.t('Minting “{0}” ended at {1}', name, formatTime(end)));
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function formatAmount(value: unknown): string {
  return JSON.isRawJSON(value)
    ? value.rawJSON
    : typeof value === 'number' || typeof value === 'string'
      ? String(value)
      : '?';
}

function parseInteger(value: unknown): bigint | undefined {
  const text = formatAmount(value);
  return /^-?\d{1,40}$/.test(text) ? BigInt(text) : undefined;
}

function truncate(text: string, maxLength = 60): string {
  return toPlainText(text, maxLength);
}
