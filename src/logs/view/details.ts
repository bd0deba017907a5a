import * as l10n from '@vscode/l10n';
import { formatAmount, formatNumber, pluralize } from '../../platform/text/localization.ts';
import {
  getActionId,
  readAffectedObjects,
  formatFee,
  getSigner,
  readBatchFailureReason,
  readFailureReason,
  readStatus,
} from '../../platform/resources/action-log-fields.ts';
import { isObject, getOwn, type JsonObject } from '../../platform/json/json.ts';
import { formatLabelled, getValueProblem } from '../../model/text/labels.ts';
import { fillLinkTemplate } from '../../model/resources/link-template.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { parseDateTime } from '../../model/text/time-format.ts';
import {
  NO_REASON,
  formatReason,
  type DetailField,
  type LogDetails,
  type ReasonSource,
} from '../../webviews/protocol/logs.ts';
import { MAX_URL_LENGTH } from '../../webviews/protocol/index.ts';
import { formatStatus } from '../../model/text/status.ts';

type Section = LogDetails['sections'][number];
type Links = Readonly<Partial<Record<'transaction' | 'object' | 'template' | 'action' | 'account', string>>>;

interface DetailsInput {
  readonly key: string;
  readonly raw: JsonObject;
  /** why it failed, if known */
  readonly reason?: { readonly text: string; readonly from: ReasonSource } | undefined;
  readonly connection: string;
  /** the raw batch, or a message why there is none */
  readonly batch?: JsonObject | string | undefined;
  readonly links: Links;
  /** the user's labels of addresses and ids */
  readonly getLabel?: (value: string) => string | undefined;
  /** the batch is being read */
  readonly busy: boolean;
}

const TONES: Readonly<Record<string, DetailField['tone']>> = {
  completed: 'ok',
  failed: 'bad',
  pending: 'busy',
  processing: 'busy',
};
const MAX_OBJECTS = 50;
const MAX_VALUE_LENGTH = 20_000;

/** Formats everything about one entry in sections for the details pane. */
export function formatDetails(input: DetailsInput): LogDetails {
  const { raw, batch, links, reason, getLabel } = input;
  const status = readStatus(raw) ?? '';
  const message = readFailureReason(raw)?.text;
  const failureReason = reason ?? (message === undefined ? undefined : { text: message, from: 'log' as const });
  const noReason = status === 'failed' ? NO_REASON : '';
  const sections: Section[] = [
    {
      title: l10n.t('Action log'),
      fields: formatFields([
        {
          name: l10n.t('Status'),
          value: status === '' ? l10n.t('Not provided') : formatStatus(status),
          tone: getOwn(TONES, status) ?? 'unknown',
        },
        {
          name: l10n.t('Reason'),
          value: failureReason === undefined ? noReason : formatReason(failureReason.text, failureReason.from),
        },
        {
          name: l10n.t('Action'),
          value: [raw['action_name'] ?? raw['name'], raw['action_alias'] ?? raw['alias']]
            .map(formatScalar)
            .filter(Boolean)
            .join(' · '),
        },
        { name: l10n.t('Created'), ...parseDateField(raw['when_created']) },
        { name: l10n.t('Modified'), ...parseDateField(raw['when_modified']) },
        { name: l10n.t('Fee'), value: formatAmount(formatFee(raw)) },
        {
          name: l10n.t('ID'),
          value: formatScalar(raw['id']),
          code: true,
          link: { kind: 'action-logs', id: formatScalar(raw['id']) },
        },
        { name: l10n.t('Action ID'), value: getActionId(raw), code: true },
        {
          name: l10n.t('Signer'),
          value: getSigner(raw),
          code: true,
          ...toAccount(getSigner(raw)),
          ...toExternalUrl(links.account, formatScalar(raw['signer'])),
        },
        {
          name: l10n.t('Wallet'),
          value: formatScalar(raw['wallet_id']),
          code: true,
          ...toAccount(formatScalar(raw['wallet_id'])),
        },
        { name: l10n.t('Version'), value: formatScalar(raw['version']) },
      ]),
    },
    { title: l10n.t('Parameters'), fields: formatParams(raw['params']) },
    formatObjects(raw, links),
    {
      title: l10n.t('Proof'),
      fields: formatFields([
        {
          name: l10n.t('Hash'),
          value: formatScalar(raw['hash']),
          code: true,
          ...toExternalUrl(links.action, formatScalar(raw['hash'])),
        },
        { name: l10n.t('Params hash'), value: formatScalar(raw['params_hash']), code: true },
        { name: l10n.t('State root'), value: formatScalar(raw['state_root'] ?? raw['state_hash']), code: true },
        { name: l10n.t('Signature'), value: formatScalar(raw['signature']), code: true },
      ]),
    },
    formatBatch(formatScalar(raw['batch_id']), batch, links),
  ];
  const title = toPlainText(
    formatScalar(raw['action_alias'] ?? raw['alias'] ?? raw['action_name'] ?? raw['name'] ?? raw['id']),
    80,
  );
  return {
    key: input.key,
    title: title === '' ? l10n.t('Action log') : title,
    sections: sections
      .filter(({ fields, note }) => fields.length > 0 || note !== undefined)
      .map((section) => ({
        ...section,
        fields: section.fields.map((field) =>
          field.code === true ? { ...field, value: formatLabelled(field.value, getLabel?.(field.value)) } : field,
        ),
      })),
    busy: input.busy,
  };
}

