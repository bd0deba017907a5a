/** What is known about the effect of a request before it is sent: reads objects, templates and action logs. */
import * as l10n from '@vscode/l10n';
import { formatLine } from '../../model/runs/run-record.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { formatAmount, formatList, pluralize } from '../../platform/text/localization.ts';
import { formatFee, readActionName, readAffectedObjects } from '../../platform/resources/action-log-fields.ts';
import { getString, type ActionFile } from '../file/action-file.ts';
import { getActionKind, getTargetIds, isReadableId, quote } from '../file/action-kinds.ts';
import type { LiveLookup } from '../file/preflight.ts';

/** An object that the request names, as it is now. Texts are those of the server, as one line. */
export interface PreviewedObject {
  readonly id: string;
  readonly name?: string | undefined;
  readonly owner?: string | undefined;
  /** the user's label of the owner */
  readonly ownerName?: string | undefined;
  readonly version?: string | undefined;
  /** `latitude, longitude` */
  readonly location?: string | undefined;
  /** ISO 8601 */
  readonly modified?: string | undefined;
  /** why its state is not known, without the full stop */
  readonly problem?: string;
}

/** The template of the request or of its first object. */
interface PreviewedTemplate {
  readonly id: string;
  readonly name?: string;
  /** sentences without the full stop: access, supply, time */
  readonly rules: readonly string[];
  /** why it is not known, without the full stop */
  readonly problem?: string;
}

export interface Prediction {
  readonly objects: readonly PreviewedObject[];
  readonly template?: PreviewedTemplate;
  /** a sentence without the full stop */
  readonly permission: string;
  /** a sentence without the full stop */
  readonly fee: string;
}

/** Where a prediction reads. */
interface PredictionSource {
  readonly live: LiveLookup;
  /** the newest completed action logs; rejects with PlatformError */
  readonly readLogs: () => Promise<readonly JsonObject[]>;
}

/**
 * Predicts the effect of a request whose variables are filled in. What cannot be read is a sentence that says so. Rejects
 * when `signal` is aborted.
 */
export async function predictEffect(
  request: ActionFile,
  { live, readLogs }: PredictionSource,
  signal: AbortSignal,
): Promise<Prediction> {
  const ids = getTargetIds(request).filter(isReadableId);
  const objects = await Promise.all(ids.map((id) => readObject(id, live, signal)));
  const entry = request.entries[0];
  const namedId = getString(entry?.value, 'template_id');
  const templateId = namedId !== undefined && isReadableId(namedId) ? namedId : objects[0]?.fields?.['template_id'];
  const kind = entry?.kind ?? '';
  const template = typeof templateId === 'string' ? await readTemplate(templateId, kind, live, signal) : undefined;
  const fee = await predictFee(kind, template?.fields === undefined ? undefined : template.view.id, readLogs);
  signal.throwIfAborted();
  const organization = objects[0]?.fields?.['org_id'] ?? template?.fields?.['org_id'];
  const granted = live.can('ebus.actions', 'create', typeof organization === 'string' ? organization : undefined);
  return {
    objects: objects.map(({ view }) => view),
    ...(template !== undefined && { template: template.view }),
    permission: formatPermission(granted),
    fee,
  };
}

function formatPermission(granted: boolean | undefined): string {
  const permission = 'ebus.actions: create';
  if (granted === undefined) return l10n.t('can’t be determined; no role with {0} was loaded', permission);
  return granted ? l10n.t('your role grants {0}', permission) : l10n.t('your role lacks {0}', permission);
}

interface Read<View> {
  readonly view: View;
  readonly fields?: JsonObject;
}

async function readObject(id: string, live: LiveLookup, signal: AbortSignal): Promise<Read<PreviewedObject>> {
  const known = { id: formatLine(id) };
  try {
    const fields = await live.read('objects', id, signal);
    if (fields === undefined)
      return { view: { ...known, problem: l10n.t('no object with this ID is visible to you') } };
    const metadata = isObject(fields['metadata']) ? fields['metadata'] : {};
    const { latitude, longitude } = isObject(fields['location']) ? fields['location'] : {};
    const place = [latitude, longitude].map(formatValue).filter((text) => text !== undefined);
    const view = {
      ...known,
      name: formatValue(metadata['name']),
      owner: formatValue(fields['owner']),
      version: formatValue(fields['version']),
      location: place.length === 2 ? formatList(place, 'unit') : undefined,
      modified: formatValue(fields['when_modified']),
    };
    return { view: { ...view, id: known.id }, fields };
  } catch (error) {
    return { view: { ...known, problem: formatProblem(error) } };
  }
}

async function readTemplate(
  id: string,
  kind: string,
  live: LiveLookup,
  signal: AbortSignal,
): Promise<Read<PreviewedTemplate>> {
  const known = { id: formatLine(id), rules: [] };
  try {
    const fields = await live.read('templates', id, signal);
    if (fields === undefined)
      return { view: { ...known, problem: l10n.t('no template with this ID is visible to you') } };
    const name = formatValue(fields['name']);
    return {
      view: { ...known, ...(name !== undefined && { name }), rules: formatRules(kind, fields, live.now()) },
      fields,
    };
  } catch (error) {
    return { view: { ...known, problem: formatProblem(error) } };
  }
}

function formatRules(kind: string, template: JsonObject, now: number): readonly string[] {
  const factory = kind === 'mint' && isObject(template['factory']) ? template['factory'] : undefined;
  return [formatAccess(kind, template['actions']), ...(factory === undefined ? [] : formatFactory(factory, now))];
}

