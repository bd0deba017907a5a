/** Reads the fields of an action log that deployments write in several forms: fee, signer, affected objects, action id. */
import { isObject, type JsonObject } from './json.ts';

/** A string, number or kept number as text; '' for anything else. */
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
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

const UNITS = ['unit', 'currency', 'denom', 'symbol', 'token'];
const AMOUNTS = ['amount', 'value'];
const NAMES = ['name', 'type', 'kind', 'label'];
const isTotal = (name: string): boolean => /(?:^|_)(?:total|sum)(?:_|$)/.test(snakeCase(name));
const isFee = (name: string): boolean => /(?:^|_)fees?(?:_|$)/.test(snakeCase(name));
const isAmount = (text: string): boolean => /^-?\d/.test(text);

interface Part {
  readonly name: string;
  readonly text: string;
}

/** The total of some parts, the only one's value, or all of them by name. */
function inWords(parts: readonly Part[]): string {
  const chosen = parts.find(({ name }) => isTotal(name));
  if (chosen !== undefined) return chosen.text;
  return parts
    .slice(0, 4)
    .map(({ name, text }) => (name === '' ? text : `${name} ${text}`))
    .join(', ');
}

/** The value of `fee` or `fees`: a scalar, an object with a total, an amount or named parts, or a list of parts. */
function feeText(value: unknown): string {
  const whole = scalar(value);
  if (whole !== '') return whole;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return inWords(
      items.flatMap((item) => {
        const text = feeText(item);
        return text === '' ? [] : [{ name: isObject(item) ? firstText(item, NAMES) : '', text }];
      }),
    );
  }
  if (!isObject(value)) return '';
  const unit = firstText(value, UNITS);
  const withUnit = (text: string): string => (unit === '' || text.endsWith(unit) ? text : `${text} ${unit}`);
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const text = isObject(part) ? feeText(part) : scalar(part);
    return isAmount(text) ? [{ name, text: isObject(part) ? text : withUnit(text) }] : [];
  });
  const total = parts.find(({ name }) => isTotal(name));
  const amount = firstText(value, AMOUNTS);
  if (total !== undefined) return total.text;
  return amount === '' ? inWords(parts) : withUnit(amount);
}

/**
 * The fee of a log as text: a total where there is one, else the single value, else the parts by name, never added up.
 * Empty where the log has none.
 */
export function feeOf(raw: JsonObject): string {
  const fields = Object.entries(raw).filter(([name]) => isFee(name));
  const total = fields.find(([name, value]) => isTotal(name) && feeText(value) !== '');
  if (total !== undefined) return feeText(total[1]);
  const whole = feeText(raw['fee']) || feeText(raw['fees']);
  if (whole !== '') return whole;
  return inWords(
    fields.flatMap(([name, value]) => {
      const text = feeText(value);
      return text === '' ? [] : [{ name, text }];
    }),
  );
}

const SIGNERS = ['signer', 'signer_address', 'account_name', 'account', 'wallet_name', 'wallet'];
const SIGNER_NAMES = ['name', 'nickname', 'address', 'id'];

/** Who signed a log: `signer`, or the name of an account or a wallet in its place. Empty where the log names none. */
export function signerOf(raw: JsonObject): string {
  for (const name of SIGNERS) {
    const value = raw[name];
    const text = isObject(value) ? firstText(value, SIGNER_NAMES) : scalar(value);
    if (text !== '') return text;
  }
  return '';
}

/** The id of the execution that a log belongs to, where it stands beside the log's own. */
export function actionIdOf(raw: JsonObject): string {
  return firstText(raw, ['action_id', 'actionId']);
}

/** What a log did to one object. Texts are empty where the log does not say. */
export interface AffectedObjectFields {
  readonly id: string;
  readonly templateId: string;
  readonly previousRoot: string;
  readonly nextRoot: string;
  /** The log made this object: it says so, it names zeros as the previous root, or it is a mint and names none. */
  readonly created: boolean;
}

// Newer deployments call a root a hash.
const PREVIOUS = [
  'prev_state_root',
  'prev_state_hash',
  'previous_state_root',
  'previous_state_hash',
  'prev_root',
  'previous_root',
  'prev_hash',
  'old_state_root',
  'from_state_root',
];
const NEXT = [
  'next_state_root',
  'next_state_hash',
  'next_root',
  'next_hash',
  'new_state_root',
  'new_state_hash',
  'to_state_root',
];
const CHANGES = ['change_type', 'change', 'operation', 'op', 'event', 'type', 'kind'];
const CREATED = /^(?:creat(?:e|ed|ion)|mint(?:ed)?|add(?:ed)?|insert(?:ed)?|new)$/i;
const CHANGED =
  /^(?:updat(?:e|ed)|modif(?:y|ied)|chang(?:e|ed)|transfer(?:red)?|delet(?:e|ed)|remov(?:e|ed)|burn(?:ed|t)?)$/i;

const isZero = (root: string): boolean => /^(?:0x)?0*$/i.test(root);

/** The affected objects of a log, at most `most` of them. An absent previous root alone says nothing. */
export function affectedObjectsOf(raw: JsonObject, most = Infinity): readonly AffectedObjectFields[] {
  const list: unknown = raw['affected_objects'];
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const isMint = /^mint$/i.test(firstText(raw, ['action_name', 'name']));
  return items.slice(0, most).flatMap((item) => {
    if (!isObject(item)) return [];
    const change = CHANGES.map((name) => scalar(item[name])).find((word) => CREATED.test(word) || CHANGED.test(word));
    const [previousRoot, nextRoot] = [firstText(item, PREVIOUS), firstText(item, NEXT)];
    const fromZero = previousRoot === '' ? isMint : isZero(previousRoot) && !isZero(nextRoot);
    const created = change === undefined ? fromZero : CREATED.test(change);
    return [
      {
        id: firstText(item, ['id', 'object_id']),
        templateId: firstText(item, ['template_id']),
        previousRoot,
        nextRoot,
        created,
      },
    ];
  });
}