function formatObjects(raw: JsonObject, links: Links): Section {
  const list = readAffectedObjects(raw);
  const fields = list.slice(0, MAX_OBJECTS).flatMap(({ id, templateId: template, previousRoot, nextRoot, created }) =>
    formatFields([
      {
        name: l10n.t('Object'),
        value: id,
        code: true,
        link: { kind: 'objects', id },
        ...toExternalUrl(links.object, id),
      },
      { name: l10n.t('Template'), value: template, code: true, link: { kind: 'templates', id: template } },
      {
        name: l10n.t('Previous root'),
        value: previousRoot || (created ? l10n.t('None (created by this action)') : ''),
        code: true,
      },
      { name: l10n.t('New root'), value: nextRoot, code: true },
    ]),
  );
  const more = list.length - MAX_OBJECTS;
  return {
    title: list.length > 1 ? l10n.t('Affected objects ({0})', formatNumber(list.length)) : l10n.t('Affected object'),
    fields,
    ...(more > 0 && {
      note: pluralize(
        more,
        l10n.t(
          '{0} more object. Open the JSON document to see it.|{0} more objects. Open the JSON document to see them.',
        ),
      ),
    }),
  };
}

function formatBatch(id: string, batch: JsonObject | string | undefined, links: Links): Section {
  if (id === '') return { title: l10n.t('Batch'), fields: [], note: l10n.t('Not batched') };
  const batchField: DetailField = { name: l10n.t('Batch'), value: id, code: true, link: { kind: 'batches', id } };
  if (typeof batch === 'string') return { title: l10n.t('Batch'), fields: [batchField], note: batch };
  if (batch === undefined) return { title: l10n.t('Batch'), fields: [batchField] };
  const status = readStatus(batch) ?? '';
  const transaction = formatScalar(batch['l1_tx_hash']);
  const secondLayer = formatScalar(batch['l2_tx_hash']);
  return {
    title: l10n.t('Batch'),
    fields: [
      batchField,
      ...formatFields([
        { name: l10n.t('Settlement'), value: formatStatus(status), tone: getOwn(TONES, status) ?? 'unknown' },
        { name: l10n.t('Reason'), value: readBatchFailureReason(batch) ?? '' },
        {
          name: l10n.t('Transaction'),
          value: formatHash(transaction),
          code: true,
          ...toExternalUrl(links.transaction, transaction),
        },
        {
          name: l10n.t('Layer 2 transaction'),
          value: formatHash(secondLayer),
          code: true,
          ...toExternalUrl(links.transaction, secondLayer),
        },
        {
          name: l10n.t('Block'),
          value: /^0?$/.test(formatScalar(batch['l1_block_num'])) ? '' : formatScalar(batch['l1_block_num']),
        },
        {
          name: l10n.t({ message: 'Completed', args: [], comment: 'Field: time at which a ledger batch completed' }),
          ...parseDateField(batch['when_completed']),
        },
        { name: l10n.t('Actions'), value: formatScalar(batch['actions_count']) },
      ]),
    ],
  };
}

/** A hash of only zeros is a placeholder before settlement. */
function formatHash(hash: string): string {
  return /^(?:0x)?0+$/i.test(hash) ? l10n.t('Not on chain yet') : hash;
}

/** Formats the parameters: an array in the contract, an object in newer deployments. */
function formatParams(params: unknown): DetailField[] {
  const parts: readonly unknown[] = Array.isArray(params) ? params : params === undefined ? [] : [params];
  const fields = parts.flatMap((part, index) =>
    isObject(part) && Object.keys(part).length > 0
      ? Object.entries(part).map(([name, value]) => ({ name, value }))
      : [{ name: String(index + 1), value: part }],
  );
  return fields.slice(0, 100).map(({ name, value }) => {
    const scalar = formatScalar(value);
    const id = getParamLink(name, scalar);
    return {
      name: toPlainText(name, 80),
      value: truncate(scalar !== '' || typeof value === 'string' ? scalar : JSON.stringify(value, null, 2)),
      code: true,
      ...(id !== undefined && { link: id }),
      ...(/^(?:to|from|owner|signer|address|wallet_id)$/.test(name) && toAccount(scalar)),
    };
  });
}

/** Makes a field one that opens in the browser, if its link template can be filled in and a message can contain the URL. */
function toExternalUrl(template: string | undefined, value: string): Pick<DetailField, 'url'> {
  const url = fillLinkTemplate(template, value);
  return url === undefined || url.length > MAX_URL_LENGTH ? {} : { url };
}

/** Makes a field one that can be labelled, if its value can. */
function toAccount(value: string): Pick<DetailField, 'account'> {
  return getValueProblem(value) === undefined ? { account: value } : {};
}

function getParamLink(name: string, value: string): { readonly kind: string; readonly id: string } | undefined {
  if (value === '' || value.length > 300) return undefined;
  if (name === 'template_id') return { kind: 'templates', id: value };
  return name === 'id' || name === 'object_id' ? { kind: 'objects', id: value } : undefined;
}

function formatFields(fields: readonly DetailField[]): DetailField[] {
  return fields
    .filter(({ value }) => value !== '')
    .map((field) => {
      const { link, value } = field;
      const { link: _link, ...rest } = field;
      const linked = link === undefined || link.id === '' || link.id.length > 300 ? rest : field;
      return { ...linked, value: truncate(value) };
    });
}

function formatScalar(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : '';
}

function parseDateField(value: unknown): Pick<DetailField, 'value' | 'time'> {
  const text = formatScalar(value);
  const time = parseDateTime(text);
  return { value: text, ...(time !== undefined && { time }) };
}

function truncate(text: string): string {
  // Keeps line breaks and indentation of JSON; all else is sanitized like any server text.
  const lines = text.slice(0, MAX_VALUE_LENGTH).split('\n').slice(0, 400);
  return lines
    .map((line) =>
      line.startsWith('  ') ? `${/^ */.exec(line)?.[0] ?? ''}${toPlainText(line, 2000)}` : toPlainText(line, 4000),
    )
    .join('\n')
    .slice(0, MAX_VALUE_LENGTH);
}