function formatAccess(kind: string, list: unknown): string {
  const name = formatLine(kind, 40);
  if (!Array.isArray(list)) return l10n.t('Who can use {0} is unknown', name);
  const listed = list.filter(isObject).find((action) => action['name'] === kind);
  if (listed === undefined) return l10n.t('The template does not list the action {0}', name);
  const access = isObject(listed['access']) ? listed['access'] : {};
  switch (access['type']) {
    case 'public':
      return l10n.t('{0} is open to everyone', name);
    case 'private':
      return l10n.t('{0} is private to the issuer', name);
    case 'whitelist':
      return l10n.t('{0} is restricted to wallets on the whitelist', name);
    case 'token': {
      const tokens = isObject(access['tokens']) ? Object.entries(access['tokens']) : [];
      const amounts = tokens.map(([token, amount]) => `${formatValue(amount) ?? '?'} ${formatLine(token, 40)}`);
      return amounts.length === 0
        ? l10n.t('{0} requires tokens; which ones is unknown', name)
        : l10n.t('{0} requires tokens: {1}', name, formatLine(formatList(amounts, 'unit')));
    }
    default:
      return l10n.t('Who can use {0} is unknown', name);
  }
}

function formatFactory(factory: JsonObject, now: number): readonly string[] {
  const parseCount = (value: unknown): bigint | undefined => {
    const text = formatValue(value) ?? '';
    return /^\d{1,40}$/.test(text) ? BigInt(text) : undefined;
  };
  const max = parseCount(factory['max_supply']);
  const minted = parseCount(factory['minted_count']);
  const left = max === undefined || minted === undefined || minted > max ? 0n : max - minted;
  const supply =
    max === undefined || max === 0n
      ? l10n.t('The supply limit is unknown')
      : minted === undefined
        ? l10n.t('The supply limit is {0}; the remaining supply is unknown', String(max))
        : l10n.t('{0} of {1} are left', String(left), String(max));
  const [start, end] = ['start_time', 'end_time'].map((name) => formatValue(factory[name]));
  return [
    supply,
    ...(start === undefined
      ? []
      : [now < Date.parse(start) ? l10n.t('Minting starts {0}', start) : l10n.t('Minting started {0}', start)]),
    ...(end === undefined
      ? []
      : [now < Date.parse(end) ? l10n.t('Minting ends {0}', end) : l10n.t('Minting ended {0}', end)]),
  ];
}

async function predictFee(
  kind: string,
  templateId: string | undefined,
  readLogs: PredictionSource['readLogs'],
): Promise<string> {
  try {
    return (
      (await readFees(kind, templateId, readLogs)) ??
      l10n.t('can’t be determined; no completed {0} in the latest action logs', formatLine(kind, 40))
    );
  } catch (error) {
    return l10n.t('can’t be determined; the action logs could not be read ({0})', formatProblem(error));
  }
}

/**
 * The fees of recent actions of the same kind, and of the same template if there are any; `undefined` if there are
 * none. Rejects as `readLogs` does.
 */
export async function readFees(
  kind: string,
  templateId: string | undefined,
  readLogs: PredictionSource['readLogs'],
): Promise<string | undefined> {
  const name = getActionKind(kind)?.name ?? quote(kind, 40);
  const logs = await readLogs();
  const similar = logs.filter((log) => readActionName(log) === kind);
  const ofTemplate = similar.filter((log) =>
    readAffectedObjects(log).some((object) => templateId !== undefined && object.templateId === templateId),
  );
  const ofSame = ofTemplate.length > 0;
  const fees = (ofSame ? ofTemplate : similar)
    .map((log) => formatLine(formatFee(log), 60))
    .filter((fee) => fee !== '')
    .map((fee) => (/^-?[\d.]+(?: ?[\p{L}$€£]{1,10})?$/u.test(fee) ? fee : quote(fee)));
  if (fees.length === 0) return undefined;
  const message = ofSame
    ? l10n.t(
        '{1} in the latest {0} completed {2} action of this template|{1} in the latest {0} completed {2} actions of this template',
      )
    : l10n.t('{1} in the latest {0} completed {2} action|{1} in the latest {0} completed {2} actions');
  return pluralize(fees.length, message, formatRange(fees), name);
}

/** `0.1 to 0.3`; the first of fees in different units. */
function formatRange(fees: readonly string[]): string {
  const [first = ''] = fees;
  const getUnit = (fee: string): string => fee.replace(/^-?[\d.]+/, '');
  if (fees.some((fee) => !/^-?\d/.test(fee) || getUnit(fee) !== getUnit(first)))
    return l10n.t('{0} most recently', formatAmount(first));
  const sorted = fees.toSorted((a, b) => parseFloat(a) - parseFloat(b));
  const [lowest = '', highest = ''] = [sorted[0], sorted.at(-1)].map((fee = '') => formatAmount(fee));
  return lowest === highest ? lowest : l10n.t('{0} to {1}', lowest, highest);
}

/** A string, number or boolean of the server as one line. */
function formatValue(value: unknown): string | undefined {
  if (JSON.isRawJSON(value)) return value.rawJSON;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? formatLine(value) : undefined;
}

function formatProblem(error: unknown): string {
  return formatLine(getErrorMessage(error)).replace(/\.$/, '');
}
