/** Reads the fields of an action log that deployments write in several forms: fee, signer, affected objects, action id, status, reason. */
import { readErrorText } from '../json/error-text.ts';
import { getOwn, isObject, type JsonObject } from '../json/json.ts';
import type { ItemSummary, Tone } from '../resource.ts';
import { formatAmount, formatList } from '../text/localization.ts';

/** A string, number or `RawNumber` as text; '' for anything else. */
function scalar(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : '';
}

function firstText(raw: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const text = scalar(raw[name]);
    if (text !== '') return text;
  }
  return '';
}

/** `gasFee` and `gas-fee` as `gas_fee`. */
function snakeCase(name: string): string {
  if (!/[-A-Z]/.test(name)) return name;
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

const UNIT_FIELDS = ['unit', 'currency', 'denom', 'symbol', 'token'];
const AMOUNT_FIELDS = ['amount', 'value'];
const isTotal = (name: string): boolean => /(?:^|_)(?:total|sum)(?:_|$)/.test(snakeCase(name));
const isFee = (name: string): boolean => /(?:^|_)fees?(?:_|$)/.test(snakeCase(name));

/** The text of a field for reading: fees are rounded. */
export function formatFieldText(name: string, text: string): string {
  return isFee(name) ? formatAmount(text) : text;
}
const isAmount = (text: string): boolean => /^-?\d/.test(text);

interface Part {
  readonly name: string;
  readonly text: string;
}

/** The total among the parts, or the first four by name. */
function formatParts(parts: readonly Part[]): string {
  const chosen = parts.find(({ name }) => isTotal(name));
  if (chosen !== undefined) return chosen.text;
  return formatList(
    parts.slice(0, 4).map(({ name, text }) => `${name} ${text}`),
    'unit',
  );
}

/** The value of a fee: a scalar, or an object with a total, an amount or named parts, in one unit. */
function formatFeeValue(value: unknown): string {
  const single = scalar(value);
  if (single !== '' || !isObject(value)) return single;
  const unit = firstText(value, UNIT_FIELDS);
  const withUnit = (text: string): string => (unit === '' || text.endsWith(unit) ? text : `${text} ${unit}`);
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const text = scalar(part);
    return isAmount(text) ? [{ name, text: withUnit(text) }] : [];
  });
  const amount = firstText(value, AMOUNT_FIELDS);
  return amount === '' || parts.some(({ name }) => isTotal(name)) ? formatParts(parts) : withUnit(amount);
}

/**
 * The exact fee of a log as text, for reading with `formatAmount`: its total, else its single value, else the parts by name. Parts are never added up, since
 * their units may differ. Empty if the log has no fee.
 */
export function formatFee(raw: JsonObject): string {
  const fields = Object.entries(raw).filter(([name]) => isFee(name));
  const total = fields.find(([name, value]) => isTotal(name) && formatFeeValue(value) !== '');
  if (total !== undefined) return formatFeeValue(total[1]);
  const fee = formatFeeValue(raw['fee']) || formatFeeValue(raw['fees']);
  if (fee !== '') return fee;
  return formatParts(
    fields.flatMap(([name, value]) => {
      const text = formatFeeValue(value);
      return text === '' ? [] : [{ name, text }];
    }),
  );
}

const SIGNER_FIELDS = ['signer', 'account_name', 'account', 'wallet'];
const SIGNER_NAME_FIELDS = ['name', 'nickname', 'address', 'id'];

/** The signer of a log: `signer`, or else the name of its account or wallet. Empty if the log has none. */
export function getSigner(raw: JsonObject): string {
  for (const name of SIGNER_FIELDS) {
    const value = raw[name];
    const text = isObject(value) ? firstText(value, SIGNER_NAME_FIELDS) : scalar(value);
    if (text !== '') return text;
  }
  return '';
}

/** The id of the execution that a log belongs to, if the log has such a field besides its own `id`; otherwise empty. */
export function getActionId(raw: JsonObject): string {
  return firstText(raw, ['action_id', 'actionId']);
}

/** An id as text; some deployments use numbers. `undefined` for anything else. */
export function readId(value: unknown): string | undefined {
  return scalar(value) || undefined;
}

/** The ids by which a log is known; deployments differ in what they name. */
export function getLogIds(raw: JsonObject): readonly string[] {
  return [raw['id'], raw['action_id'], raw['actionId']].map(readId).filter((id) => id !== undefined);
}

/** The change of one object as a log records it. Missing fields are empty. */
interface AffectedObjectFields {
  readonly id: string;
  readonly templateId: string;
  readonly previousRoot: string;
  readonly nextRoot: string;
  /** Created by this log: the previous root is zero, or absent in a mint. */
  readonly created: boolean;
}

