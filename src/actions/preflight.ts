/** Compares an action with live data before it is sent: ids, what the template lists, access, supply, time, role. Pure: hints. */
import { plainText } from '../platform/plain-text.ts';
import { PlatformError } from '../platform/errors.ts';
import { isObject, type JsonObject } from '../platform/json.ts';
import { checkFile, idFieldsOf, type Finding, type Severity } from './check.ts';
import { numberAt, propertyOf, spanOf, stringAt, type ActionEntry, type ActionFile, type Span } from './file.ts';
import { nearest } from './nearest.ts';

export type IdKind = 'objects' | 'templates' | 'faces' | 'wallets';

/** Live data as preflight asks for it. `undefined`: certainly not there. Throws what the client throws. */
export interface Live {
  read(kind: 'objects' | 'templates' | 'faces', id: string, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** what the caller's role says; `undefined` where it is not known */
  can(resource: string, verb: 'create', organization: string | undefined): boolean | undefined;
  /** ids and addresses that are the caller's, as far as known */
  readonly own: ReadonlySet<string>;
  now(): number;
  /** where all this was read */
  readonly connection: string;
}

type Add = (
  at: Span,
  code: string,
  severity: Exclude<Severity, 'error'>,
  message: string,
  fixes?: Finding['fixes'],
) => void;

/**
 * The static findings and those against live data. `secrets` are values that the file should not hold. Never throws for
 * what the platform does: then it says what it could not check.
 */
export async function preflight(
  file: ActionFile,
  live: Live,
  signal: AbortSignal,
  secrets: readonly string[] = [],
): Promise<readonly Finding[]> {
  const findings = [...checkFile(file, secrets)];
  if (file.problems.length > 0) return findings;
  const add: Add = (at, code, severity, message, fixes = []) => {
    findings.push({ code, severity, message, offset: at.offset, length: Math.max(at.length, 1), fixes });
  };
  for (const entry of file.entries.slice(0, 3)) {
    try {
      await checkEntry(file, entry, live, signal, add);
    } catch (error) {
      if (signal.aborted) throw error;
      const why = error instanceof Error ? error.message : 'unknown error';
      add(spanOf(entry.key), 'notChecked', 'information', `Could not be checked against live data: ${why}`);
    }
  }
  return findings;
}

async function checkEntry(
  file: ActionFile,
  entry: ActionEntry,
  live: Live,
  signal: AbortSignal,
  add: Add,
): Promise<void> {
  const found = new Map<string, JsonObject>();
  for (const field of idFieldsOf(file)) {
    if (field.kind !== entry.kind || field.ids === undefined || field.ids === 'wallets') continue;
    const item = await live.read(field.ids, field.id, signal);
    if (item !== undefined) found.set(field.field, item);
    else add(spanOf(field.node), 'unknownId', 'warning', await notThere(field.ids, field.id, live, signal));
  }
  const object = found.get('id');
  const ownTemplate = textOf(object?.['template_id']);
  const template =
    entry.kind === 'mint' || ownTemplate === undefined
      ? found.get('template_id')
      : await live.read('templates', ownTemplate, signal);
  const organization = textOf(object?.['org_id']) ?? textOf(template?.['org_id']);
  if (live.can('ebus.actions', 'create', organization) === false)
    add(spanOf(entry.key), 'permission', 'warning', 'Your role lacks the permission ebus.actions: create');
  if (template === undefined) return;
  checkTemplate(entry, template, live, add);
  if (entry.kind === 'mint') {
    const at = propertyOf(entry.value, 'template_id') ?? entry.key;
    checkFactory(file, entry, template, live, spanOf(at), add);
  }
}

const singular = { objects: 'object', templates: 'template', faces: 'face' } as const;
const article = { objects: 'an object', templates: 'a template', faces: 'a face' } as const;

async function notThere(kind: keyof typeof singular, id: string, live: Live, signal: AbortSignal): Promise<string> {
  for (const other of ['objects', 'templates', 'faces'] as const) {
    if (other === kind) continue;
    try {
      if ((await live.read(other, id, signal)) !== undefined)
        return `This is the id of ${article[other]}; the id of ${article[kind]} is due here`;
    } catch (error) {
      // Not being allowed to look elsewhere says nothing about this id.
      if (signal.aborted || !(error instanceof PlatformError)) throw error;
    }
  }
  return `No ${singular[kind]} with this id is visible to you on ${cut(live.connection)}`;
}

function checkTemplate(entry: ActionEntry, template: JsonObject, live: Live, add: Add): void {
  const list: unknown = template['actions'];
  if (!Array.isArray(list)) return;
  const actions = list.filter(isObject);
  const name = textOf(template['name']) ?? 'the template';
  const listed = actions.find((action) => action['name'] === entry.kind);
  if (listed === undefined) {
    const names = actions.map((action) => textOf(action['name']) ?? '?');
    const near = nearest(entry.kind, names);
    add(
      spanOf(entry.key),
      'notListed',
      'warning',
      `“${cut(name)}” does not list ${cut(entry.kind)}; it lists ${cut(names.join(', '), 200)}`,
      near === undefined
        ? []
        : [{ title: `Change to \`${near}\``, edits: () => [{ ...spanOf(entry.key), text: JSON.stringify(near) }] }],
    );
    return;
  }
  const access = isObject(listed['access']) ? listed['access'] : {};
  const type = textOf(access['type']);
  if (type === 'private')
    add(spanOf(entry.key), 'access', 'information', `${entry.kind} is private to the issuer of “${cut(name)}”`);
  else if (type === 'token') {
    const tokens = isObject(access['tokens']) ? Object.entries(access['tokens']) : [];
    const needed = tokens.map(([token, amount]) => `${amountText(amount)} ${token}`).join(', ');
    add(
      spanOf(entry.key),
      'access',
      'information',
      `${entry.kind} needs tokens: ${cut(needed === '' ? 'which is not shown' : needed, 200)}`,
    );
  } else if (type === 'whitelist') {
    const factory = isObject(template['factory']) ? template['factory'] : {};
    const whitelist: unknown = factory['whitelist'];
    if (!Array.isArray(whitelist)) {
      add(
        spanOf(entry.key),
        'access',
        'information',
        `${entry.kind} is for wallets on the whitelist, which is not shown`,
      );
      return;
    }
    const to = stringAt(entry.value, 'to');
    const holder = entry.kind === 'mint' && to !== undefined && to !== '' ? [to] : [...live.own];
    if (holder.some((one) => whitelist.includes(one))) return;
    const known = holder.length > 0;
    const who = to === undefined ? 'Your wallet' : 'The receiver';
    const at = entry.kind === 'mint' ? (propertyOf(entry.value, 'to') ?? entry.key) : entry.key;
    add(
      spanOf(at),
      'whitelist',
      known ? 'warning' : 'information',
      known
        ? `${who} is not on the whitelist of “${cut(name)}” as far as can be told`
        : `${entry.kind} is for wallets on the whitelist of “${cut(name)}”; which is yours is not known here`,
    );
  }
}

function checkFactory(
  file: ActionFile,
  entry: ActionEntry,
  template: JsonObject,
  live: Live,
  at: Span,
  add: Add,
): void {
  const factory = template['factory'];
  if (!isObject(factory)) return;
  const name = cut(textOf(template['name']) ?? 'the template');
  const max = wholeOf(factory['max_supply']);
  const minted = wholeOf(factory['minted_count']) ?? 0n;
  const asked = wholeOf(numberAt(file, entry.value, 'num') ?? 1) ?? 1n;
  if (max !== undefined && max > 0n && minted + asked > max) {
    const left = max > minted ? max - minted : 0n;
    const number = propertyOf(entry.value, 'num');
    const fixes =
      left > 0n && number !== undefined
        ? [{ title: `Change to ${String(left)}`, edits: () => [{ ...spanOf(number), text: String(left) }] }]
        : [];
    add(
      number === undefined ? at : spanOf(number),
      'supply',
      'warning',
      left === 0n
        ? `“${name}” is sold out: ${String(minted)} of ${String(max)}`
        : `Only ${String(left)} of “${name}” are left: ${String(minted)} of ${String(max)} are minted`,
      fixes,
    );
  }
  const start = Date.parse(textOf(factory['start_time']) ?? '');
  const end = Date.parse(textOf(factory['end_time']) ?? '');
  const shown = (time: number): string => new Date(time).toISOString();
  if (Number.isFinite(start) && live.now() < start)
    add(at, 'window', 'warning', `“${name}” is minted from ${shown(start)} on`);
  if (Number.isFinite(end) && live.now() > end)
    add(at, 'window', 'warning', `Minting “${name}” ended at ${shown(end)}`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function amountText(value: unknown): string {
  return JSON.isRawJSON(value)
    ? value.rawJSON
    : typeof value === 'number' || typeof value === 'string'
      ? String(value)
      : '?';
}

function wholeOf(value: unknown): bigint | undefined {
  const text = amountText(value);
  return /^-?\d{1,40}$/.test(text) ? BigInt(text) : undefined;
}

function cut(text: string, longest = 60): string {
  return plainText(text, longest);
}