// Newer deployments call a root a hash.
const ROOT_FIELDS = ['state_root', 'state_hash', 'content_hash'];
const PREVIOUS_ROOT_FIELDS = ROOT_FIELDS.map((name) => `prev_${name}`);
const NEXT_ROOT_FIELDS = ROOT_FIELDS.map((name) => `next_${name}`);

const isZero = (root: string): boolean => /^(?:0x)?0*$/i.test(root);

/** Reads at most `maxObjects` affected objects of a log. A missing previous root alone does not mean `created`. */
export function readAffectedObjects(raw: JsonObject, maxObjects = Infinity): readonly AffectedObjectFields[] {
  const list: unknown = raw['affected_objects'];
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const isMint = /^mint$/i.test(firstText(raw, ['action_name', 'name']));
  return items.slice(0, maxObjects).flatMap((item) => {
    if (!isObject(item)) return [];
    const [previousRoot, nextRoot] = [firstText(item, PREVIOUS_ROOT_FIELDS), firstText(item, NEXT_ROOT_FIELDS)];
    return [
      {
        id: firstText(item, ['id', 'object_id']),
        templateId: firstText(item, ['template_id']),
        previousRoot,
        nextRoot,
        created: previousRoot === '' ? isMint : isZero(previousRoot) && !isZero(nextRoot),
      },
    ];
  });
}

/** The name of a log's action; deployments name the field differently. */
export function readActionName(raw: JsonObject): string | undefined {
  return firstText(raw, ['action_name', 'name']) || undefined;
}

/** The tone of each known status. */
const STATUS_TONES: Readonly<Record<string, Tone>> = {
  pending: 'busy',
  processing: 'busy',
  completed: 'ok',
  failed: 'bad',
  finalized: 'unknown',
};

/**
 * The status of an action log or ledger batch, `COMPLETED` as `completed`; one outside the contract as the server wrote
 * it. `undefined` if there is none.
 */
export function readStatus(raw: JsonObject): string | undefined {
  const status = raw['status'];
  if (typeof status !== 'string' || status === '') return undefined;
  const known = status.trim().toLowerCase();
  return Object.hasOwn(STATUS_TONES, known) ? known : status;
}

/** True for the statuses after which an action log no longer changes. */
export function isFinalLogStatus(status: string | undefined): boolean {
  return status === 'completed' || status === 'failed';
}

/** True for the statuses after which a ledger batch no longer changes: those of the contract, and `finalized` of live deployments. */
export function isFinalBatchStatus(status: string | undefined): boolean {
  return isFinalLogStatus(status) || status === 'finalized';
}

/** What tells two states of one action log apart. */
export interface LogVersion {
  readonly final: boolean;
  /** milliseconds since the epoch */
  readonly modified: number | undefined;
}

/** The version of a state of an action log. */
export function readLogVersion(raw: JsonObject): LogVersion {
  const modified = Date.parse(scalar(raw['when_modified']));
  return { final: isFinalLogStatus(readStatus(raw)), modified: Number.isNaN(modified) ? undefined : modified };
}

/**
 * True if `version` is an earlier state than `known`: no longer final, or modified before. Servers with several copies
 * of their data send older states after newer ones.
 */
export function isOlderVersion(version: LogVersion, known: LogVersion): boolean {
  if (version.final !== known.final) return known.final;
  return version.modified !== undefined && known.modified !== undefined && version.modified < known.modified;
}

/** The status and its tone, for the summary of an action log or ledger batch. */
export function summarizeStatus(raw: unknown): Pick<ItemSummary, 'state'> {
  const label = isObject(raw) ? readStatus(raw) : undefined;
  return label === undefined ? {} : { state: { label, tone: getOwn(STATUS_TONES, label) ?? 'unknown' } };
}

interface FailureReason {
  /** as the server wrote it: untrusted */
  readonly text: string;
  /** the field that contains it */
  readonly field: string;
}

/** Why an action or ledger batch failed. The contract has no field for it on logs; deployments use one of several. */
export function readFailureReason(log: JsonObject): FailureReason | undefined {
  for (const field of ['error', 'error_message', 'errors', 'message', 'reason']) {
    const text = readErrorText(log[field]);
    if (text !== undefined) return { text, field };
  }
  return undefined;
}

/** Why a ledger batch failed, as the server wrote it: untrusted. */
export function readBatchFailureReason(batch: JsonObject): string | undefined {
  return readErrorText(batch['error']) ?? (readStatus(batch) === 'failed' ? readFailureReason(batch)?.text : undefined);
}
